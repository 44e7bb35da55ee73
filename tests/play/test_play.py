"""Playing by hand: what may be said, what is told, and what is kept."""

import json
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from helpers.programs import command

from mancala_envs import make_game
from mancala_envs.evaluation import agents
from mancala_envs.play import terminal, window
from mancala_envs.play.session import Session, value_in_words
from mancala_envs.play.sowing import sowing_frames
from mancala_envs.play.spots import action_spots, hole_spot
from mancala_envs.play.terminal import TerminalGame
from mancala_envs.play.window import GameWindow
from mancala_envs.scripts import play
from mancala_envs.wrappers import replay


def sit(name="kalah", people=(0,), opponent="random", seed=1, position=None, **options):
    game = make_game(name, **options)
    start = game.init(1, seed) if position is None else game.load(seed, **position)
    return Session(game, start, people, opponent, seed)


def talk(session, *said):
    """Say this and no more; returns what was told, and the prompts."""
    told, prompts, lines = [], [], iter(said)

    def ask(prompt):
        prompts.append(prompt)
        return next(lines, None)

    TerminalGame(session, ask, told.append).run()
    return "\n".join(told), prompts


# What may be said.


@pytest.mark.parametrize(
    ("name", "before", "said", "meant"),
    [
        ("kalah", (), "3", "lift own hole 3"),
        ("kalah", (), "Own HOLE 3", "lift own hole 3"),
        ("kalah", (), "l o h 3", "lift own hole 3"),
        ("kalah", (), "6", None),
        ("kalah", (), "", None),
        ("ceelkoqyuqkoqiji", (), "3 clock", "lift own hole 3, sow clockwise"),
        ("ceelkoqyuqkoqiji", (), "3 anti", "lift own hole 3, sow anticlockwise"),
        # The number of an action is that action, whatever else is called so.
        ("ceelkoqyuqkoqiji", (), "3", "lift own hole 3, sow anticlockwise"),
        ("dongjintian", ("2",), "e", "step east"),
        # Every step is called a step: that is not what is meant.
        ("dongjintian", ("2",), "s", "step south"),
        ("nerenchi_keliya", (), "23", "lay on or remove from point 23"),
    ],
)
def test_an_action_is_meant_by_its_number_or_by_words_of_its_name(name, before, said, meant):
    session = sit(name, people=range(4 if name == "dongjintian" else 2))
    talk(session, *before)
    found = [session.game.action_names[action] for action in session.matching(said)]
    assert found == ([] if meant is None else [meant])


def test_words_that_fit_several_actions_mean_all_of_them():
    session = sit("ceelkoqyuqkoqiji", people=(0, 1))
    names = [session.game.action_names[action] for action in session.matching("own clock")]
    assert names == [f"lift own hole {hole}, sow clockwise" for hole in range(5)]
    told, _ = talk(session, "own clock")
    assert "'own clock' matches several actions:" in told and not session.actions


def test_what_is_not_understood_changes_nothing():
    session = sit()
    told, _ = talk(session, "9", "jump", "save", "hint chess", "undo", "save x")
    for said in (
        "'9' matches no legal action",
        "'jump' matches no legal action",
        "save FILE",
        "chess",
        "nothing to undo",
    ):
        assert said in told
    assert "there is nothing to save" in told
    assert not session.actions


