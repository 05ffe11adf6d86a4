"""Atomic addition and compare-and-swap on the items and record fields of arrays, and hints, for threads on the CPU.

Compiled, they are single LLVM instructions (`atomicrmw`, `cmpxchg`). Interpreted, one lock makes them atomic.
"""

from __future__ import annotations

import threading
import time

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np import arrayobj

from mcrave.kernel.jit import INTERPRETED

if INTERPRETED:
    _lock = threading.Lock()

    def add_item(array, i, value):
        """Do `array[i] += value` atomically and return the old value."""
        with _lock:
            old = array[i]
            array[i] = old + value
        return old

    def swap_item(array, i, old, new):
        """Set `array[i]` to `new` if it is `old`; tell whether it was."""
        with _lock:
            same = bool(array[i] == old)
            if same:
                array[i] = new
        return same

    def add_field(array, i, field, value):
        """Do `array[i].field += value` atomically and return the old value."""
        return add_item(array[field], i, value)

    def swap_field(array, i, field, old, new):
        """Set `array[i].field` to `new` if it is `old`; tell whether it was."""
        return swap_item(array[field], i, old, new)

    def expect_item(array, i):
        """Tell the processor that `array[i]` will be written to, so that it fetches it meanwhile."""

    def let_others_run():
        """Give the processor to another thread that wants it."""
        time.sleep(0.0)
        return 0

else:

    def _item(context, builder, array_type, array, index_type, index):
        struct = arrayobj.make_array(array_type)(context, builder, array)
        index = context.cast(builder, index, index_type, types.intp)
        return cgutils.get_item_pointer(
            context, builder, array_type, struct, [index], wraparound=False, boundscheck=False
        )

    def _field(context, builder, array_type, array, index_type, index, field):
        item = _item(context, builder, array_type, array, index_type, index)
        kind = array_type.dtype.typeof(field)
        offset = array_type.dtype.offset(field)
        return cgutils.get_record_member(builder, item, offset, context.get_data_type(kind))

    def _add(builder, kind, pointer, value):
        operation = "fadd" if isinstance(kind, types.Float) else "add"
        return builder.atomic_rmw(operation, pointer, value, "acq_rel")  # what was written before is seen with it

    def _swap(builder, pointer, old, new):
        return builder.extract_value(builder.cmpxchg(pointer, old, new, "acq_rel", "monotonic"), 1)

    def _prefetch(builder, pointer):
        byte, number = ir.PointerType(ir.IntType(8)), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        to_write, close, data = number(1), number(3), number(1)
        builder.call(function, [builder.bitcast(pointer, byte), to_write, close, data])

    @intrinsic
    def expect_item(typingctx, array, i):
        """Tell the processor that `array[i]` will be written to, so that it fetches it meanwhile."""

        def codegen(context, builder, signature, args):
            _prefetch(builder, _item(context, builder, array, args[0], i, args[1]))
            return context.get_dummy_value()

        return types.void(array, i), codegen

    @intrinsic
    def add_item(typingctx, array, i, value):
        """Do `array[i] += value` atomically and return the old value."""
        if not (isinstance(array, types.Array) and array.ndim == 1):
            return None

        def codegen(context, builder, signature, args):
            pointer = _item(context, builder, array, args[0], i, args[1])
            return _add(builder, array.dtype, pointer, context.cast(builder, args[2], value, array.dtype))

        return array.dtype(array, i, value), codegen

    @intrinsic
    def swap_item(typingctx, array, i, old, new):
        """Set `array[i]` to `new` if it is `old`; tell whether it was."""
        if not (isinstance(array, types.Array) and array.ndim == 1):
            return None

        def codegen(context, builder, signature, args):
            pointer = _item(context, builder, array, args[0], i, args[1])
            was = context.cast(builder, args[2], old, array.dtype)
            becomes = context.cast(builder, args[3], new, array.dtype)
            return _swap(builder, pointer, was, becomes)

        return types.boolean(array, i, old, new), codegen

    @intrinsic
    def add_field(typingctx, array, i, field, value):
        """Do `array[i].field += value` atomically and return the old value; `field` is a literal."""
        if not isinstance(field, types.StringLiteral):
            return None
        name = field.literal_value
        kind = array.dtype.typeof(name)

        def codegen(context, builder, signature, args):
            pointer = _field(context, builder, array, args[0], i, args[1], name)
            return _add(builder, kind, pointer, context.cast(builder, args[3], value, kind))

        return kind(array, i, field, value), codegen

    @intrinsic
    def swap_field(typingctx, array, i, field, old, new):
        """Set `array[i].field` to `new` if it is `old`; tell whether it was. `field` is a literal."""
        if not isinstance(field, types.StringLiteral):
            return None
        name = field.literal_value
        kind = array.dtype.typeof(name)

        def codegen(context, builder, signature, args):
            pointer = _field(context, builder, array, args[0], i, args[1], name)
            was = context.cast(builder, args[3], old, kind)
            return _swap(builder, pointer, was, context.cast(builder, args[4], new, kind))

        return types.boolean(array, i, field, old, new), codegen

    @intrinsic
    def let_others_run(typingctx):
        """Give the processor to another thread that wants it."""

        def codegen(context, builder, signature, args):
            kind = ir.FunctionType(ir.IntType(32), [])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])

        return types.int32(), codegen
