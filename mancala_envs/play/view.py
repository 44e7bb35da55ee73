"""Descriptions of a session as plain data, which the server sends to the page as JSON."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from mancala_envs.agents import Analysis
from mancala_envs.agents.common import WON
from mancala_envs.core.board import Board
from mancala_envs.core.options import Option
from mancala_envs.core.page import sections
from mancala_envs.core.result import side_names, your_side
from mancala_envs.game import Game
from mancala_envs.play.keys import keys_for
from mancala_envs.play.markdown import html_of
from mancala_envs.play.numbered import draw_numbered
from mancala_envs.play.preview import preview
from mancala_envs.play.session import EVALUATION_AGENT, Session, value_in_words
from mancala_envs.play.sowing import sowing_frames
from mancala_envs.play.spots import Spot, action_spots, changes, hole_spot
from mancala_envs.registry import REGISTRY, distinct, entry, make_game
from mancala_envs.render.film import line_numbers
from mancala_envs.render.layout import measure, target_size
from mancala_envs.render.svg import draw_throw

Data = dict[str, Any]

FOR_PROGRAMS = ("Actions", "Position", "Observation", "Versions")
"""The sections of a game's page that only authors of programs need."""
MIN_TARGET = 24
"""The least width and height in pixels of what people click or touch, as WCAG 2.2 requires at level AA."""


def describe(session: Session) -> Data:
    """Describe the current session: the game, its players, the choices of the player to move, and the history."""
    game, mover = session.game, session.mover
    return {
        "game": game.name,
        "title": game.book.title,
        "header": game.header,
        "campaign": game.campaign,
        "options": game.options,
        "players": [session.name(player) for player in range(game.num_players)],
        "people": sorted(session.people),
        "seats": game.num_deciding,
        "opponent": session.opponent,
        "seed": session.seed,
        "position": game.text(session.state),
        "mover": mover,
        "task": "" if mover < 0 else session.task,
        "result": session.result() if mover < 0 else "",
        "choices": choices(session) if session.awaits_person else [],
        "standing": standing(session),
        "decisions": [session.describe(number) for number in range(len(session.actions))],
        "scene": scene(session, len(session.actions)),
    }


def choices(session: Session) -> list[Data]:
    """Describe the legal actions: number, name, the key that selects it, and the spots where it starts and ends."""
    names, keys = session.names, keys_for(session.game, session.mover)
    return [
        {
            "action": action,
            "name": names[action],
            "key": keys[action],
            "start": sorted(map(spot_name, spots.start)),
            "end": sorted(map(spot_name, spots.end)),
        }
        for action, spots in action_spots(session).items()
    ]


def previewed(session: Session, action: int) -> Data:
    """Describe where a legal action of a person leads, see `Preview`.

    Raises:
        ValueError: if it is not a person's turn, or the action is not legal.
    """
    if not session.awaits_person or action not in session.legal:
        legal = session.legal if session.awaits_person else []
        raise ValueError(f"a preview must be of one of the actions {legal} of a person, got {action}")
    found = preview(session, action)
    return {
        "changed": {spot_name(spot): difference for spot, difference in found.changed.items()},
        "last": None if found.last is None else spot_name(found.last),
        "words": found.words,
    }


def scene(session: Session, number: int) -> Data:
    """Describe the board after `number` decisions, and the last of these decisions.

    Returns:
        A dictionary with these items:

        * `number`: the number of decisions.
        * `lines`, `pictures`: the frames of the last decision, the board itself last. Frames share most of their SVG,
          so each is a list of indices into `lines`.
        * `min_width`: the width in pixels below which the places of the pictures are too small to be touched.
        * `heading`, `captions`: the heading and the lines of text below the board, which the pictures leave out.
        * `throws`: pictures of the throws that are still to be used, as SVG.
        * `explanation`: what the last decision did, line by line.
        * `changed`: for each spot that the last move changed, the difference in the number of pieces. A move is all
          decisions that a player makes in a row.
        * `lifted`: the holes that the last move emptied first.

    Raises:
        ValueError: if `number` exceeds the number of decisions made.
    """
    if number > len(session.actions):
        raise ValueError(f"number must be at most {len(session.actions)}, the decisions made so far, got {number}")
    first = session.move_before(number)
    board = session.board_after(number, first)
    explanation, changed, frames = list[str](), dict[Spot, int](), list[Board]()
    if number:
        before = session.state_after(number - 1)
        explanation = session.explain(number - 1)
        changed = changes(session.game.board(session.state_after(first)), board)
        frames = sowing_frames(session.game, before, session.actions[number - 1])
    lines: dict[str, int] = {}
    pictures = [line_numbers(bare(each), lines) for each in (*frames, board)]
    return {
        "number": number,
        "lines": list(lines),
        "pictures": pictures,
        "min_width": min_width(bare(board)),
        "heading": board.heading,
        "captions": [line for line in board.captions if line],
        "throws": list(map(draw_throw, board.throws or ())),
        "explanation": explanation,
        "lifted": sorted(map(spot_name, lifted(session, first, number))),
        "changed": {spot_name(spot): difference for spot, difference in changed.items()},
    }


def bare(board: Board) -> Board:
    """Return a board without the words around it, which the page shows as text of readable size."""
    return replace(board, heading="", captions=(), throws=None)


