"""What a board looks like, as plain data: a game describes it, `render` draws it as text or picture."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """One hole or store. `x`, `y` are its centre in hole widths, y downwards; `width` of a store may differ from 1."""

    x: float
    y: float
    seeds: int
    label: str = ""
    owner: int = -1
    """Player whose colour the rim has; -1 none."""
    mark: int = -1
    """Player whose colour fills the place (a captured hole, say); -1 none."""
    height: float = 1.0


@dataclass(frozen=True)
class Board:
    """All places, and lines of words above and below."""

    places: tuple[Place, ...]
    heading: str = ""
    captions: tuple[str, ...] = field(default_factory=tuple)


def two_rows(s, labels=None, owners=None, marks=None, captions=()):
    """South's row below, North's above and turned round, the stores at the right hand of their owners."""
    columns = len(s.holes) // 2
    places = []
    for hole in range(2 * columns):
        south = hole < columns
        places.append(
            Place(
                x=1.0 + (hole if south else 2 * columns - 1 - hole),
                y=1.0 if south else 0.0,
                seeds=int(s.holes[hole]),
                label=labels[hole] if labels else str(hole % columns),
                owner=int(owners[hole]) if owners is not None else hole // columns,
                mark=int(marks[hole]) if marks is not None else -1,
            )
        )
    for player, x in ((0, columns + 1.0), (1, 0.0)):
        places.append(Place(x=x, y=0.5, seeds=int(s.store[player]), label=f"P{player}", owner=player, height=2.0))
    return Board(places=tuple(places), heading=standing(s), captions=tuple(captions))


def standing(s):
    """Round, turn and who is to move, or how it ended."""
    if s.to_move >= 0:
        now = f"player_{s.to_move} to move"
    else:
        now = "draw" if s.winner < 0 else f"player_{s.winner} wins"
    round_number = f"round {s.round_number}, " if s.round_number > 1 else ""
    return f"{round_number}turn {s.turn}, {now}"
