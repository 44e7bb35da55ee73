"""Compilers of rules: a rule that other rules call becomes machine code only inside the kernels that need it.

A kernel is a compiled function that Python calls; a part is a rule inside a kernel. Numba by itself optimises every
rule and compiles it to machine code, and then links the rule into its callers and optimises it there again. That takes
a third of the time of a first call, and the machine code is never run. A part therefore stays LLVM code of its own,
simplified but not optimised. A kernel links all parts that it calls, directly or through others, and optimises them.

Processes share one cache of kernels. Each process numbers record types from the start, and Numba names functions by
these numbers, so parts of two kernels may share a name. The parts of a kernel are therefore internal to it: otherwise
LLVM would use the first part of that name for all kernels, and a game would use the rules of another board.

Numba documents custom pipelines (`CompilerBase`, `DefaultPassBuilder`, `register_pass`), but neither `JITCodeLibrary`
nor what `run_pass` reads and writes in `state`. `tests/core/test_parts.py` fails if these change. If it passes with a
newer version of Numba, raise the bound in `pyproject.toml`.
"""

from functools import cache
from typing import Any, ClassVar

from llvmlite.binding import create_new_module_pass_manager
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import DumpParforDiagnostics, InlineOverloads, NativeLowering, NopythonRewrites
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    WithLifting,
)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code whose functions are simplified before they are linked."""

    def _optimize_functions(self, module: Any) -> None:
        # Numba does this to declarations, too, and makes a pass manager for each function.
        module.data_layout = self._codegen._data_layout
        manager, builder = _function_passes(self._codegen)
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


@cache
def _function_passes(codegen: Any) -> Any:
    # Level 3 copies so much code that races compile in up to 1.7 times the time, and are no faster.
    return codegen._function_pass_manager(opt=2)


class _PartLibrary(_Library):
    """The LLVM code of a part, not linked to the parts that it calls."""

    def finalize(self) -> None:
        """Make no machine code: kernels do."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the part with all that it calls, for functions that Numba compiles by itself."""
        whole = self._final_module.clone()
        _link_called(self, whole)
        _set_linkage(whole.functions, "linkonce_odr")
        return whole


def _link_called(library: Any, module: Any) -> None:
    """Link into `module` what the parts of a library call, directly or through other parts."""
    found = list(dict.fromkeys(library._linking_libraries))
    for each in found:
        if isinstance(each, _PartLibrary):
            found += [called for called in dict.fromkeys(each._linking_libraries) if called not in found]
    # LLVM leaves out functions of Numba to which nothing linked before refers, so parts come first.
    for each in sorted(found, key=lambda each: not isinstance(each, _PartLibrary)):
        code = each._final_module if isinstance(each, _PartLibrary) else each._get_module_for_linking()
        module.link_in(code, preserve=True)


def _set_linkage(functions: Any, linkage: str) -> None:
    for function in functions:
        if not function.is_declaration:
            function.linkage = linkage


class _KernelLibrary(_Library):
    """The LLVM code of a kernel and of all its parts."""

    def finalize(self) -> None:
        """Link all parts and make machine code."""
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        _link_called(self, self._final_module)
        _set_linkage((each for each in self._final_module.functions if each.name not in own), "internal")
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Numba runs all passes twice, in order to remove reference counts; rules count few references.
        # Inlining first what must be inlined saves up to a fifth of the time that races take to compile.
        manager, builder = self._codegen._module_pass_manager()
        inliner = create_new_module_pass_manager()
        inliner.add_always_inliner_pass()
        inliner.run(self._final_module, builder)
        manager.run(self._final_module, builder)

    def _verify_declare_only_symbols(self) -> None:
        # Calling a function that was not linked crashes Python.
        for function in self._final_module.functions:
            assert not (function.is_declaration and function.name.startswith("_ZN")), f"{function.name} is not linked"


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


_UNUSED = {
    DumpParforDiagnostics,
    FindLiterallyCalls,
    InlineInlinables,
    InlineOverloads,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    NopythonRewrites,
    WithLifting,
}
"""Passes for what no rule uses: `with`, `literally`, `literal_unroll`, parallel loops, fused array expressions."""


class KernelCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler with a different lowering pass, and without the passes that no rule needs."""

    lowering: ClassVar[type] = _KernelLowering

    def define_pipelines(self) -> list[Any]:
        """Return Numba's pipeline with these changes."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering if step is NativeLowering else step, description)
            for step, description in pipeline.passes
            if step not in _UNUSED
        ]
        return [pipeline]


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part of a kernel."""

    lowering = _PartLowering
