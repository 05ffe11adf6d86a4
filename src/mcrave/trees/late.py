"""GRAVE's tables, made late: as long as nobody reads a node's table, its simulations are only put on record.

GRAVE reads the tables of nodes with more than `ref` visits, and few have so many. Until then each simulation leaves a
record in the room of the table, at the place that is the number of visits before it: a bit for each entry that it
would add to, and the outcome for each player. When there is room for no more, or one more visit would make the
table be read, the table is made of the records, in their order, so that it is the same to the last bit.

`records` of a node counts them, and is `TABLE` once the table is made. Half of the records lie where the counts will
be, half where the sums will be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mcrave.kernel import entry, jit
from mcrave.kernel.atomics import expect_item
from mcrave.kernel.bits import ONE, WORD, lowest
from mcrave.trees.arena import NODES, TABLE, Tree

BITS = 64


def words(entries: int) -> int:
    """How many words have a bit for each entry."""
    return -(-entries // BITS)


def record_room(entries: int, players: int) -> int:
    """How many records the room of a table's counts has, or that of its sums.

    >>> record_room(2 * 64, 2)
    32
    """
    return entries // (words(entries) + players)


@jit
def expect_record(table_n, table_w, start, width, half, number):
    """Tell the processor that a record of the table that begins at `start` will be written."""
    if number < half:
        expect_item(table_n, start + number * width)
    else:
        expect_item(table_w, start + (number - half) * width)


@jit
def write_record(counts, sums, bits, results, half, number):
    """Put a simulation on record."""
    if number < half:
        write_at(counts, bits, results, number)
    else:
        write_at(sums, bits, results, number - half)


@jit
def write_at(room, bits, results, number):
    """In one half of the room."""
    at = number * (bits.shape[0] + results.shape[0])
    for i in range(bits.shape[0]):
        room[at + i] = np.uint64(bits[i]).view(np.float64)
    at += bits.shape[0]
    for player in range(results.shape[0]):
        room[at + player] = results[player]


@jit
def make_table(nodes, table_n, table_w, spare, players, node):
    """Make the table of a node that only has records yet."""
    number = np.int64(nodes[node].records)
    if number != TABLE:
        entries = table_n.shape[0] // nodes.shape[0]
        first, last = node * entries, (node + 1) * entries
        add_records(table_n[first:last], table_w[first:last], spare, players, number)
        nodes[node].records = TABLE


@jit
def add_records(counts, sums, spare, players, number):
    """Turn so many records into a table; `spare` is room for it meanwhile."""
    entries = counts.shape[0]
    width = (entries + BITS - 1) // BITS + players
    half = entries // width
    table_n, table_w = spare[:entries], spare[entries : 2 * entries]
    for i in range(entries):
        table_n[i] = 0.0
        table_w[i] = 0.0
    for record in range(min(number, half)):
        add_record(table_n, table_w, counts[record * width : (record + 1) * width], players)
    for record in range(number - half):
        add_record(table_n, table_w, sums[record * width : (record + 1) * width], players)
    for i in range(entries):
        counts[i] = table_n[i]
        sums[i] = table_w[i]


@jit
def add_record(table_n, table_w, record, players):
    """Add one."""
    codes = table_n.shape[0] // players
    first = record.shape[0] - players
    for i in range(first):
        left = np.float64(record[i]).view(np.uint64)
        while left != WORD(0):
            entry = np.uintp(i * BITS + lowest(left))
            left &= left - ONE
            table_n[entry] += 1.0
            table_w[entry] += record[np.uintp(first) + entry // np.uintp(codes)]


@entry
def make_tables(tree, spare, players, first, last):
    """Make the tables of some nodes."""
    for node in range(first, last):
        make_table(tree.nodes, tree.table_n, tree.table_w, spare, players, node)


def settle(tree: Tree, players: int, node: int | None = None) -> None:
    """Let a node have its table, or all nodes: for whoever reads tables, or adds to them in another way.

    No search of this tree may be running.
    """
    first, last = (0, int(tree.used[NODES])) if node is None else (node, node + 1)
    if tree.table_n.size and (tree.nodes["records"][first:last] != TABLE).any():
        make_tables(tree, spare_for(tree), players, first, last)


def spare_for(tree: Tree) -> Any:
    """Room for a table of this tree."""
    return np.zeros(2 * tree.table_n.size // len(tree.nodes))
