"""Parts of arrays without a look at where the arrays end.

A slice of an array cuts its bounds to the array's. With dozens of arrays that is dozens of numbers, which a GPU keeps
in registers that it does not have. Here whoever takes a part knows that it is there.
"""

from __future__ import annotations

from numba.core import cgutils, types
from numba.extending import intrinsic

from mcrave.kernel.jit import INTERPRETED

if INTERPRETED:

    def row(rows, i, length):
        """The first `length` items of the i-th row."""
        return rows[i][:length]

    def piece(array, start, length):
        """So many items from `start` on."""
        return array[start : start + length]

else:

    def _view(context, builder, kinds, array, start, length):
        """So many items of an array of one or two dimensions, from a pointer on."""
        whole, part = kinds
        old = context.make_helper(builder, whole, value=array)
        new = context.make_helper(builder, part)
        new.data = builder.gep(old.data, [start])
        new.shape = cgutils.pack_array(builder, [length])
        new.strides = cgutils.pack_array(builder, [old.itemsize])
        new.itemsize, new.nitems = old.itemsize, length
        new.meminfo, new.parent = old.meminfo, old.parent
        return new._getvalue()

    @intrinsic
    def row(typingctx, rows, i, length):
        """The first `length` items of the i-th row."""
        part = types.Array(rows.dtype, 1, "C", aligned=rows.aligned)

        def build(context, builder, signature, values):
            array, i_, length_ = values
            _, columns = cgutils.unpack_tuple(builder, context.make_helper(builder, rows, value=array).shape, 2)
            start = builder.mul(i_, columns)
            return _view(context, builder, (rows, part), array, start, length_)

        return part(rows, types.intp, types.intp), build

    @intrinsic
    def piece(typingctx, array, start, length):
        """So many items from `start` on."""
        part = types.Array(array.dtype, 1, "C", aligned=array.aligned)

        def build(context, builder, signature, values):
            return _view(context, builder, (array, part), *values)

        return part(array, types.intp, types.intp), build
