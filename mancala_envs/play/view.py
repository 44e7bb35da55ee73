"""Descriptions of a session as plain data, which the server sends to the page as JSON."""

from collections.abc import Sequence
from typing import Any

from mancala_envs.agents import Analysis
from mancala_envs.agents.common import WON
from mancala_envs.core.board import Board
from mancala_envs.core.options import Option
from mancala_envs.core.result import side_names, your_side
from mancala_envs.play.session import EVALUATION_AGENT, Session, value_in_words
from mancala_envs.play.sowing import sowing_frames
from mancala_envs.play.spots import Spot, action_spots, changes
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.render.film import line_numbers
from mancala_envs.render.svg import throw_in_words

Data = dict[str, Any]


def describe(session: Session) -> Data:
    """Describe the current session: the game, its players, the choices of the player to move, and the history."""
    game, mover = session.game, session.mover
    names, spots = session.names, action_spots(session) if session.awaits_person else {}
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
        "hint_agent": session.hint_agent,
        "seed": session.seed,
        "position": game.text(session.state),
        "mover": mover,
        "task": "" if mover < 0 else session.task,
        "result": session.result() if mover < 0 else "",
        "choices": [
            {"action": action, "name": names[action], "spots": sorted(map(spot_name, spots[action]))}
            for action in spots
        ],
        "standing": standing(session),
        "decisions": [session.describe(number) for number in range(len(session.actions))],
        "scene": scene(session, len(session.actions)),
    }


def scene(session: Session, number: int) -> Data:
    """Describe the board after `number` decisions, and the last of these decisions.

    Returns:
        A dictionary with these items:

        * `number`: the number of decisions.
        * `lines`, `pictures`: the frames of the last decision, the board itself last. Frames share most of their SVG,
          so each is a list of indices into `lines`.
        * `captions`: the lines of text below the board.
        * `explanation`: what the last decision did, line by line.
        * `changed`: for each spot that the last decision changed, the difference in the number of pieces.

    Raises:
        ValueError: if `number` exceeds the number of decisions made.
    """
    if number > len(session.actions):
        raise ValueError(f"number must be at most {len(session.actions)}, the decisions made so far, got {number}")
    board = session.board_after(number)
    explanation, changed, frames = list[str](), dict[Spot, int](), list[Board]()
    if number:
        before = session.state_after(number - 1)
        explanation = session.explain(number - 1)
        changed = changes(session.game.board(before), board)
        frames = sowing_frames(session.game, before, session.actions[number - 1])
    lines: dict[str, int] = {}
    pictures = [line_numbers(each, lines) for each in (*frames, board)]
    return {
        "number": number,
        "lines": list(lines),
        "pictures": pictures,
        "captions": [line for line in board.captions if line] + [throw_in_words(each) for each in board.throws or ()],
        "explanation": explanation,
        "changed": {spot_name(spot): difference for spot, difference in changed.items()},
    }


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
    """Describe a game: its title, rules, number of players and options.

    Raises:
        ValueError: if there is no game of that name.
    """
    made = make_game(name)
    book = made.book
    return {
        "game": name,
        "title": book.title,
        "page": book.page.strip(),
        "players": made.num_deciding,
        "has_campaign": book.campaign is not None,
        "options": [option(each, False) for each in book.options]
        + [option(each, True) for each in book.campaign_options],
    }


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
    """List all games by name and title."""
    return [{"game": entry.name, "title": entry.book.title} for entry in REGISTRY.values()]
