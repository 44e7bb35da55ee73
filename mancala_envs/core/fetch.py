"""Memory that is read soon: the processor fetches it while it goes on."""

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_untracked  # noqa: F401
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


def in_python(array: Any, index: Any) -> None:
    """`fetch` in plain Python, where it changes nothing."""


if numba.config.DISABLE_JIT:
    fetch = in_python
else:

    @intrinsic
    def fetch(typing: Any, array: Any, index: Any) -> Any:
        """Fetch the element of an array (n,)."""

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            data = make_array(kind)(context, builder, arguments[0])
            place = cgutils.get_item_pointer(context, builder, kind, data, [arguments[1]])
            number = ir.IntType(32)
            address = builder.bitcast(place, cgutils.voidptr_t)
            function_type = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
            function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0i8")
            builder.call(function, [address, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, index), call