def min_width(board: Board) -> int:
    """Return the width in pixels at which every spot of the board has room for a target of MIN_TARGET pixels."""
    return ceil(MIN_TARGET * measure(board)[0] / target_size(board))


def lifted(session: Session, first: int, number: int) -> frozenset[Spot]:
    """Return the hole that decision `first` lifted, if it was made before decision `number` and is no secret."""
    if first == number or session.is_secret(first):
        return frozenset()
    return hole_spot(session.game, session.state_after(first), session.actions[first])


def spot_name(spot: Spot) -> str:
    """Return the name that `draw_svg` gives to a spot."""
    is_point, number = spot
    return f"{'point' if is_point else 'place'}-{number}"


def standing(session: Session) -> Data | None:
    """Describe who owns and owes what in a campaign; None if the game is not a campaign."""
    game = session.game
    if not game.campaign:
        return None
    found = {name: value[0].tolist() for name, value in game.standing(session.state).items()}
    debts = found.get("debt", [])
    return {
        "round": found["round_number"],
        "owned": found["owned"],
        "worth": found["worth"],
        "debts": [
            {"from": debtor, "to": creditor, "seeds": seeds}
            for debtor, row in enumerate(debts)
            for creditor, seeds in enumerate(row)
            if seeds
        ],
    }


def analysis(session: Session, agent: str, found: Analysis) -> Data:
    """Describe what `agent` found about the current state: the best action, all values, the principal variation."""
    return {
        "agent": agent,
        "action": found.action,
        "value": value_in_words(found.value, agent),
        "values": {str(action): value_in_words(value, agent) for action, value in found.values.items()},
        "line": list(session.line(found.line)),
    }


def evaluations(session: Session) -> Data:
    """Describe the values of all positions of the game so far, as far as they are known.

    Returns:
        A dictionary with these items:

        * `agent`: the search.
        * `side`: the side whose advantage is positive, "you" if people play it.
        * `values`: for each number of decisions, None or a value from -1 (loss) to 1 (win). Leads are divided by twice
          the largest lead of the game.
        * `words`: the same in words, "" for None.
    """
    side = session.viewed_side
    called = "you" if side == your_side(session.game, session.people) else side_names(session.game)[side]
    numbers = range(len(session.actions) + 1)
    values = [session.evaluations.get(number) for number in numbers]
    unit = 2 * max([1.0, *(abs(value) for value in values if value is not None and abs(value) < WON / 2)])
    return {
        "agent": EVALUATION_AGENT,
        "side": called,
        "values": [None if value is None else max(-1.0, min(value / unit, 1.0)) for value in values],
        "words": ["" if value is None else evaluation_in_words(value, called) for value in values],
    }


def evaluation_in_words(value: float, side: str) -> str:
    """Return a value of `Session.evaluations` as text."""
    if abs(value) >= WON / 2:
        return f"won for {side}" if value > 0 else f"lost for {side}"
    shown = round(value, 1)
    return f"{shown:+g} for {side}" if shown else "even"


def game(name: str) -> Data:
    """Describe a game: its title, rules as HTML with a picture of the numbered places, number of players and options.

    Raises:
        ValueError: if there is no game of that name.
    """
    made = make_game(name)
    book = made.book
    return {
        "game": name,
        "title": book.title,
        "rules": rules(made),
        "players": made.num_deciding,
        "has_campaign": book.campaign is not None,
        "options": [option(each, False) for each in book.options]
        + [option(each, True) for each in book.campaign_options],
    }


def rules(made: Game) -> str:
    """Return the page of a game for people as HTML: the rules first, the facts last, and no tables for programs."""
    found = sections(made.book.page)
    facts = re.sub(r"\A# .*\n", "", found.pop(""))  # without the title
    picture, words = draw_numbered(made)
    parts = [
        f"## Rules\n{found.pop('Rules', '')}",
        *(f"## {heading}\n{body}" for heading, body in found.items() if heading not in FOR_PROGRAMS),
        f"## Facts\n{facts}",
    ]
    figure = f"<figure>{picture}<figcaption>{html_of(words)}</figcaption></figure>"
    first, *others = map(html_of, parts)
    return "\n".join([first, figure, *others])


def option(declared: Option, of_campaigns: bool) -> Data:
    """Describe an option: its default and its allowed values."""
    return {
        "name": declared.name,
        "default": declared.default,
        "choices": list(declared.choices),
        "allowed": declared.allowed,
        "of_campaigns": of_campaigns,
    }


def games() -> Sequence[Data]:
    """List all games once: the name, all names of the same rule book, and the title with the other names behind."""
    return [
        {"game": name, "names": names, "title": with_other_names(entry(name).book.title, names[1:])}
        for name in distinct()
        for names in [[each for each in REGISTRY if entry(each).book_module == entry(name).book_module]]
    ]


def with_other_names(title: str, names: Sequence[str]) -> str:
    """Return a title with the other names of the game, such as "Qelat (also Magazeb II)"."""
    others = [re.sub("(?<=[a-z])(?=[A-Z])", " ", entry(name).id_name) for name in names]
    return f"{title} (also {', '.join(others)})" if others else title
