"""Compilers of rules: a rule that other rules call becomes machine code only inside the kernels that need it.

A kernel is a compiled function that Python calls; a part is a rule inside a kernel. Numba by itself optimises every
rule and makes machine code of it, and then links the rule into its callers and optimises it there again. That takes a
third of a first call, and the machine code is never run. So a part stays LLVM code that is not optimised.

Kernels of several processes meet in one cache. Numba numbers record types anew in every process, and names functions
by these numbers, so parts of two kernels may share a name. Each kernel therefore keeps its parts to itself: otherwise
LLVM would take the first part of a name for all kernels, and a game would play by the rules of another board.

Numba documents custom pipelines (`CompilerBase`, `DefaultPassBuilder`, `register_pass`), but neither `JITCodeLibrary`
nor what `run_pass` reads and writes in `state`. `tests/core/test_parts.py` fails when these change. When it passes with
a newer version of Numba, raise the bound in `pyproject.toml`.
"""

from typing import Any, ClassVar

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering, NopythonRewrites


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a kernel and of all its parts."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        super()._optimize_final_module()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a part and of the parts that it calls."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # Without its environment, a part could not give Python the number in the message of an error.
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                state.library.codegen.set_env(variable.name, environment)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Callers find the LLVM code by the compiled function. There is none; any new builtin function can be the key.
        key: Any = [].append
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with another last pass, and without the one that looks for array expressions to join."""

    lowering: ClassVar[type] = _KernelLowering

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, description)
            for step, description in pipeline.passes
            if step is not NopythonRewrites
        ]
        return [pipeline]


class PartCompiler(KernelCompiler):
    lowering = _PartLowering
