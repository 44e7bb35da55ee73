"""Memory that is read soon: the processor fetches it while it goes on with something else."""

from typing import Any

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

if numba.config.DISABLE_JIT:

    def fetch(array: Any, index: Any) -> None:
        """Plain Python has no need of it."""

else:

    @intrinsic
    def fetch(typing: Any, array: Any, index: Any) -> Any:
        """Let the processor fetch array[index], of an array (n,), where it is not at hand already."""

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            elements = make_array(array)(context, builder, arguments[0])
            element = cgutils.get_item_pointer(context, builder, array, elements, [arguments[1]])
            number, pointer = cgutils.int32_t, cgutils.voidptr_t
            kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [pointer, number, number, number])
            prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            # To read, to be kept near, as data: LLVM's numbers.
            builder.call(prefetch, [builder.bitcast(element, pointer), number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, index), call
