"""Rules as parts of kernels: rules that other rules call are compiled only as far as a kernel needs them.

A kernel is a compiled function that Python calls; a part is a rule inside it. Numba by itself compiles every rule for
its own sake: it optimises the rule together with all that the rule calls, makes machine code, and wraps that for
Python. A kernel then takes in the rule as LLVM code once more, and optimises the whole again. Most of that work is
wasted, and it is more than a third of a first call. So a part stays LLVM code until it lies in a kernel, and the
compiler steps that have nothing to do in a rule are left out (CONTRIBUTING says which Python a rule may use).

The environment variable ``MANCALA_ENVS_PARTS`` decides: 0 compiles rules with Numba's own machinery and its public
options alone, 1 makes parts in any case. Without it, parts are made where the tests have passed with the version of
Numba (`KNOWN`), and not while Numba is asked to check bounds or to make debugging information.

Numba has no option for this. Below are the names used that its documentation does not promise to keep, what for, and
the test in ``tests/core/test_parts.py`` that fails when one of them changes.

=====================================  ============================================  ==================================
passes of `typed_passes` and           the compiler steps that a rule needs          `test_parts_play_alike`
`untyped_passes`
`NativeLowering.run_pass`              uses a `state.library` that is there already  `test_parts_are_no_machine_code`
`Flags.no_compile`, `state.cr.cfunc`   no function for Python is made of a part      `test_parts_are_no_machine_code`
`targetctx.insert_user_function`       gives a part to its callers, which look for   `test_parts_play_alike`,
                                       an error after each call                      `test_errors_are_heard`
`JITCodeLibrary.finalize`,             optimises and makes machine code, which a     `test_parts_are_no_machine_code`
`_finalized`                           part leaves out
`_linking_libraries`, `_final_module`  a kernel takes in all parts under it ...      `test_parts_play_alike`
`_get_module_for_linking`              ... and so does any other caller              `test_other_functions_call_rules`
`lookup_environment`, `set_env`        lets a part give values to its errors         `test_errors_are_heard`
`njit(_nrt=False)`, `Flags.nrt`        no references are counted to arrays           `test_who_borrows_makes_no_array`
`Flags.__eq__`, `Flags.__hash__`       key to what Numba has compiled of its own     `test_numba_compiles_its_own_once`
=====================================  ============================================  ==================================
"""

import dis
import os
from collections.abc import Callable, Mapping
from graphlib import TopologicalSorter
from typing import Any, ClassVar

import numba
from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
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
    GenericRewrites,
    ReconstructSSA,
    RewriteDynamicRaises,
    RewriteSemanticConstants,
    TranslateByteCode,
)

KNOWN = numba.version_info[:2] <= (0, 68)
"""Whether the tests have passed with parts of this version of Numba."""


def _wanted() -> bool:
    asked = os.environ.get("MANCALA_ENVS_PARTS", "")
    if asked not in ("", "0", "1"):
        raise ValueError(f"the environment variable MANCALA_ENVS_PARTS must be 0 or 1 or not set, got {asked!r}")
    debugging = numba.config.BOUNDSCHECK or numba.config.DEBUGINFO_DEFAULT or numba.config.DEBUG
    return asked == "1" or (not asked and KNOWN and not debugging)


ENABLED = _wanted()
"""Whether this process makes parts."""


def _libraries_under(library: JITCodeLibrary) -> list[JITCodeLibrary]:
    """Every library that `library` or a part under it calls, callers before those they call.

    LLVM takes in of a library only what is called already, so the order matters.
    """
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
        is_part = isinstance(library, _PartLibrary)
        module.link_in(library.code_of_part() if is_part else library._get_module_for_linking(), preserve=True)


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of one part. It is linked, optimised and made into machine code as a piece of a kernel only."""

    def finalize(self) -> None:
        self._finalized = True

    def code_of_part(self) -> Any:
        """The code of the part without what it calls; the kernel that links it links that too."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The code of the part with all that it calls, for callers that are no kernels: a user's own functions."""
        whole = self.code_of_part().clone()
        _link(whole, _libraries_under(self))
        return whole


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a kernel, which takes in all the parts under it before it becomes machine code."""

    def finalize(self) -> None:
        libraries = _libraries_under(self)
        _link(self._final_module, libraries)
        # Numba names a part by its function and by numbers that every process gives to types anew. Of kernels that were
        # compiled by several processes and come from the cache two parts may have one name: each keeps to its own.
        parts = [library.code_of_part() for library in libraries if isinstance(library, _PartLibrary)]
        own = {function.name for code in parts for function in code.functions if not function.is_declaration}
        for function in self._final_module.functions:
            if function.name in own:
                function.linkage = "internal"
        self._linking_libraries: list[JITCodeLibrary] = []
        super().finalize()


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    """Numba's last step for a kernel, with our library."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        changed = bool(super().run_pass(state))
        # Without its environment, a part could not give the number in the message of an error to Python.
        for variable in state.library._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                state.library.codegen.set_env(variable.name, environment)
        return changed


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    """Numba's last step for a part, which ends with LLVM code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba finds the code of a call by the compiled function. There is none, so any new object serves as the key;
        # Numba takes it as a key only if it is a builtin function.
        key: Any = [].append
        state.targetctx.insert_user_function(key, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _Flags(compiler.Flags):  # type: ignore[misc]
    """Compiler flags that count as equal, but for whether references are counted.

    Numba compiles functions of its own, such as `min` of an array, once for each set of flags from which they are
    called. The flags of kernels and of parts differ in nothing else that concerns such functions.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self.nrt == other.nrt)

    def __hash__(self) -> int:
        return int(self.nrt)


_RAISE = dis.opmap["RAISE_VARARGS"]
"""The instruction of `raise` and of `assert`, which need two steps that other rules do without."""


class _KernelCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's own steps, without those for Python that no rule uses: inner functions, `with`, inlined overloads."""

    lowering: ClassVar[type] = _KernelLowering

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        super().__init__(typing, target, library, args, returns, _Flags(flags), local)

    def define_pipelines(self) -> list[Any]:
        pipeline = PassManager("rule")
        raises = _RAISE in self.state.func_id.code.co_code[::2]
        for step in (
            TranslateByteCode,
            FixupArgs,
            RewriteSemanticConstants,
            *((GenericRewrites, RewriteDynamicRaises) if raises else ()),
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
    """What `numba.njit` must be told of a function that Python calls and that calls parts."""
    return {"pipeline_class": _KernelCompiler} if ENABLED else {}


def part(function: Callable[..., Any], settings: Mapping[str, Any]) -> Any:
    """A dispatcher that gives `function` to compiled callers. Python must not call it: there is nothing to call.

    `settings`: for `numba.njit`, as those of a kernel.
    """
    pipeline = {"pipeline_class": _PartCompiler} if ENABLED else {}
    return numba.njit(no_cpython_wrapper=True, **settings, **pipeline)(function)
