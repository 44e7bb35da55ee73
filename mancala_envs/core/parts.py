"""Rules as parts of what calls them: compiled only as far as their callers need.

Of every function Numba optimises the code, with that of all it calls, makes machine code, and wraps it for Python.
A kernel takes its rules in as LLVM code and optimises the whole once more: the rest is half of a cold compile. So the
code of a part is left as it is until it lies in a kernel. Nothing but compiled code can call it.

This reaches into Numba, which has no switch for it; so only versions with which the tests have passed are asked to.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

KNOWN = numba.version_info[:2] <= (0, 68)
"""Whether this Numba is known to make parts; with another rules are compiled whole, which takes twice as long."""


class _UnfinishedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code, with that of what it calls, that is optimised and becomes machine code in a kernel only."""

    # Linked here already: what a kernel links before something calls it LLVM would drop.

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _UnfinishedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # In place of the function for Python: to callers it is no more than a key, and must be a builtin.
        key: Any = [].append
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _PartCompiler(compiler.CompilerBase):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_PartLowering if step is NativeLowering else step, description) for step, description in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


def part(function: Callable[..., Any], inlined: bool) -> Any:
    """A dispatcher that gives `function` to compiled callers; to call it from Python would crash."""
    return numba.njit(
        nogil=True,
        error_model="numpy",
        forceinline=inlined,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=_PartCompiler,
    )(function)
