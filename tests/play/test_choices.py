"""The choices of people: keys that stay with their places, spots on the board, previews, and the rules as HTML."""

import re

import numpy as np
import pytest
from helpers.play import make_session

from mancala_envs import REGISTRY, make_game
from mancala_envs.core.page import sections
from mancala_envs.play import view
from mancala_envs.play.keys import keys_for, typed
from mancala_envs.play.markdown import html_of
from mancala_envs.play.numbered import draw_numbered, numbered_places
from mancala_envs.play.preview import in_short, preview
from mancala_envs.play.server import SharedSession
from mancala_envs.play.spots import action_spots

DECISIONS = 12
"""Random decisions after which a game's choices are examined."""
COUNTERS_TOGETHER = ("saturankam",)
"""Races in which an action moves two pieces, so that its key does not name one."""


def positions(name, decisions=DECISIONS):
    """Yield a session before each of some random decisions."""
    session, rng = make_session(name), np.random.default_rng(3)
    for _ in range(decisions):
        if session.mover < 0:
            return
        yield session
        session.play(int(rng.choice(session.legal)))


# Keys.


@pytest.mark.parametrize("name", REGISTRY)
def test_actions_that_can_be_legal_together_have_different_keys(name):
    game = make_game(name, campaign=REGISTRY[name].has_campaign)
    for player in range(2):
        keys, first = keys_for(game, player), 0
        assert len(keys) == game.num_actions
        taken = set()
        for kind in game.action_kinds:
            named = {(phase, key) for phase in kind.phases for key in keys[first : first + len(kind)]}
            assert len(named) == len(kind) * len(kind.phases) and not taken & named
            taken |= named
            first += len(kind)
        # These letters are commands of the page.
        assert not set("uh").intersection(*map(set, keys)) and not any(set("uh") & set(key) for key in keys)


@pytest.mark.parametrize("name", REGISTRY)
def test_a_key_names_its_place_in_every_turn(name):
    seen = {}
    for session in positions(name):
        board, spots = session.game.board(session.state), action_spots(session)
        keys = keys_for(session.game, session.mover)
        for action in session.legal:
            key = keys[action]
            assert seen.setdefault((session.mover, action), key) == key
            number, start = typed(key.split("-")[0]), spots[action].start or spots[action].end
            if not number.isdigit() or name in COUNTERS_TOGETHER:
                continue
            labels = set()
            for is_point, spot in start:
                if not is_point:
                    labels.add(board.places[spot].label)
                elif board.spots[spot].label:
                    labels.add(board.spots[spot].label)
                else:
                    labels |= set(map(str, board.spots[spot].numbers))
            assert number in labels, (action, key, session.names[action])


def test_keys_of_kinds_that_would_be_equal_end_with_a_letter():
    qelat, omweso = make_game("qelat", campaign=True), make_game("omweso")
    keys = dict(zip(qelat.action_names, keys_for(qelat, 0), strict=True))
    assert (keys["own row hole 2"], keys["other row hole 2"]) == ("2", "2-o")
    keys = dict(zip(omweso.action_names, keys_for(omweso, 0), strict=True))
    assert (keys["own hole 11, anticlockwise"], keys["own hole 11, clockwise"]) == ("11", "11-c")


# Spots.


def test_a_move_starts_at_its_piece_and_ends_where_it_leads():
    session = make_session("dam")
    spots = action_spots(session)
    (action,) = session.matching("42 37")
    assert spots[action].start == {(True, 42)} and spots[action].end == {(True, 37)}
    assert spots[action].offered(frozenset()) == {(True, 42)}
    assert spots[action].offered(frozenset({(True, 42)})) == {(True, 37)}
    # A jumped man is no spot to select.
    board = np.zeros(72, int)
    board[[42, 37, 5]] = 1, 2, 2
    session = make_session("dam", position={"board": board, "to_move": 0})
    (jump,) = session.matching("42 31")
    assert action_spots(session)[jump].all == {(True, 42), (True, 31)}


def test_waiting_and_finished_pieces_are_spots_beside_the_track():
    session = make_session("pancha_keliya", position={"pieces": [[0, 30, 5], [0, 0, 0]], "throws": [1, 0, 0, 0, 0, 0]})
    board = session.game.board(session.state)
    slots = {(True, len(board.points) + i): slot for i, slot in enumerate(board.aside)}
    assert [(slot.piece, slot.numbers) for slot in board.aside if slot.piece] == [
        ("a", (0,)), ("b", (0,)), ("b", (1,)), ("b", (2,)),
    ]  # fmt: skip
    spots = action_spots(session)
    enters, goes_home = (session.matching(f"use 1 on piece {piece}")[0] for piece in (0, 1))
    (waiting,) = spots[enters].start
    assert slots[waiting].numbers == (0,) and board.spots[min(spots[goes_home].start)[1]].numbers == (1,)
    (at_home,) = spots[goes_home].end
    session.play(goes_home)
    after = session.game.board(session.state).spots[at_home[1]]
    assert (after.piece, after.numbers) == ("a", (1,)) and at_home in slots


