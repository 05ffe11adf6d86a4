"""Trees on disk: a version-stamped `.npz` with the texts of all specs and the position."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from mcrave.errors import Error
from mcrave.trees.arena import EDGES, NODES, Tree
from mcrave.trees.late import settle
from mcrave.trees.transpositions import enter_all

FORMAT = "mcrave-tree-2"
PER_NODE = ("nodes", "table_n", "table_w")


def save_tree(path: str | Path, tree: Tree, players: int, about: dict[str, Any]) -> None:
    """Write the used part of a tree and what it is about; all nodes get their tables."""
    settle(tree, players)
    nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
    entries = tree.table_n.size // len(tree.nodes)
    parts: dict[str, Any] = {}
    sizes = {"nodes": nodes, "table_n": nodes * entries, "table_w": nodes * entries, "used": 2, "slots": 0}
    for name, array in tree._asdict().items():
        parts[name] = np.asarray(array[: sizes.get(name, edges)])
    try:
        with open(path, "wb") as file:
            np.savez_compressed(file, about=json.dumps({"format": FORMAT} | about), **parts)
    except OSError as error:
        raise Error(f"cannot write {path}: {error.strerror}") from None


def read_tree(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file is about, and its arrays."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            parts = {name: file[name] for name in Tree._fields}
    except OSError as error:
        raise Error(f"cannot read {path}: {error.strerror or 'not a tree file'}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise Error(f"{path} is not a whole tree file of mcrave") from None
    if about.get("format") != FORMAT:
        raise Error(f"{path} has the format {about.get('format')!r}; this version of mcrave reads {FORMAT!r}")
    return about, parts


def fill_tree(path: str | Path, tree: Tree, parts: dict[str, Any]) -> None:
    """Put arrays from a file into an empty tree that has room for them; check that they fit together."""
    nodes, edges = (int(n) for n in parts["used"])
    if nodes > len(tree.nodes) or edges > tree.move.size:
        raise Error(f"{path} holds {nodes} nodes and {edges} moves, more than this search has memory for")
    for name, array in tree._asdict().items():
        part = parts[name]
        if name == "slots":
            continue
        if part.ndim != 1 or part.dtype != array.dtype or (nodes > 0 and bool(array.size) != bool(part.size)):
            raise Error(f"{path} does not fit this search: its '{name}' differs")
        array[: part.size] = part
    runs = parts["nodes"]
    inside = (runs["first"] >= 0) & (runs["count"] >= 0) & (runs["first"] + runs["count"] <= edges)
    if len(runs) != nodes or not inside.all() or not ((parts["child"] >= -1) & (parts["child"] < nodes)).all():
        raise Error(f"{path} is damaged: its nodes and moves do not fit together")
    enter_all(tree)
