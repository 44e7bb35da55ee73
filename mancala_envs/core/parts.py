"""Compilers of rules: a rule that other rules call becomes machine code only inside the kernels that need it.

A kernel is a compiled function that Python calls; a part is a rule inside a kernel. Numba by itself optimises every
rule and compiles it to machine code, and then links the rule into its callers and optimises it there again. That takes
a third of the time of a first call, and the machine code is never run. A part therefore stays unoptimised LLVM code.

Processes share one cache of kernels. Each process numbers record types from the start, and Numba names functions by
these numbers, so parts of two kernels may share a name. The parts of a kernel are therefore internal to it: otherwise
LLVM would use the first part of that name for all kernels, and a game would use the rules of another board.

Numba documents custom pipelines (`CompilerBase`, `DefaultPassBuilder`, `register_pass`), but neither `JITCodeLibrary`
nor what `run_pass` reads and writes in `state`. `tests/core/test_parts.py` fails if these change. If it passes with a
newer version of Numba, raise the bound in `pyproject.toml`.
"""

from typing import Any, ClassVar

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering, NopythonRewrites


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a kernel and of all its parts."""

    def finalize(self) -> None:
        """Link all parts, which have not been linked to each other."""
        linked = dict.fromkeys(self._linking_libraries)
        for library in (order := list(linked)):
            if isinstance(library, _PartLibrary):
                order += (each for each in library._linking_libraries if each not in linked)
                linked |= dict.fromkeys(library._linking_libraries)
        self._linking_libraries = list(linked)
        super().finalize()

    def _optimize_functions(self, module: Any) -> None:
        import os
        if os.environ.get("NOF"): return
        super()._optimize_functions(module)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        import os
        v=os.environ.get("VAR","")
        if v=="full":
            m,b=self._codegen._module_pass_manager(); m.run(self._final_module,b); return
        if v=="rot":
            m,b=self._codegen._module_pass_manager(cost="cheap"); m.run(self._final_module,b); return
        if v=="c1f3":
            m,b=self._codegen._module_pass_manager(cost="cheap",opt=1,loop_vectorize=False,slp_vectorize=False); m.run(self._final_module,b)
            m,b=self._codegen._module_pass_manager(); m.run(self._final_module,b); return
        if v=="fs":
            pm,b=self._codegen._function_pass_manager()
            for f in self._final_module.functions:
                if not f.is_declaration: pm.run(f,b)
            m,b=self._codegen._module_pass_manager(); m.run(self._final_module,b); return
        if v=="fs1":
            pm,b=self._codegen._function_pass_manager(opt=1)
            for f in self._final_module.functions:
                if not f.is_declaration: pm.run(f,b)
            m,b=self._codegen._module_pass_manager(); m.run(self._final_module,b); return
        if v=="f1f3":
            m,b=self._codegen._module_pass_manager(opt=1,loop_vectorize=False,slp_vectorize=False); m.run(self._final_module,b)
            m,b=self._codegen._module_pass_manager(); m.run(self._final_module,b); return
        if v=="f2":
            m,b=self._codegen._module_pass_manager(opt=2); m.run(self._final_module,b); return
        super()._optimize_final_module()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a part, neither optimised nor linked to the parts that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        """Do nothing: the kernel is optimised later."""

    def finalize(self) -> None:
        """Let kernels link the part: its functions may be there already."""
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # A part needs its environment to format error messages that contain values.
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
        # Callers look up the LLVM code by the compiled function. A part has none, so any new builtin serves as the key.
        key: Any = [].append
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with a different lowering pass, and without the pass that fuses array expressions."""

    lowering: ClassVar[type] = _KernelLowering

    def define_pipelines(self) -> list[Any]:
        """Return Numba's pipeline with the passes exchanged."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, description)
            for step, description in pipeline.passes
            if step is not NopythonRewrites and step.__name__ not in __import__('os').environ.get('SKIP','').split(',')
        ]
        return [pipeline]


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part of a kernel."""

    lowering = _PartLowering
