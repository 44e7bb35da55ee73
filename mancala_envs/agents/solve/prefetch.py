"""Prefetching: the processor loads memory that will be read soon while it continues with other work."""

from typing import Any

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic

if numba.config.DISABLE_JIT:

    def prefetch(array: Any, index: Any) -> None:
        """Do nothing, because prefetching does not help plain Python."""

else:

    @intrinsic
    def prefetch(typing: Any, array: Any, index: Any) -> Any:
        """Load array[index] of an array (n,) into the cache."""

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            elements = context.make_array(array)(context, builder, arguments[0])
            element = cgutils.get_item_pointer(context, builder, array, elements, [arguments[1]])
            number, pointer = cgutils.int32_t, cgutils.voidptr_t
            kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [pointer, number, number, number])
            instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            # Arguments of LLVM's instruction: read, keep in all caches, data.
            builder.call(instruction, [builder.bitcast(element, pointer), number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, index), call
