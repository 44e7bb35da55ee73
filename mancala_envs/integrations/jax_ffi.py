"""Entry points for XLA: compiled code of a game that a program of JAX calls on the CPU, without Python or its lock.

XLA's typed foreign function interface calls a handler with the address of a call frame, a structure in C. `handler`
reads the frame, plays, and writes the results into XLA's buffers. `register` makes a copy of it for each game.

The offsets are those of `xla/ffi/api/c_api.h`, which jaxlib ships and keeps compatible.
"""

import ctypes
import re
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray
from numba.core import types
from numba.extending import intrinsic

from mancala_envs.core.cache import fingerprint, keep
from mancala_envs.core.chance import mix, stream
from mancala_envs.core.contract import hide, observe
from mancala_envs.core.engine import Engine
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.kernels import LOSE, RAISE, finish, forfeit, fresh, may_play, move, pay, pick, write_mask
from mancala_envs.core.observation import row_of
from mancala_envs.core.parts import KernelCompiler
from mancala_envs.core.rule import rule

with needs_extra():
    import jax

LOOK, OBSERVE, BEGIN, PLAY, REDRAW = range(5)
"""Operations: change nothing, twice; start a game, play an action, or hide what the player to move may not know."""
FINE, FOREIGN, REFUSED, NO_PLAYER, BROKEN = range(5)
"""Results of `operate_loop` and `handler`."""
FAULTS = (
    "",
    "a record belongs to another game or has other options",
    "an action is illegal",
    "there is no such player",
    "the rules raised an error; Game.step raises it for the same state and action",
)
"""The message of each."""


@rule
def lose(s, rewards):
    """End the game because the player to move chose an illegal action: they lose 1, and the others share it."""
    for p in range(len(rewards)):
        rewards[p] = 1.0 / max(1, len(rewards) - 1)
    rewards[s.to_move] = -1.0
    forfeit(s)


@rule
def play_one(s, action, illegal, rewards):
    """Play any action in a game that is not over, and write `rewards` (P,). Return FINE or REFUSED."""
    if not may_play(s, action):
        if illegal == RAISE:
            return REFUSED
        if illegal == LOSE:
            lose(s, rewards)
            return FINE
        action = pick(s, mix(stream(s.chance, 1)))
    if move(s, action):
        for p in range(len(rewards)):
            rewards[p] = pay(s, p)
    return FINE


@rule
def operate_loop(
    states, rules, actions, operation, illegal, autoreset, words, rewards, observations, layout, masks, players, over
):
    """Do one operation in every game, in place, and write what a `State` shows. Return the first fault.

    Args:
        states: (n,) records.
        rules: the number of the game.
        actions: (n,) int32, the actions; for OBSERVE the players who observe.
        operation: LOOK, OBSERVE, BEGIN, PLAY or REDRAW.
        illegal: LOSE, RAISE or RANDOM.
        autoreset: whether a game that ends starts again.
        words: (W,) uint64, a buffer.
        rewards: (n, P) float32.
        observations: (n, D), except for OBSERVE of the player to move, and of player 0 in a game that is over.
        layout: the dtype of a row of `observations` as a record.
        masks: (n, A) uint8, the legal actions; all in a game that is over, so that no policy divides by zero.
        players: (n,) int32, the player to move; 0 in a game that is over.
        over: (n,) uint8, whether the game is over, or was before it started again.
    """
    for i in range(len(states)):
        s = states[i]
        if s.rules != rules:
            return FOREIGN
        if operation == OBSERVE and not 0 <= actions[i] < rewards.shape[1]:
            return NO_PLAYER
        for p in range(rewards.shape[1]):
            rewards[i, p] = 0.0
        if operation == BEGIN:
            s.ended = 0
            fresh(s)
            if s.ended:
                finish(s)
        elif s.to_move >= 0 and operation == PLAY:
            if play_one(s, actions[i], illegal, rewards[i]) == REFUSED:
                return REFUSED
        elif s.to_move >= 0 and operation == REDRAW:
            hide(s, s.to_move)
        over[i] = s.to_move < 0
        if over[i] and autoreset:
            fresh(s)
        players[i] = max(s.to_move, 0)
        observer = actions[i] if operation == OBSERVE else players[i]
        observe(s, observer, row_of(observations, i, layout))
        if s.to_move >= 0:
            write_mask(s, words, masks[i])
        else:
            for action in range(masks.shape[1]):
                masks[i, action] = 1
    return FINE


# The call frame.

_INT64, _INT32, _BYTES = ir.IntType(64), ir.IntType(32), ir.IntType(8).as_pointer()
METADATA = 1
"""The type of the extension by which XLA asks a handler for the version that it is compiled for."""
INVALID_ARGUMENT = 3
"""XLA's code of an error that is the caller's fault."""


@intrinsic
def read(typing: Any, address: Any) -> Any:
    """Return the 8 bytes at an address, int64 -> int64."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], _INT64.as_pointer()))

    return types.int64(types.int64), call


@intrinsic
def write(typing: Any, address: Any, value: Any) -> Any:
    """Write 8 bytes at an address."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], builder.inttoptr(arguments[0], _INT64.as_pointer()))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), call


