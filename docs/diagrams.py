"""Diagrams of the guides: an episode as each interface returns it, and the columns of an observation.

Everything in them is what the library returns. `pictures.py` saves them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from mancala_envs import Game, kalah_v0, make_game
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.render import draw_picture
from mancala_envs.render.layout import INK, MARKED, PAPER, PLAYERS, Colour, centres

Lines = Sequence[str]

WHITE: Colour = (255, 255, 255)
GREY: Colour = (226, 220, 209)
GAP = 6
"""Distance between the edge of a cell and the border of its column or row."""


class Sheet:
    """An image with texts and boxes."""

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGB", (width, height), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    def write(
        self, lines: Lines, at: tuple[float, float], size: int, colour: Colour = INK, anchor: str = "mm", bold: int = 0
    ) -> None:
        """Write lines around a point, the first `bold` of them in bold; `anchor` is as in Pillow."""
        top = at[1] - 1.4 * size * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            place, stroke = (at[0], top + 1.4 * size * number), 0.5 if number < bold else 0
            self._draw.text(place, line, colour, ImageFont.load_default(size), anchor, stroke_width=stroke)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour, outline: Colour = INK) -> None:
        """Draw a box with round corners."""
        self._draw.rounded_rectangle((left, top, right, bottom), 10, fill, outline, 2)


# An episode.

ENDING = {"holes": [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0], "store": [22, 24]}
"""A position of Kalah before the last four decisions, all forced."""
DECISIONS, DEAD_STEPS = 4, 2
CALLS = 3
"""Calls of a vector environment that the figure shows, from the step that ends the game."""
MODES = ("NextStep", "SameStep", "Disabled")
TEXT = 26
TITLES, START, DECISION, AFTER, CALL = 205, 150, 190, 200, 437
"""Widths of the titles of rows, and of the columns of both parts of the figure."""
LINE, TITLE_HEIGHT = 1.4 * TEXT, 84


@dataclass(frozen=True)
class Cell:
    """The results of calls, over the columns from `begin` to before `end`; the first line is bold."""

    begin: int
    end: int
    lines: Lines
    colour: Colour
    """Reddish or bluish by the player who decides; yellow if a reward is paid."""


def pale(player: int) -> Colour:
    """Return a light shade of a player's colour."""
    red, green, blue = ((part + 4 * 255) // 5 for part in PLAYERS[player])
    return red, green, blue


def paid(reward: float) -> str:
    return f"reward {reward:+.0f}" if reward else "reward 0"


def digits(mask: npt.NDArray[Any]) -> str:
    return "mask " + "".join(map(str, mask.astype(int)))


def forced(observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> Any:
    """The opponent: play the first legal action."""
    return masks.argmax(axis=-1)


def without_environment() -> tuple[list[Cell], list[Cell]]:
    """Return who decides, and what `Game.step` returns."""
    game = make_game("kalah")
    states = game.load(**ENDING)
    deciding, returned = [Cell(0, 1, ["start"], GREY)], [Cell(0, 1, ["load(...)"], GREY)]
    for number in range(1, DECISIONS + 1):
        player, action = int(states.to_move[0]), int(game.legal(states)[0].argmax())
        rewards = game.step(states, [action])[0]
        deciding.append(Cell(number, number + 1, [f"player_{player}", f"plays {action}"], pale(player)))
        lines = ["step", "rewards", ", ".join(f"{reward:+.0f}" if reward else "0" for reward in rewards)]
        returned.append(Cell(number, number + 1, lines, MARKED if rewards.any() else pale(player)))
    lines = ["the state", f"to_move {states.to_move[0]}", digits(game.legal(states)[0])]
    after = 1 + DECISIONS, 1 + DECISIONS + DEAD_STEPS
    result = game.result(states).split(" (")[0]
    return [*deciding, Cell(*after, [result], GREY)], [*returned, Cell(*after, lines, GREY)]


def as_agents() -> Iterator[Cell]:
    env = kalah_v0.env()
    env.reset(options={"position": ENDING})
    yield Cell(0, 1, ["reset()"], GREY)
    for number, agent in enumerate(env.agent_iter(), 1):
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            end = [agent, "last():", paid(reward), "terminated", digits(observation["action_mask"]), "step(None)"]
            yield Cell(number, number + 1, end, MARKED)
            env.step(None)
            continue
        action = int(observation["action_mask"].argmax())
        player = env.possible_agents.index(agent)
        yield Cell(number, number + 1, [agent, "last():", paid(reward), f"step({action})"], pale(player))
        env.step(action)


def as_learner(seat: int) -> Iterator[Cell]:
    env = gym.make("mancala_envs/Kalah-v0", opponent=forced, seat=seat)
    env.unwrapped.keep_actions()
    _, info = env.reset(options={"position": ENDING})
    begin, is_over = 1 + len(env.unwrapped.history[1]), False
    yield Cell(0, begin, ["reset()"] if begin == 1 else ["reset()", f"player_{1 - seat} moves"], GREY)
    while not is_over:
        action = info["action_mask"].argmax()
        _, reward, is_over, _, info = env.step(action)
        end = 1 + len(env.unwrapped.history[1])
        lines = [f"step({action})", paid(reward) + ", terminated" * is_over, digits(info["action_mask"])]
        if end == begin + 1 and is_over:
            lines[1:2] = [paid(reward), "terminated"]
        yield Cell(begin, end, lines, MARKED if reward else pale(seat))
        begin = end
    yield Cell(begin, begin + DEAD_STEPS, ["reset()", "starts the next episode"], GREY)


def names_of_observations() -> dict[bytes, str]:
    """Return the names of the observations of the learner at the end of the game, and in the next one."""
    env = gym.make("mancala_envs/Kalah-v0", opponent=forced, seat=0)
    found = {}
    observation, info = env.reset(options={"position": ENDING})
    is_over = False
    while not is_over:
        observation, _, is_over, _, info = env.step(info["action_mask"].argmax())
    found[observation.tobytes()] = "last observation of the old game"
    observation, info = env.reset()
    for number in range(1, CALLS + 1):
        found[observation.tobytes()] = f"observation {number} of the new game"
        observation, _, _, _, info = env.step(info["action_mask"].argmax())
    return found


def as_vector(mode: str) -> Iterator[Cell]:
    """Yield the step that ends a game, and the calls after it."""
    names = names_of_observations()
    envs = MancalaVectorEnv("kalah", 1, opponent=forced, seat=0, autoreset_mode=mode)
    _, infos = envs.reset(options={"position": ENDING})
    *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    action, must_reset = int(infos["action_mask"][0].argmax()), False
    for call in range(CALLS):
        if must_reset:
            observations, infos = envs.reset(options={"reset_mask": np.array([True])})
            lines, colour, must_reset = ["reset with reset_mask"], GREY, False
        else:
            observations, rewards, terminated, _, infos = envs.step(np.array([action]))
            ignored = mode == "NextStep" and call == 1
            lines = ["step(any action)" if ignored else f"step({action})"]
            lines += [paid(rewards[0]) + ", terminated" * bool(terminated[0])]
            colour = GREY if ignored else MARKED if rewards[0] else pale(0)
            must_reset = bool(terminated[0]) and mode == "Disabled"
        lines += [names[observations[0].tobytes()], digits(infos["action_mask"][0])]
        if "final_obs" in infos:
            last = infos["final_info"]["action_mask"][0]
            lines += ["final_obs:", names[infos["final_obs"][0].tobytes()], f"final_info: {digits(last)}"]
        action = int(infos["action_mask"][0].argmax())
        yield Cell(call, call + 1, lines, colour)


@dataclass(frozen=True)
class Part:
    """One part of the figure: rows of cells under a title."""

    title: str
    widths: Sequence[int]
    """The widths of the columns."""
    rows: dict[str, list[Cell]]

    @property
    def height(self) -> float:
        return TITLE_HEIGHT + sum(map(row_height, self.rows.values()))

    def draw(self, sheet: Sheet, top: float) -> None:
        sheet.write([self.title], (20, top + TITLE_HEIGHT / 2), TEXT + 6, anchor="lm", bold=1)
        top += TITLE_HEIGHT
        for name, cells in self.rows.items():
            bottom = top + row_height(cells)
            sheet.write(name.split("\n"), (20, (top + bottom) / 2), TEXT, anchor="lm", bold=1)
            for cell in cells:
                left, right = (TITLES + sum(self.widths[:column]) for column in (cell.begin, cell.end))
                sheet.box(left + GAP, top + GAP, right - GAP, bottom - GAP, cell.colour)
                sheet.write(cell.lines, ((left + right) / 2, (top + bottom) / 2), TEXT, bold=1)
            top = bottom


def row_height(cells: Sequence[Cell]) -> float:
    return LINE * max(len(cell.lines) for cell in cells) + 2 * GAP + 20


def episode() -> Image.Image:
    """Return the figure of an episode: a timeline of its last decisions, and the autoreset modes."""
    deciding, returned = without_environment()
    interfaces = {
        "who decides": deciding,
        "Game.step": returned,
        "PettingZoo,\nboth agents": [*as_agents()],
        "Gymnasium,\nseat=0": [*as_learner(0)],
        "Gymnasium,\nseat=1": [*as_learner(1)],
    }
    modes = {mode: [*as_vector(mode)] for mode in MODES}
    widths = [START, *[DECISION] * DECISIONS, *[AFTER] * DEAD_STEPS]
    upper = Part("The last four decisions of a game, as each interface sees them", widths, interfaces)
    lower = Part("Vector environment: what the row of this game holds, seat=0", [CALL] * CALLS, modes)
    sheet = Sheet(TITLES + CALLS * CALL + 20, round(upper.height + lower.height) + 30)
    upper.draw(sheet, 0)
    lower.draw(sheet, upper.height)
    return sheet.image


# An observation.

TAG, HEAD = (44, 30), 46
"""Size of the tag with the number of a column, and height of the titles."""
COLUMN, VALUE = 50, 46
"""Width of a column of the row, and height of its value."""


def column_of(place: int, player: int) -> int:
    """Return the column in which `player` observes a place of Kalah, the stores last."""
    game = make_game("kalah")
    states = game.init(2, seed=1)
    holes = states.holes.shape[1]
    if place < holes:
        states.holes[1, place] += 1
    else:
        states.store[1, place - holes] += 1
    (column,) = np.flatnonzero(np.diff(game.observe(states, player), axis=0)[0])
    return int(column)


def observation() -> Image.Image:
    """Return the figure of an observation: for both players the numbers of the columns on the board, and the row."""
    game = make_game("kalah")
    states = game.init(1, seed=3, opening=7)
    drawn = [observed_by(game, states, player) for player in range(2)]
    image = Image.new("RGB", (drawn[0].width, sum(part.height for part in drawn)), PAPER)
    for player, part in enumerate(drawn):
        image.paste(part, (0, player * part.height))
    return image


def observed_by(game: Game, states: Any, player: int) -> Image.Image:
    """Return the board with the numbers of the player's columns, above the player's observation."""
    board = game.board(states)
    board = replace(board, heading="", places=tuple(replace(place, label="") for place in board.places))
    picture = Image.fromarray(draw_picture(board))
    sheet = Sheet(picture.width, picture.height + HEAD + 170)
    title = f"player_{player} observes" + ", and is to move" * bool(states.to_move[0] == player)
    sheet.write([title], (22, HEAD / 2 + 8), 24, PLAYERS[player], "lm", bold=1)
    sheet.image.paste(picture, (0, HEAD))
    for place, (x, y) in enumerate(centres(board)[0]):
        tag(sheet, x, HEAD + y - (80 if board.places[place].tray else 36), column_of(place, player))
    colours = {"own": pale(player), "other": pale(1 - player)}
    (row,) = game.observe(states, player)
    left, top, number = (picture.width - COLUMN * len(row)) / 2, HEAD + picture.height + 20, 0
    for kind in game.column_kinds:
        begin = left + COLUMN * number
        for _ in range(len(kind)):
            x = left + COLUMN * number
            tag(sheet, x + COLUMN / 2, top, number)
            colour = colours.get(kind.name.split("_")[0], WHITE)
            sheet.box(x, top + 24, x + COLUMN, top + 24 + VALUE, colour)
            sheet.write([str(row[number])], (x + COLUMN / 2, top + 24 + VALUE / 2), 22)
            number += 1
        middle = (begin + left + COLUMN * number) / 2
        words = [f"{kind.name}[0..{len(kind) - 1}]"] if len(kind) > 1 else kind.name.split("_")
        sheet.write(words, (middle, top + 24 + VALUE + 14 + 11 * len(words)), 18)
    return sheet.image


def tag(sheet: Sheet, x: float, y: float, number: int) -> None:
    """Draw the number of a column."""
    width, height = TAG
    sheet.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, MARKED)
    sheet.write([str(number)], (x, y), 20, bold=1)
