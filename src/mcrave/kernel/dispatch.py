"""Call the right kernel by the type of the first argument, compiled, interpreted and on the GPU.

`play(rules, state, move)` is written once in the search; the class of `rules` carries the implementation.
Numba's `overload` resolves it while compiling, so it costs nothing at run time and, unlike functions
passed as arguments, it is found again in the on-disk cache. `target="generic"` serves CUDA too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import overload

from mcrave.kernel.jit import OPTIONS


def dispatched(default: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose implementation is the method of that name on the class of its first argument.

    The decorated function is what happens for classes without such a method.

    >>> from mcrave.specs import Spec
    >>> @dispatched
    ... def area(shape, scale):
    ...     return 0.0
    >>> class Square(Spec):
    ...     side: float = 1.0
    ...     def area(shape, scale):
    ...         return shape.side * shape.side * scale
    >>> area(Square(3.0), 2.0)
    18.0
    """
    name = default.__name__

    def choose(cls: type) -> Callable[..., Any]:
        return getattr(cls, name, default)

    def call(spec: Any, *args: Any) -> Any:
        return choose(type(spec))(spec, *args)

    def implementation(*arguments: Any) -> Callable[..., Any] | None:
        spec = arguments[0]
        if isinstance(spec, types.NamedTuple | types.NamedUniTuple):
            return choose(spec.instance_class)
        return None

    implementation.__signature__ = inspect.signature(default)  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = name
    call.__doc__ = default.__doc__
    call.__module__ = default.__module__
    call.__wrapped__ = default  # type: ignore[attr-defined]
    overload(call, target="generic", jit_options={**OPTIONS, "no_cpython_wrapper": True})(implementation)
    return call