def test_several_decisions_of_one_turn_may_be_said_at_once():
    # The last seed of holes 5 and 4 falls into the own store: the turn goes on.
    position = {"holes": [1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}
    session = sit(people=(0, 1), position=position)
    told, _ = talk(session, "5; 4; 5; 0; 1")
    assert session.actions == [5, 4, 5, 0]
    assert "the turn is over; not played: 1" in told


# What is told.


def test_the_board_and_all_actions_are_shown_by_number_and_name():
    told, prompts = talk(sit())
    assert "turn 0, player_0 to move" in told and "( 4)   ( 4)" in told
    assert [line for line in told.splitlines() if "lift" in line] == [f"  {n}  lift own hole {n}" for n in range(6)]
    assert prompts == ["player_0, lift a hole> "]


def test_many_actions_stand_in_columns():
    told, _ = talk(sit("nerenchi_keliya"))
    rows = [line for line in told.splitlines() if "lay on" in line]
    assert len(rows) == 12 and rows[0].count("lay on") == 2 and rows[0].split()[0] == "0"
    assert max(map(len, rows)) <= terminal.WIDTH


def test_replies_are_told_and_forced_decisions_are_made():
    # One hole to lift, whose seed falls into the own store; then none, so that the game is over.
    told, prompts = talk(sit(position={"holes": [0, 0, 0, 0, 0, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}))
    assert "player_0: lift own hole 5  (the only legal action)" in told
    assert "player_1 wins" in told and "the game is over; rewards: player_0 -1, player_1 +1" in told
    assert prompts == ["over: undo, save FILE or quit> "]
    told, _ = talk(sit(), "3")
    assert "player_0: lift own hole 3\nplayer_1 (random): lift own hole" in told


@pytest.mark.slow
def test_where_pieces_can_come_to_is_named_by_the_action():
    session = sit(
        "pancha_keliya", people=(0, 1), position={"pieces": [[5, 0, 0], [0, 0, 0]], "throws": [1, 0, 0, 1, 0, 0]}
    )
    board = session.numbered_board(0)
    labels = {point.label: point for point in board.points if point.label}
    assert set(labels) == {str(action) for action in session.legal}
    (action,) = session.matching("use 4 on piece 0")
    session.play(action)
    there = session.game.board(session.state).points
    (moved,) = [point for point in there if point.man]
    assert (moved.x, moved.y) == (labels[str(action)].x, labels[str(action)].y)


@pytest.mark.slow
def test_a_round_that_begins_tells_how_everyone_stands():
    session = sit("qelat", people=(), campaign=True, max_rounds=2)
    told, _ = talk(session, *[""] * 400)
    assert "\nround 2: player_0 owns " in told and " and is worth " in told
    assert "the game is over" in told


def test_what_agents_decide_in_secret_is_told_when_it_is_known():
    session = sit("ceelkoqyuqkoqiji", people=(1,), first="throw")
    told, _ = talk(session, "thumb")
    finger = session.game.action_names[session.actions[0]]
    lines = [line for line in told.splitlines() if finger in line or "secret" in line or "thumb" in line]
    menu = [line for line in lines if line.startswith("  2")]
    assert [line for line in lines if line not in menu] == [
        "player_0 (random): decides in secret",
        "player_1: throw the thumb",
        f"revealed: player_0 (random): {finger}",
    ]
    assert len(menu) == 2


def test_a_hint_tells_what_a_search_thinks_of_every_action(tmp_path):
    # Hole 0 captures the nine seeds opposite.
    session = sit(position={"holes": [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 9, 1], "to_move": 0})
    before = session.state.tobytes()
    told, _ = talk(session, "hint minimax:1")
    hint = told[told.index("minimax:1 (") :].splitlines()
    assert "would play: lift own hole 0" in hint[0]
    assert {line.split()[1] for line in hint[1:5]} == {"0", "2", "3", "4"}
    assert session.state.tobytes() == before
    shown = GameWindow(session, tmp_path)
    session.opponent = "minimax:1"
    shown.key("h")
    assert shown.remark == "minimax:1 would play: lift own hole 0" and set(shown.hints) == {0, 2, 3, 4}
    assert [value_in_words(value, "mcts:9") for value in (-1, 0, 0.5)] == ["-1.00", "+0.00", "+0.50"]
    assert [value_in_words(value, "minimax:9") for value in (-(2.0**40), 3, 2.0**39)] == ["loses", "+3", "wins"]


# Back, and again.


def test_undo_goes_back_to_the_last_choice_of_a_person():
    session = sit()
    talk(session, "3")
    later = session.state.copy()
    assert len(session.actions) > 1 and session.undo()
    assert not session.actions and session.state.tobytes() == session.states[0].tobytes()
    assert not session.undo()
    # The agent decides by the seed and by what was done.
    talk(session, "3")
    assert session.state.tobytes() == later.tobytes()


def test_a_saved_model_decides_by_the_seed_too(tmp_path, monkeypatch):
    def policy(observations, masks):
        return (masks * np.random.random(masks.shape)).argmax(1)

    def loaded(path):
        np.random.seed(0)  # As a model does that was trained with a seed.
        return policy

    monkeypatch.setattr(agents, "load_policy", loaded)
    model = tmp_path / "model.zip"
    model.touch()
    chosen = {}
    for seed in range(8):
        session = sit(opponent=str(model), seed=seed)
        before = np.random.get_state()[1].tobytes()
        talk(session, "3")
        chosen[seed] = session.actions.copy()
        session.undo()
        talk(session, "3")
        assert session.actions == chosen[seed]
        assert np.random.get_state()[1].tobytes() == before
    assert len(set(map(tuple, chosen.values()))) > 1


def test_undo_where_nobody_plays_takes_back_a_turn():
    session = sit("dongjintian", people=())
    talk(session, "", "")
    assert len(session.actions) > 2 and session.state["turn"][0] == 2
    talk(session, "undo")
    assert session.state["turn"][0] == 1


def test_the_seed_decides_luck_and_agents():
    def played(seed):
        session = sit("pancha_keliya", people=(), seed=seed)
        talk(session, *[""] * 5)
        return session.state.tobytes()

    assert played(1) == played(1) != played(2)


def test_a_game_is_saved_and_replayed(tmp_path):
    path = tmp_path / "games.jsonl"
    session = sit("pancha_keliya", people=())
    told, _ = talk(session, "", "", "", f"save {path}", "", f"save {path}", f"save {tmp_path}")
    assert told.count("saved; to replay it: python") == 2 and "the game could not be saved: " in told
    first, second = map(json.loads, path.read_text().splitlines())
    *_, (game, state) = replay(second)
    assert game.text(state) == session.game.text(session.state)
    assert first["decisions"] == second["decisions"][: len(first["decisions"])]


def test_a_position_is_told_and_begun_from(monkeypatch):
    session = sit()
    told, _ = talk(session, "3", "position")
    line = told.splitlines()[-1]
    monkeypatch.setattr(sys, "argv", ["play.py", "kalah", "--position", line])
    sessions = []
    monkeypatch.setattr(play, "play_in_terminal", sessions.append)
    play.main()
    (begun,) = sessions
    assert begun.state["holes"].tolist() == session.state["holes"].tolist()
    assert begun.game.text(begun.state) == line


def test_several_people_play_and_the_first_legal_action_leads_to_an_end():
    session = sit(people=(0, 1))
    lines = []

    def ask(prompt):
        lines.append(prompt)
        return None if session.mover < 0 else str(session.legal[0])

    TerminalGame(session, ask, lines.append).run()
    assert {"player_0, lift a hole> ", "player_1, lift a hole> "} <= set(lines)
    assert session.mover < 0 and np.isin(session.state["winner"], (-1, 0, 1)).all()


# The program.


def test_the_end_of_the_input_ends_the_program():
    program = command("scripts/play.py", "kalah", "--opponent", "random", "--seed", 5)
    done = subprocess.run(program, input="3\nboard\n", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kalah, seed 5;") and "player_0: lift own hole 3" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "invalid choice: 'chess'"),
        (("kalah", "--seat", "2"), "seat must be 0..1, got 2"),
        (("kalah", "--opponent", "nobody"), "an agent must be one of 'random', 'greedy', 'minimax:TURNS'"),
        (("kalah", "--opponent", "mcts:0"), "there is no agent 'mcts:0'"),
        (("kalah", "--option", "rows=3"), "no option 'rows'"),
        (("kalah", "--campaign"), "kalah has no campaign"),
        (("kalah", "--position", "oware x=1"), "the text is for 'oware'"),
        (("kalah", "--seed", "-1"), "seed must be"),
    ],
)
def test_what_cannot_be_played_is_named(monkeypatch, capsys, arguments, said):
    monkeypatch.setattr(sys, "argv", ["play.py", *arguments])
    with pytest.raises(SystemExit):
        play.main()
    assert said in capsys.readouterr().err


# The window.


def table(tmp_path, *arguments, **options):
    """What the window shows, with recordings in games.jsonl."""
    return GameWindow(sit(*arguments, **options), tmp_path / "games.jsonl")


def settle(shown):
    """Until a person is asked, or the game is over, and all is shown."""
    while shown.frames or (shown.session.mover >= 0 and not shown.session.awaits_person):
        shown.wait(window.DECISION_PAUSE)


def test_a_click_on_a_hole_lifts_it_where_that_is_all_it_may_mean(tmp_path):
    shown = table(tmp_path)
    own, other = shown.spots[False, 3], shown.spots[False, 9]
    shown.click(*other)
    assert not shown.session.actions and not shown.picked
    shown.click(own[0] + 10, own[1] - 10)
    assert shown.session.actions == [3]
    # The lifted hole, and four seeds.
    assert len(shown.frames) == 5
    shown.wait(4 * window.SEED_PAUSE)
    assert len(shown.frames) == 1
    shown.wait(window.SEED_PAUSE)
    assert not shown.frames
    shown.wait(window.DECISION_PAUSE - 1)
    assert len(shown.session.actions) == 1
    shown.wait(1)
    assert len(shown.session.actions) == 2
    # Each agent's decision is seen by itself: what has changed are the seeds of its sowing.
    assert sum(shown.changed.values()) <= 0 and shown.changed


def test_a_click_that_may_mean_more_leaves_these_to_choose_from(tmp_path):
    shown = table(tmp_path, "ceelkoqyuqkoqiji", people=(0, 1))
    names = shown.session.game.action_names
    assert len(shown.choices) == 10
    shown.click(*shown.spots[False, 2])
    ways = ["lift own hole 2, sow anticlockwise", "lift own hole 2, sow clockwise"]
    assert [names[action] for action in shown.choices] == ways
    shown.key("escape")
    assert len(shown.choices) == 10
    shown.click(*shown.spots[False, 2])
    shown.key("2")
    assert names[shown.session.actions[0]] == ways[1]


@pytest.mark.slow
def test_a_man_and_where_he_goes(tmp_path):
    shown = table(tmp_path, "peralikatuma", people=(0, 1))
    moves = action_spots(shown.session)
    # Two men can go to the empty point 24 and beyond it to no other.
    goals = [action for action, spots in moves.items() if (True, 24) in spots]
    assert len(goals) > 1
    shown.click(*shown.spots[True, 24])
    assert sorted(shown.choices) == sorted(goals)
    start = next(iter(moves[goals[0]] - {(True, 24)}))
    shown.click(*shown.spots[start])
    assert shown.session.actions == [goals[0]]
    men = shown.board.points
    assert men[24].man == "o" and men[24].marked and not men[start[1]].man


@pytest.mark.parametrize("name", ["kalah", "qelat", "ceelkoqyuqkoqiji", "dongjintian"])
def test_sowing_is_shown_seed_by_seed(name):
    game = make_game(name)
    state = game.init(1, 0)
    for number in range(20):
        (action,) = game.sample(state, number).tolist()
        before = state.copy()
        boards = [game.board(before), *sowing_frames(game, before, action)]
        game.step(state, [action])
        boards.append(game.board(state))
        steps = [list(zip(one.places, other.places, strict=True)) for one, other in pairwise(boards)]
        assert all(one != other for one, other in pairwise(boards))
        # One place at a time: the last board is where they all led.
        assert max(sum(one.pieces != other.pieces for one, other in step) for step in steps) <= 1


def test_nothing_is_sown_on_points():
    assert not sowing_frames(make_game("nerenchi_keliya"), make_game("nerenchi_keliya").init(1, 0), 3)


def test_a_click_or_a_key_ends_a_sowing(tmp_path):
    for ends in (lambda shown: shown.click(*shown.spots[False, 0]), lambda shown: shown.key("1")):
        shown = table(tmp_path, people=(0, 1))
        shown.key("4")
        between = shown.draw()
        ends(shown)
        assert not shown.frames and shown.session.actions == [3]
        assert (shown.draw() != between).any()


def test_a_hole_lies_in_the_row_as_the_player_to_move_counts():
    qelat, grid = make_game("qelat"), make_game("dongjintian")
    own, other = (qelat.action_names.index(f"{whose} row hole 2") for whose in ("own", "other"))
    for mover, holes in ((0, (2, 8)), (1, (8, 2))):
        state = qelat.load(to_move=mover)
        assert [hole_spot(qelat, state, action) for action in (own, other)] == [{(False, hole)} for hole in holes]
    state = grid.load(to_move=2)
    assert hole_spot(grid, state, grid.action_names.index("lift hole 13")) == {(False, 13)}
    assert not hole_spot(grid, state, grid.action_names.index("step north"))
    four = make_game("ceelkoqyuqkoqiji", players=4)
    assert hole_spot(four, four.load(to_move=1), 3) == {(False, 8)}


def test_a_step_concerns_the_hole_it_goes_to(tmp_path):
    shown = table(tmp_path, "dongjintian", people=(0, 1, 2, 3))
    shown.click(*shown.spots[False, 2])
    settle(shown)
    names = shown.session.game.action_names
    steps = {names[action]: spots for action, spots in shown.action_spots.items()}
    assert steps == {"step west": {(False, 1)}, "step east": {(False, 3)}, "step south": {(False, 7)}}


def test_the_list_takes_clicks_and_the_wheel(tmp_path):
    shown = table(tmp_path, "nerenchi_keliya", people=(0, 1))
    assert len(shown.choices) == 24 > shown.rows
    shown.scroll(-100)
    last = shown.shown()[-1]
    assert last == 23
    shown.click(shown.left + 50, shown.top + (len(shown.shown()) - 1) * window.LINE + 5)
    assert shown.session.actions == [23]
    shown.key("u")
    assert not shown.session.actions


def test_the_window_saves_what_can_be_replayed(tmp_path):
    shown = table(tmp_path, people=(0, 1))
    shown.key("s")
    shown.key("3")
    settle(shown)
    shown.key("s")
    assert "saved to" in shown.remark
    (line,) = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(list(replay(json.loads(line)))) == 2


@pytest.mark.parametrize("name", ["kalah", "nerenchi_keliya", "pancha_keliya"])
def test_what_is_drawn_has_one_size_and_changes_with_the_game(tmp_path, name):
    shown = table(tmp_path, name, people=(0, 1))
    settle(shown)
    begun = shown.draw()
    assert begun.shape == (shown.size[1], shown.size[0], 3) and begun.dtype == np.uint8
    shown.mouse = (shown.left + 50, shown.top + 5)
    assert (shown.draw() != begun).any()
    shown.mouse = (-1, -1)
    assert (shown.draw() == begun).all()
    shown.key("1")
    assert shown.draw().shape == begun.shape and (shown.draw() != begun).any()


def test_a_board_larger_than_the_screen_is_drawn_smaller(tmp_path):
    shown = GameWindow(sit(people=(0, 1)), tmp_path / "games.jsonl", max_size=(900, 600))
    assert shown.size == (900, window.MIN_HEIGHT) and shown.scale < 1
    shown.click(*shown.spots[False, 3])
    assert shown.session.actions == [3]


def test_the_window_opens_hears_and_closes(tmp_path, monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    session = sit(people=(0, 1))
    pressed, saved = (pygame.event.Event(pygame.KEYDOWN, key=key) for key in (pygame.K_4, pygame.K_s))
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5))
    clicked = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5))
    events = iter([[pressed], [moved, clicked, saved], [pygame.event.Event(pygame.QUIT)]])
    monkeypatch.setattr(pygame.event, "get", lambda: next(events))
    window.play_in_window(session, tmp_path / "games.jsonl")
    assert session.actions == [3] and (tmp_path / "games.jsonl").is_file()
    assert not pygame.display.get_init()