# Previews.


@pytest.mark.parametrize("name", REGISTRY)
def test_every_choice_has_a_preview_that_changes_nothing(name):
    for session in positions(name, 5):
        before = session.state.tobytes()
        for action in session.legal[:6]:
            found = preview(session, action)
            assert found.changed or found.words
            places = session.game.board(session.state).places
            if found.last is not None:
                is_point, spot = found.last
                assert not is_point and spot < len(places)
        assert session.state.tobytes() == before


def test_a_preview_of_a_sowing_says_where_its_last_seed_falls():
    session = make_session("kalah")
    found = preview(session, 3)
    assert found.last == (False, 6)
    assert found.changed == {(False, 3): -4, (False, 4): 1, (False, 5): 1, (False, 6): 1, (False, 12): 1}
    assert found.words == "lifts 4 from own hole 3; sows 4 from own hole 4 to other hole 0"
    assert preview(session, 2).last == (False, 12), "the store of player 0"
    # Seven laps: the last seed of the last one counts.
    session = make_session("qelat", position={"holes": [8, 1, 18, 2, 1, 2, 4, 3, 7, 1, 0, 1]}, max_laps=7)
    found = preview(session, 0)
    after = session.after(0)
    assert after.places[found.last[1]].pieces > 0 and " more); " in found.words


def test_a_preview_does_not_reveal_chance():
    session = make_session("pancha_keliya", position={"pieces": [[5, 0, 0], [0, 0, 0]], "throws": [1, 0, 0, 0, 0, 0]})
    (action,) = session.matching("use 1 on piece 0")
    assert preview(session, action).words == "piece a0 goes from place 5 to place 6"


def test_long_previews_leave_out_their_middle():
    assert in_short(list("abcd")) == "a; b; c; d"
    assert in_short(list("abcdefg")) == "a; ... (3 more); e; f; g"


def test_the_server_refuses_previews_of_illegal_actions():
    session = make_session("kalah")
    assert view.previewed(session, 2)["last"] == "place-12"
    with pytest.raises(ValueError, match=r"one of the actions \[0, 1, 2, 3, 4, 5\] of a person, got 7"):
        view.previewed(session, 7)
    shared = SharedSession(session)
    now = shared.revision
    assert shared.preview(now, 2) == view.previewed(session, 2) and shared.preview(now + 1, 2) is None


# The last move.


def test_the_last_move_is_all_decisions_that_a_player_makes_in_a_row():
    session = make_session("kalah")
    for action in (2, 5, 0):
        session.play(action)
    assert [session.move_before(number) for number in range(4)] == [0, 0, 0, 2]
    shown = view.scene(session, 2)
    assert set(shown["changed"]) == {f"place-{hole}" for hole in range(2, 10)} and shown["lifted"] == ["place-2"]


# Rules.


def test_markdown_becomes_html():
    text = """A *short* text with `<code>`
and <b>.

1. First,
   continued.
2. Second. **Loud.**

* A [link](page.md).

| a | b |
|---|---|
| 1 | x \\| y |

```
 11  10
```
### Smaller
End."""
    assert html_of(text).splitlines() == [
        "<p>A <em>short</em> text with <code>&lt;code&gt;</code> and &lt;b&gt;.</p>",
        "<ol><li>First, continued.</li><li>Second. <strong>Loud.</strong></li></ol>",
        "<ul><li>A link.</li></ul>",
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x | y</td></tr></table>",
        "<pre> 11  10</pre>",
        "<h4>Smaller</h4>",
        "<p>End.</p>",
    ]


@pytest.mark.parametrize("name", REGISTRY)
def test_the_rules_of_every_game_are_rendered(name):
    game = make_game(name)
    shown = view.game(name)["rules"]
    assert shown.startswith("<h3>Rules</h3>") and "<figure><svg" in shown
    left_out = {"Actions", "Position", "Observation", "Versions"} & set(sections(game.book.page))
    assert left_out and not any(f"<h3>{heading}</h3>" in shown for heading in left_out)
    text = shown[: shown.index("<svg")] + shown[shown.index("</svg>") :]
    assert "**" not in text and "`" not in text and "\n* " not in text and "|--" not in text
    picture, words = draw_numbered(game)
    board, (_, places, _) = game.board(game.init(1, seed=1)), numbered_places(game)
    on_board = [spot.label for spot in (board.points or board.places) if spot.label.isdigit()]
    numbers = re.findall("<text[^>]*>([^<]+)</text>", picture)
    assert words.endswith(".") and numbers == (on_board or [number for number in places if number])
