"""Kernels, and rules as parts of them: compiled only as far as is needed.

Of every function Numba optimises the code, with that of all it calls, makes machine code, and wraps it for Python.
A kernel takes its rules in as LLVM code and optimises the whole once more: the rest is a third of a cold compile. So
the code of a part is left as it is until it lies in a kernel. Nothing but compiled code can call it. And of the steps
to LLVM code those are left out that find nothing to do in a rule.

This reaches into Numba, which has no switch for it; so only versions with which the tests have passed are asked to.
"""

import dis
from collections.abc import Callable
from graphlib import TopologicalSorter
from typing import Any, ClassVar

import numba
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.imputils import impl_ret_new_ref
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)

KNOWN = numba.version_info[:2] <= (0, 68)
"""Whether this Numba is known to make parts; with another rules are compiled whole, which takes half as long again."""


def _all_under(library: JITCodeLibrary) -> list[JITCodeLibrary]:
    """What `library` and the parts under it call; callers first, for of what nothing calls yet LLVM links nothing."""
    callers: TopologicalSorter[JITCodeLibrary] = TopologicalSorter()
    waiting, seen = [library], set()
    while waiting:
        caller = waiting.pop()
        for called in caller._linking_libraries:
            callers.add(called, caller)
            if isinstance(called, _PartLibrary) and called not in seen:
                seen.add(called)
                waiting.append(called)
    return [called for called in callers.static_order() if called is not library]


def _link(module: Any, libraries: list[JITCodeLibrary]) -> None:
    for library in libraries:
        part = isinstance(library, _PartLibrary)
        module.link_in(library.part_alone() if part else library._get_module_for_linking(), preserve=True)


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code of one part, which is linked, optimised and becomes machine code in a kernel only."""

    def finalize(self) -> None:
        self._finalized = True

    def part_alone(self) -> Any:
        """The module to be linked in a kernel, which links what this part calls too."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        # For callers of other makes, as a user's own compiled functions are.
        whole = self.part_alone().clone()
        _link(whole, _all_under(self))
        return whole


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code of a kernel, which links all the parts under it."""

    def finalize(self) -> None:
        _link(self._final_module, _all_under(self))
        self._linking_libraries: list[JITCodeLibrary] = []
        super().finalize()


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def _unguarded_call(described: Any, library: _PartLibrary) -> Any:
    """What makes the code of a call to a part: without looking for errors, of which a part has none."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = context.declare_function(builder.module, described)
        kinds = described.restype, described.argtypes
        _, value = context.call_conv.call_function(builder, function, *kinds, arguments)
        return impl_ret_new_ref(context, builder, described.restype, value)

    call.libs = (library,)  # type: ignore[attr-defined]
    call.signature = described.argtypes  # type: ignore[attr-defined]
    return call


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # In place of the function for Python: to callers it is no more than a key, and must be a builtin.
        key: Any = [].append
        call = _unguarded_call(state.cr.fndesc, state.library)
        state.targetctx.insert_func_defn([(call, key, call.signature)])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Flags(compiler.Flags):  # type: ignore[misc]
    """Numba looks up by its flags all that it has typed before; those of rules differ in nothing that matters there."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags)

    def __hash__(self) -> int:
        return 0


class _KernelCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's own steps, without those for what no rule has: closures, whole arrays as operands, Python objects."""

    lowering: ClassVar[type] = _KernelLowering

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        super().__init__(typing, target, library, args, returns, _Flags(flags), local)

    def define_pipelines(self) -> list[Any]:
        pipeline = PassManager("rule")
        for step in (
            TranslateByteCode,
            FixupArgs,
            RewriteSemanticConstants,
            ReconstructSSA,
            DeadBranchPrune,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            self.lowering,
            NoPythonBackend,
        ):
            pipeline.add_pass(step, step.__name__)
        pipeline.finalize()
        return [pipeline]


class _PartCompiler(_KernelCompiler):
    lowering = _PartLowering


def kernel_settings() -> dict[str, Any]:
    """For what may call parts."""
    return {"pipeline_class": _KernelCompiler} if KNOWN else {}


def part(function: Callable[..., Any], inlined: bool) -> Any:
    """A dispatcher that gives `function` to compiled callers; to call it from Python would crash.

    Raises TypeError for a function that raises: no caller would hear of it.
    """
    if any(step.opname == "RAISE_VARARGS" for step in dis.get_instructions(function)):
        raise TypeError(f"{function.__module__}.{function.__qualname__} raises or asserts, which no rule may")
    return numba.njit(
        nogil=True,
        error_model="numpy",
        forceinline=inlined,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=_PartCompiler,
    )(function)
