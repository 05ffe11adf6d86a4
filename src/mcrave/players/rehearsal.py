"""A tree policy from a user's file is tried out in the interpreter, so that a mistake is told with its line."""

from __future__ import annotations

import inspect
import math
from pathlib import Path
from typing import Any

import numpy as np

from mcrave.errors import KernelError
from mcrave.games import _loader
from mcrave.policies import base
from mcrave.policies.base import Edge, NodeView, TreePolicy
from mcrave.specs import lowered, plain_name

KERNELS = (base.score, base.needs, base.reference, base.depth_limit, base.prepare, base.weight)
TRIED = (  # n, w, an, aw, squares: nothing known, a prior alone, AMAF alone, a win, a loss, some of all
    (0.0, 0.0, 0.0, 0.0, 0.0),
    (0.5, 0.25, 0.0, 0.0, 0.125),
    (0.0, 0.0, 3.0, 2.0, 0.0),
    (1.0, 1.0, 1.0, 1.0, 1.0),
    (1.0, 0.0, 1.0, 0.0, 0.0),
    (8.0, 5.0, 20.0, 11.0, 5.0),
)


def rehearse(policy: TreePolicy) -> None:
    """Call each kernel with plain numbers; raise `KernelError` at the first that breaks the contract."""
    try:
        _call_kernels(policy, type(policy))
    except KernelError:
        raise
    except Exception as error:
        raise _loader.located(error, Path(inspect.getfile(type(policy)))) from None


def _call_kernels(policy: TreePolicy, kernels: Any) -> None:
    if not hasattr(kernels, "score"):
        wanted = ", ".join(inspect.signature(base.score).parameters)
        raise KernelError(f"{_place(kernels)}: {plain_name(kernels)} has no `def score({wanted})`")
    for kernel in KERNELS:
        _check_signature(kernels, kernel)
    spec = lowered(policy)
    n, w, _, _, squares = (np.array(column) for column in zip(*TRIED, strict=True))
    total = float(n.sum())
    aids = base.prepare(spec, total, n, w, squares)
    _expect(isinstance(aids, tuple) and len(aids) == 2, kernels, "prepare", f"must return two numbers, not {aids!r}")
    for edge in (Edge(*values, share=1.0 / len(TRIED)) for values in TRIED):
        for name in ("score", "weight"):
            value = getattr(base, name)(spec, NodeView(total, *aids), edge)
            good = isinstance(value, int | float | np.number) and not math.isnan(value)
            _expect(good, kernels, name, f"must return a number, not {value!r} as for {edge}")


def _check_signature(kernels: type, kernel: Any) -> None:
    method = getattr(kernels, kernel.__name__, None)
    if method is not None:
        wanted, found = (", ".join(inspect.signature(function).parameters) for function in (kernel, method))
        if wanted.count(",") != found.count(","):
            raise KernelError(
                f"{_place(method)}: `def {kernel.__name__}({found})` must be `def {kernel.__name__}({wanted})`"
            )


def _expect(good: bool, kernels: type, name: str, complaint: str) -> None:
    if not good:
        raise KernelError(f"{_place(getattr(kernels, name, kernels))}: {name}() {complaint}")


def _place(what: Any) -> str:
    return f"{Path(inspect.getfile(what)).name}:{inspect.getsourcelines(what)[1]}"
