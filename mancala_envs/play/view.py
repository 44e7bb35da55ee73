"""What the page is told of a session, as plain data for JSON."""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.board import Board
from mancala_envs.core.options import Option
from mancala_envs.play.session import Session, worded
from mancala_envs.play.sowing import sown
from mancala_envs.play.spots import Spot, changes, touched
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.render.film import by_lines
from mancala_envs.render.svg import throw_in_words

Data = dict[str, Any]


def describe(session: Session) -> Data:
    """The game as it is, who decides what, and how it came to be."""
    game, mover = session.game, session.mover
    names, spots = session.names, touched(session) if session.is_asking else {}
    return {
        "game": game.name,
        "title": game.book.title,
        "header": game.header,
        "campaign": game.campaign,
        "options": game.options,
        "players": [session.name(player) for player in range(game.num_players)],
        "people": sorted(session.people),
        "opponent": session.opponent,
        "hint_by": session.hint_by,
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
        "decisions": [session.told(number) for number in range(len(session.actions))],
        "scene": scene(session, len(session.actions)),
    }


def scene(session: Session, number: int) -> Data:
    """The board after `number` decisions, what the last of them did in words and numbers, and how it went.

    `pictures`: how it went step by step, the last one is the board; each by the numbers of its `lines`, SVG documents
    in which many are the same. `captions`: what stands below the board.

    Raises ValueError for a number that is too large.
    """
    if number > len(session.actions):
        raise ValueError(f"there were only {len(session.actions)} decisions, got {number}")
    board = session.board_after(number)
    told, changed, film = list[str](), dict[Spot, int](), list[Board]()
    if number:
        before = session.states[number - 1]
        told = session.explain(number - 1)
        changed = changes(session.game.board(before), board)
        film = sown(session.game, before, session.actions[number - 1])
    lines: dict[str, int] = {}
    pictures = [by_lines(each, lines) for each in (*film, board)]
    return {
        "number": number,
        "lines": list(lines),
        "pictures": pictures,
        "captions": [line for line in board.captions if line] + [throw_in_words(each) for each in board.throws or ()],
        "told": told,
        "changed": {spot_name(spot): more for spot, more in changed.items()},
    }


def spot_name(spot: Spot) -> str:
    """As pictures name it."""
    is_point, number = spot
    return f"{'point' if is_point else 'place'}-{number}"


def standing(session: Session) -> Data | None:
    """Who owns and owes what in a campaign; None where there is none."""
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


def opinion(session: Session, agent: str) -> Data:
    """What a search thinks of every action, and how it would go on. Raises ValueError for who has no opinion."""
    found = session.analysed(agent)
    return {
        "agent": agent,
        "action": found.action,
        "value": worded(found.value, agent),
        "values": {str(action): worded(value, agent) for action, value in found.values.items()},
        "line": list(session.line(found.line)),
    }


def game(name: str) -> Data:
    """What players of a game agree on before it begins, and its page. Raises ValueError for what is no game."""
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
    """An option: what it is by default, and what is allowed."""
    return {
        "name": declared.name,
        "default": declared.default,
        "choices": list(declared.choices),
        "allowed": declared.allowed,
        "of_campaigns": of_campaigns,
    }


def games() -> Sequence[Data]:
    """All games by name and title."""
    return [{"game": entry.name, "title": entry.book.title} for entry in REGISTRY.values()]