@intrinsic
def at(typing: Any, address: Any) -> Any:
    """Return an address as a pointer, for `carray`."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], _BYTES)

    return types.voidptr(types.int64), call


@intrinsic
def error(typing: Any, create: Any, fault: Any) -> Any:
    """Return XLA's error with the message of `fault`; `create` is the address of `XLA_FFI_Error_Create`."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # {struct_size, extension_start, message, code}
        made = builder.alloca(ir.ArrayType(_INT64, 4))
        message = context.insert_const_string(builder.module, FAULTS[0])
        for number, text in enumerate(FAULTS):
            chosen = builder.icmp_signed("==", arguments[1], ir.Constant(arguments[1].type, number))
            message = builder.select(chosen, context.insert_const_string(builder.module, text), message)
        fields = (_INT64(28), _INT64(0), builder.ptrtoint(message, _INT64), _INT64(INVALID_ARGUMENT))
        for number, value in enumerate(fields):
            builder.store(value, builder.gep(made, [_INT32(0), _INT32(number)], inbounds=True))
        kind = ir.FunctionType(_INT64, [made.type])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [made])

    return types.int64(types.int64, types.int64), call


@rule(inline=True)
def data_of(buffers, number):
    """Return the address of the data of a buffer, in an array of addresses of buffers."""
    return read(read(buffers + 8 * number) + 24)


@rule(inline=True)
def attribute(attributes, number):
    """Return the value of an int64 attribute, in an array of addresses of scalars."""
    return read(read(read(attributes + 8 * number) + 8))


@rule
def games_of(buffer):
    """Return the number of games of a buffer with one number for each, whatever its shape."""
    games, dimensions = 1, read(buffer + 40)
    for axis in range(read(buffer + 32)):
        games *= read(dimensions + 8 * axis)
    return games


# Placeholders, which the copy of `handler` for a game replaces.
operate = operate_loop
RECORD, LAYOUT, NUMBER = np.dtype("u1"), np.dtype("u1"), np.dtype("u1")
RULES, WORDS, PLAYERS, ACTIONS, COLUMNS, VERSION = 0, 0, 0, 0, 0, 0


def handler(frame):
    """Do what the call frame at an address says. Return 0, or the address of an error.

    The arguments are records and actions; the results are records and the arrays that `operate_loop` writes, in its
    order; the attributes are `autoreset`, `illegal` and `operation`.
    """
    extension = read(frame + 8)
    if extension != 0 and read(extension + 8) & 0xFFFFFFFF == METADATA:
        write(read(extension + 24) + 24, VERSION)
        return 0
    arguments, results, attributes = read(frame + 72), read(frame + 112), read(frame + 160)
    n = games_of(read(arguments + 8))
    size = n * WORDS
    carray(at(data_of(results, 0)), size, np.int64)[:] = carray(at(data_of(arguments, 0)), size, np.int64)
    words = np.empty((ACTIONS + 63) // 64, np.uint64)
    try:
        fault = operate(
            carray(at(data_of(results, 0)), n, RECORD),
            RULES,
            carray(at(data_of(arguments, 1)), n, np.int32),
            attribute(attributes, 2),
            attribute(attributes, 1),
            attribute(attributes, 0),
            words,
            carray(at(data_of(results, 1)), (n, PLAYERS), np.float32),
            carray(at(data_of(results, 2)), (n, COLUMNS), NUMBER),
            LAYOUT,
            carray(at(data_of(results, 3)), (n, ACTIONS), np.uint8),
            carray(at(data_of(results, 4)), n, np.int32),
            carray(at(data_of(results, 5)), n, np.uint8),
        )
    except Exception:
        fault = BROKEN
    return error(read(read(frame + 16) + 48), fault) if fault else 0


@cache
def _version() -> int:
    """Return XLA's version of the interface as the two int32 that a handler answers with."""
    header = (Path(jax.ffi.include_dir()) / "xla/ffi/api/c_api.h").read_text()
    major, minor = (int(number) for number in re.findall(r"#define XLA_FFI_API_M\w+ (\d+)", header))
    if major:
        raise ImportError(f"version {major}.{minor} of XLA's foreign function interface is not known; 0.x is")
    return minor << 32


def register(game: Engine) -> str:
    """Register the compiled code of a game with XLA, and return the name of the target."""
    constants = {
        "operate": game.bind(operate_loop),
        "RECORD": game._kernel_dtype,
        "LAYOUT": game.layout,
        "NUMBER": game.observation_dtype,
        "RULES": game._rules,
        "WORDS": game.dtype.itemsize // 8,
        "PLAYERS": game.num_players,
        "ACTIONS": game.num_actions,
        "COLUMNS": len(game.observation_fields),
        "VERSION": _version(),
    }
    own = FunctionType(handler.__code__, {**globals(), **constants}, handler.__name__)
    own.__module__ = __name__
    compiled = numba.njit(
        pipeline_class=KernelCompiler, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=False
    )(own)
    keep(compiled)
    # XLA's own cache on disk stores this name, so it must say what the code does.
    name = f"mancala_envs_{game.name}_{fingerprint(compiled)}"
    with _LOCK:
        if name not in _REGISTERED:
            compiled.compile((types.int64,))
            (made,) = compiled.overloads.values()
            address = made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(ctypes.CFUNCTYPE(None)(address)), platform="cpu")
            _REGISTERED[name] = compiled
    return name


_REGISTERED: dict[str, Any] = {}
"""The handlers of this process by name, whose machine code must stay."""
_LOCK = Lock()
"""Held while a handler is registered, because XLA refuses a second one with the same name."""
