"""How kernels are compiled for a GPU: with the processor's arithmetic, and long functions kept apart.

Numba has no options for these things; here they are added to what it does.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from mcrave.kernel.indexing import count_from_the_front
from mcrave.kernel.jit import APART

DEFINITION = re.compile(r'^define [^@]*@"?([^"(]+)"?\(.*\)', re.MULTILINE)
MARKS = " noinline minsize optsize"
LABEL = re.compile(r'"?([^":\s]+)"?:')
LOOP = ", !llvm.loop !"
TARGET = re.compile(r'label %"?([^",\s]+)')
NAMELESS = 1 << 20  # numbers of metadata that nobody else uses
MANY = 400  # loops: random playouts make programs of some 150 to 240, MoGo's of 600 and more


def prepare_compiler() -> None:
    """Do so from now on; needs numba-cuda."""
    # The last games of a match do not fill a GPU: nothing that its user should be warned of.
    warnings.filterwarnings("ignore", r".*Grid size \d+ will likely result in GPU")
    with suppress(ImportError):  # without such a module kernels are only larger (see `mcrave.kernel.indexing`)
        count_from_the_front(import_module("numba.cuda.np.arrayobj"))
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    plain = nvvm.compile_ir
    if getattr(plain, "prepared", False):
        return

    def compile_ir(llvmir: Any, **options: Any) -> Any:
        """With `-fma=0` of libNVVM: rounded after every multiplication, equal scores stay equal."""
        modules = llvmir if isinstance(llvmir, list | tuple) else [llvmir]
        return plain(keep_loops([keep_apart(module) for module in modules]), **{"fma": 0, **options})

    compile_ir.prepared = True  # type: ignore[attr-defined]
    nvvm.compile_ir = compile_ir


def keep_apart(module: str | bytes) -> str | bytes:
    """LLVM's text with all functions that are `apart` marked: not to be inlined, and short rather than quick.

    >>> from mcrave.games import _ladders
    >>> keep_apart('define linkonce_odr i32 @"_ZN6mcrave5games8_ladders4huntB2v1Ex"(i64 %x) {')
    'define linkonce_odr i32 @"_ZN6mcrave5games8_ladders4huntB2v1Ex"(i64 %x) noinline minsize optsize {'
    >>> keep_apart("define i32 @main() {")
    'define i32 @main() {'
    """
    if isinstance(module, bytes):
        return keep_apart(module.decode()).encode()  # type: ignore[union-attr]
    return DEFINITION.sub(lambda found: found[0] + MARKS * is_apart(found[1]), module)


def keep_loops(modules: Sequence[str | bytes], many: int = MANY) -> list[str | bytes]:
    r"""LLVM's texts with all loops marked, if they are many: not to be unrolled.

    That makes a long program a third shorter, and quicker, as it waits for its instructions; a short one only slower.

    >>> print(*keep_loops(["define void @f() {\nB1:\n  br i1 %x, label %B1, label %B2\nB2:\n  ret void\n}"], many=1))
    define void @f() {
    B1:
      br i1 %x, label %B1, label %B2, !llvm.loop !1048577
    B2:
      ret void
    }
    !1048577 = distinct !{!1048577, !1048576}
    !1048576 = !{!"llvm.loop.unroll.disable"}
    """
    texts = [module.decode() if isinstance(module, bytes) else module for module in modules]
    marked = [_with_marked_loops(text) for text in texts]
    return list(marked) if sum(text.count(LOOP) for text in marked) >= many else list(modules)


def _with_marked_loops(text: str) -> str:
    """A branch back to a block that stood before ends a loop."""
    lines, passed, ends = text.split("\n"), set[str](), []
    for i, line in enumerate(lines):
        if line.startswith("define"):
            passed = set()
        elif label := LABEL.match(line):
            passed.add(label[1])
        elif line.lstrip().startswith("br ") and any(target in passed for target in TARGET.findall(line)):
            ends.append(i)
    for number, i in enumerate(ends, NAMELESS + 1):
        lines[i] += f"{LOOP}{number}"
        lines.append(f"!{number} = distinct !{{!{number}, !{NAMELESS}}}")
    return "\n".join([*lines, f'!{NAMELESS} = !{{!"llvm.loop.unroll.disable"}}'])


def is_apart(name: str) -> bool:
    """Whether a function of this name is one of them."""
    return any(name.startswith(start + "B") for start in APART)
