"""Playing in the terminal and the window: input, output and recordings."""

import json
import os
import subprocess
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from helpers.play import CAPTURE, UniformPolicy, make_session
from helpers.programs import command

from mancala_envs import make_game
from mancala_envs.play import terminal, window
from mancala_envs.play.session import resume_session, value_in_words
from mancala_envs.play.sowing import MOST_FRAMES, sowing_frames
from mancala_envs.play.spots import action_spots, hole_spot
from mancala_envs.play.terminal import TerminalGame
from mancala_envs.play.window import GameWindow
from mancala_envs.scripts import board, play
from mancala_envs.wrappers import replay


def type_in(session, *typed):
    """Type these lines; return the output and the prompts."""
    output, prompts, lines = [], [], iter(typed)

    def ask(prompt):
        prompts.append(prompt)
        return next(lines, None)

    TerminalGame(session, ask, output.append).run()
    return "\n".join(output), prompts


# Input.


@pytest.mark.parametrize(
    ("name", "before", "typed", "meant"),
    [
        ("kalah", (), "3", "lift own hole 3"),
        ("kalah", (), "Own HOLE 3", "lift own hole 3"),
        ("kalah", (), "l o h 3", "lift own hole 3"),
        ("kalah", (), "6", None),
        ("kalah", (), "", None),
        ("ceelkoqyuqkoqiji", (), "3 clock", "lift own hole 3, sow clockwise"),
        ("ceelkoqyuqkoqiji", (), "3 anti", "lift own hole 3, sow anticlockwise"),
        # The number of an action takes precedence over numbers in names.
        ("ceelkoqyuqkoqiji", (), "3", "lift own hole 3, sow anticlockwise"),
        ("dongjintian", ("2",), "e", "step east"),
        # Words that all names share, such as `step`, are ignored.
        ("dongjintian", ("2",), "s", "step south"),
        ("nerenchi_keliya", (), "23", "lay on or remove from point 23"),
    ],
)
def test_an_action_is_chosen_by_number_or_by_words_of_its_name(name, before, typed, meant):
    session = make_session(name)
    type_in(session, *before)
    found = [session.game.action_names[action] for action in session.matching(typed)]
    assert found == ([] if meant is None else [meant])


def test_ambiguous_words_match_all_their_actions():
    session = make_session("ceelkoqyuqkoqiji")
    names = [session.game.action_names[action] for action in session.matching("own clock")]
    assert names == [f"lift own hole {hole}, sow clockwise" for hole in range(5)]
    output, _ = type_in(session, "own clock")
    assert "'own clock' matches several actions:" in output and not session.actions


def test_unknown_input_changes_nothing():
    session = make_session(people=(0,))
    output, _ = type_in(session, "9", "jump", "save", "hint chess", "undo", "save x")
    unknown = ("'9' matches no legal action", "'jump' matches no legal action", "save FILE", "chess")
    for message in (*unknown, "nothing to undo", "there is nothing to save"):
        assert message in output
    assert not session.actions


@pytest.mark.parametrize(
    "typed",
    ["²", "٣", "9" * 5000, "-1", "0x1", "1e1", "\0", "\udcff", "3" + "; 3" * 5000],
    ids=lambda typed: ascii(typed[:9]),
)
def test_no_typed_line_ends_the_game(typed, tmp_path):
    lines = typed, f"hint {typed}", f"save {tmp_path}/none/{typed}", f"undo {typed}", "board"
    output, prompts = type_in(make_session(people=(0,)), *lines)
    assert "matches no legal action" in output or "the turn is over" in output
    assert len(prompts) == 6
    output.encode()


def test_several_decisions_of_a_turn_can_be_typed_at_once():
    # The last seed of holes 5 and 4 falls into the player's own store, so the turn continues.
    position = {"holes": [1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}
    session = make_session(position=position)
    output, _ = type_in(session, "5; 4; 5; 0; 1")
    assert session.actions == [5, 4, 5, 0]
    assert "the turn is over; not played: 1" in output


# Output.


def test_the_board_and_all_actions_are_shown():
    output, prompts = type_in(make_session(people=(0,)))
    assert "turn 0, player_0 to move" in output and "( 4)   ( 4)" in output
    assert [line for line in output.splitlines() if "lift" in line] == [f"  {n}  lift own hole {n}" for n in range(6)]
    assert prompts == ["player_0, lift a hole> "]


def test_many_actions_are_listed_in_columns():
    output, _ = type_in(make_session("nerenchi_keliya", people=(0,)))
    rows = [line for line in output.splitlines() if "lay on" in line]
    assert len(rows) == 12 and rows[0].count("lay on") == 2 and rows[0].split()[0] == "0"
    assert max(map(len, rows)) <= terminal.WIDTH


def test_replies_are_reported_and_forced_decisions_are_made():
    # The only seed falls into the player's own store; then there is nothing to lift, and the game is over.
    position = {"holes": [0, 0, 0, 0, 0, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}
    output, prompts = type_in(make_session(people=(0,), position=position))
    assert "player_0: lift own hole 5  (the only legal action)" in output
    assert "player_1 wins" in output and "You lost 1 : 24 (seeds in store and row)" in output
    assert prompts == ["over: undo, save FILE or quit> "]
    output, _ = type_in(make_session(people=(0,)), "3")
    assert "player_0: lift own hole 3\nplayer_1 (random): lift own hole" in output


@pytest.mark.slow
def test_reachable_points_are_labelled_with_the_action():
    position = {"pieces": [[5, 0, 0], [0, 0, 0]], "throws": [1, 0, 0, 1, 0, 0]}
    session = make_session("pancha_keliya", position=position)
    board = session.numbered_board(0)
    labels = {point.label: point for point in board.points if point.label}
    assert set(labels) == {str(action) for action in session.legal}
    (action,) = session.matching("use 4 on piece 0")
    session.play(action)
    there = session.game.board(session.state).points
    (moved,) = [point for point in there if point.piece]
    assert (moved.x, moved.y) == (labels[str(action)].x, labels[str(action)].y)


@pytest.mark.slow
def test_a_new_round_reports_the_standing():
    session = make_session("qelat", people=(), campaign=True, max_rounds=2)
    output, _ = type_in(session, *[""] * 400)
    assert "\nround 2: player_0 owns " in output and " and is worth " in output
    assert "the game is over" in output


def test_secret_decisions_are_hidden_until_they_are_revealed():
    session = make_session("ceelkoqyuqkoqiji", people=(1,), first="throw")
    output, _ = type_in(session, "thumb")
    finger = session.game.action_names[session.actions[0]]
    lines = [line for line in output.splitlines() if finger in line or "secret" in line or "thumb" in line]
    menu = [line for line in lines if line.startswith("  2")]
    assert [line for line in lines if line not in menu] == [
        "player_0 (random): decides in secret",
        "player_1: throw the thumb",
        f"revealed: player_0 (random): {finger}",
    ]
    assert len(menu) == 2


def test_a_hint_rates_every_action(tmp_path):
    session = make_session(people=(0,), position=CAPTURE)
    before = session.state.tobytes()
    output, _ = type_in(session, "hint minimax:1")
    hint = output[output.index("minimax:1 (") :].splitlines()
    assert "would play: lift own hole 0" in hint[0]
    assert {line.split()[1] for line in hint[1:5]} == {"0", "2", "3", "4"}
    assert session.state.tobytes() == before
    game_window = GameWindow(session, tmp_path)
    session.opponent = "minimax:1"
    game_window.key("h")
    assert game_window.remark == "minimax:1 would play: lift own hole 0" and set(game_window.hints) == {0, 2, 3, 4}
    assert [value_in_words(value, "mcts:9") for value in (-1, 0, 0.5)] == ["-1.00", "+0.00", "+0.50"]
    assert [value_in_words(value, "minimax:9") for value in (-(2.0**40), 3, 2.0**39)] == ["loses", "+3", "wins"]


def test_ctrl_c_cancels_a_hint_but_not_the_game(monkeypatch):
    session = make_session(people=(0,))

    def interrupted(agent):
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "analyse", interrupted)
    output, prompts = type_in(session, "hint", "3")
    assert "the hint was cancelled" in output and "player_0: lift own hole 3" in output and len(prompts) == 3


# Undo and repetition.


def test_undo_returns_to_the_last_choice_of_a_person():
    session = make_session(people=(0,))
    type_in(session, "3")
    later = session.state.copy()
    assert len(session.actions) > 1 and session.undo()
    assert not session.actions and session.state.tobytes() == session.state_after(0).tobytes()
    assert not session.undo()
    # The agent's decision depends only on the seed and the history.
    type_in(session, "3")
    assert session.state.tobytes() == later.tobytes()


def test_a_saved_model_depends_only_on_the_seed(tmp_path, monkeypatch):
    def loaded(path, deterministic):
        np.random.seed(0)  # As a model does that was trained with a seed.
        return UniformPolicy(deterministic=False)

    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", loaded)
    model = tmp_path / "model.zip"
    model.touch()
    chosen = {}
    for seed in range(8):
        session = make_session(people=(0,), opponent=str(model), seed=seed)
        before = np.random.get_state()[1].tobytes()
        type_in(session, "3")
        chosen[seed] = session.actions.copy()
        session.undo()
        type_in(session, "3")
        assert session.actions == chosen[seed]
        assert np.random.get_state()[1].tobytes() == before
    assert len(set(map(tuple, chosen.values()))) > 1


def test_past_states_are_played_again():
    session = make_session("oware", people=(0,), opponent="greedy")
    states = [session.state]
    while len(session.actions) < 40:
        session.play(session.legal[-1]) if session.awaits_person else session.reply()
        states.append(session.state)
    for number in np.random.default_rng(1).permutation(41).tolist():
        assert session.state_after(number).tobytes() == states[number].tobytes()
    choices = [number for number, state in enumerate(states[:-1]) if state["to_move"][0] == 0]
    for number in reversed(choices):
        assert session.undo()
        assert len(session.actions) == len(session.movers) == len(session.rewards) == number
        assert session.state.tobytes() == states[number].tobytes()
    assert not session.undo()


def test_a_long_game_takes_little_memory():
    session = make_session("oware", people=(), opponent="greedy")
    session.reply()
    tracemalloc.start()
    try:
        while session.mover >= 0 and len(session.actions) < 200:
            session.reply()
        resumed = resume_session(session.recording, (), "greedy", 1)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert resumed.state.tobytes() == session.state.tobytes()
    # One state alone takes 16 kB, because of its history.
    assert len(session.actions) * session.state.nbytes > 3 * 250_000 > 3 * used


def test_undo_between_agents_undoes_a_turn():
    session = make_session("dongjintian", people=())
    type_in(session, "", "")
    assert len(session.actions) > 2 and session.state["turn"][0] == 2
    type_in(session, "undo")
    assert session.state["turn"][0] == 1


def test_the_seed_determines_chance_and_agents():
    def played(seed):
        session = make_session("pancha_keliya", people=(), seed=seed)
        type_in(session, *[""] * 5)
        return session.state.tobytes()

    assert played(1) == played(1) != played(2)


def test_a_game_is_saved_and_replayed(tmp_path):
    path = tmp_path / "games.jsonl"
    session = make_session("pancha_keliya", people=())
    output, _ = type_in(session, "", "", "", f"save {path}", "", f"save {path}", f"save {tmp_path}")
    assert output.count("saved; to replay it: python") == 2 and "the game could not be saved: " in output
    first, second = map(json.loads, path.read_text().splitlines())
    *_, (game, state) = replay(second)
    assert game.text(state) == session.game.text(session.state)
    assert first["decisions"] == second["decisions"][: len(first["decisions"])]


def test_a_printed_position_can_be_started_from(monkeypatch):
    session = make_session(people=(0,))
    output, _ = type_in(session, "3", "position")
    line = output.splitlines()[-1]
    monkeypatch.setattr(sys, "argv", ["play.py", "kalah", "--position", line])
    sessions = []
    monkeypatch.setattr(play, "play_in_terminal", sessions.append)
    play.main()
    (begun,) = sessions
    assert begun.state["holes"].tolist() == session.state["holes"].tolist()
    assert begun.game.text(begun.state) == line


def test_input_that_is_not_text_does_not_end_the_program():
    program = command("scripts/play.py", "kalah", "--opponent", "random", "--seed", 5)
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(program, input=b"\xff\n\xc2\xb2\n3\n", env=strict, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    assert "player_0: lift own hole 3" in done.stdout.decode()


def test_two_people_play_a_game_to_its_end():
    session = make_session()
    lines = []

    def ask(prompt):
        lines.append(prompt)
        return None if session.mover < 0 else str(session.legal[0])

    TerminalGame(session, ask, lines.append).run()
    assert {"player_0, lift a hole> ", "player_1, lift a hole> "} <= set(lines)
    assert session.mover < 0 and np.isin(session.state["winner"], (-1, 0, 1)).all()


# The program.


@pytest.mark.slow
def test_the_end_of_the_input_ends_the_program():
    program = command("scripts/play.py", "kalah", "--opponent", "random", "--seed", 5)
    done = subprocess.run(program, input="3\nboard\n", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kalah, seed 5;") and "player_0: lift own hole 3" in done.stdout


@pytest.mark.parametrize("program", [play, board], ids=["play", "board"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("chess",), "argument GAME: there is no game 'chess'; there are kalah"),
        (("kalah", "--seat", "2"), "seat must be 0..1, got 2"),
        (("kalah", "--opponent", "nobody"), "an agent must be one of 'random', 'greedy', 'minimax:TURNS'"),
        (("kalah", "--opponent", "mcts:0"), "there is no agent 'mcts:0'"),
        (("kalah", "--option", "rows=3"), "no option 'rows'"),
        (("kalah", "--campaign"), "kalah has no campaign"),
        (("kalah", "--position", "oware x=1"), "the text is for 'oware'"),
        (("kalah", "--seed", "-1"), "seed must be"),
    ],
)
def test_invalid_arguments_are_explained(monkeypatch, capsys, program, arguments, message):
    monkeypatch.setattr(sys, "argv", ["play.py", *arguments])
    with pytest.raises(SystemExit):
        program.main()
    assert message in capsys.readouterr().err


# The window.


def make_window(tmp_path, *arguments, **options):
    """Make a window that saves recordings to games.jsonl."""
    return GameWindow(make_session(*arguments, **options), tmp_path / "games.jsonl")


def settle(game_window):
    """Let time pass until no animation runs and a person is to choose or the game is over."""
    while game_window.frames or (game_window.session.mover >= 0 and not game_window.session.awaits_person):
        game_window.wait(window.DECISION_PAUSE)


def test_a_click_on_a_hole_plays_its_only_action(tmp_path):
    game_window = make_window(tmp_path, people=(0,))
    own, other = game_window.spots[False, 3], game_window.spots[False, 9]
    game_window.click(*other)
    assert not game_window.session.actions and not game_window.picked
    game_window.click(own[0] + 10, own[1] - 10)
    assert game_window.session.actions == [3]
    # A frame for the lifted hole, and one for each of four seeds.
    assert len(game_window.frames) == 5
    game_window.wait(4 * window.SEED_PAUSE)
    assert len(game_window.frames) == 1
    game_window.wait(window.SEED_PAUSE)
    assert not game_window.frames
    game_window.wait(window.DECISION_PAUSE - 1)
    assert len(game_window.session.actions) == 1
    game_window.wait(1)
    assert len(game_window.session.actions) == 2
    # Only the changes of the agent's own decision are shown.
    assert sum(game_window.changed.values()) <= 0 and game_window.changed


def test_keys_that_are_no_digits_of_the_list_do_nothing(tmp_path):
    game_window = make_window(tmp_path)
    for name in ("²", "٣", "0", "9", "", "left shift", "[1]", "12"):
        game_window.key(name)
    assert not game_window.session.actions
    game_window.key("4")
    assert game_window.session.actions == [3]


def test_a_relay_that_never_ends_has_a_bounded_animation():
    # The move of hole 0 never ends, and is stopped after max_laps laps.
    holes = [8, 1, 18, 2, 1, 2, 4, 3, 7, 1, 0, 1]
    game, short = (make_game("qelat", max_laps=laps) for laps in (1000, 2))
    state = game.load(holes=holes)
    frames = sowing_frames(game, state, 0)
    assert len(frames) == MOST_FRAMES
    shorter = sowing_frames(short, short.load(holes=holes), 0)
    assert shorter == frames[: len(shorter)] and len(shorter) > 10


def test_an_ambiguous_click_narrows_the_choice_down(tmp_path):
    game_window = make_window(tmp_path, "ceelkoqyuqkoqiji")
    names = game_window.session.game.action_names
    assert len(game_window.choices) == 10
    game_window.click(*game_window.spots[False, 2])
    ways = ["lift own hole 2, sow anticlockwise", "lift own hole 2, sow clockwise"]
    assert [names[action] for action in game_window.choices] == ways
    game_window.key("escape")
    assert len(game_window.choices) == 10
    game_window.click(*game_window.spots[False, 2])
    game_window.key("2")
    assert names[game_window.session.actions[0]] == ways[1]


@pytest.mark.slow
def test_a_move_is_chosen_by_its_piece_and_destination(tmp_path):
    game_window = make_window(tmp_path, "peralikatuma")
    moves = action_spots(game_window.session)
    # Two men can move to the empty point 24.
    goals = [action for action, spots in moves.items() if (True, 24) in spots.end]
    assert len(goals) > 1
    game_window.click(*game_window.spots[True, 24])
    assert sorted(game_window.choices) == sorted(goals)
    (start,) = moves[goals[0]].start
    game_window.click(*game_window.spots[start])
    assert game_window.session.actions == [goals[0]]
    men = game_window.board.points
    assert men[24].piece == "o" and men[24].marked and not men[start[1]].piece


@pytest.mark.parametrize("name", ["kalah", "qelat", "ceelkoqyuqkoqiji", "dongjintian"])
def test_sowing_is_animated_seed_by_seed(name):
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
        # Each frame changes one place, and the frames lead to the final board.
        assert max(sum(one.pieces != other.pieces for one, other in step) for step in steps) <= 1


def test_games_on_points_have_no_sowing_frames():
    assert not sowing_frames(make_game("nerenchi_keliya"), make_game("nerenchi_keliya").init(1, 0), 3)


def test_a_click_or_a_key_skips_the_animation(tmp_path):
    for skip in (lambda window: window.click(*window.spots[False, 0]), lambda window: window.key("1")):
        game_window = make_window(tmp_path)
        game_window.key("4")
        between = game_window.draw()
        skip(game_window)
        assert not game_window.frames and game_window.session.actions == [3]
        assert (game_window.draw() != between).any()


def test_hole_numbers_are_relative_to_the_player_to_move():
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
    game_window = make_window(tmp_path, "dongjintian")
    game_window.click(*game_window.spots[False, 2])
    settle(game_window)
    names = game_window.session.game.action_names
    steps = {names[action]: spots.all for action, spots in game_window.action_spots.items()}
    assert steps == {"step west": {(False, 1)}, "step east": {(False, 3)}, "step south": {(False, 7)}}


def test_the_list_takes_clicks_and_the_wheel(tmp_path):
    game_window = make_window(tmp_path, "nerenchi_keliya")
    assert len(game_window.choices) == 24 > game_window.rows
    game_window.scroll(-100)
    last = game_window.shown()[-1]
    assert last == 23
    game_window.click(game_window.left + 50, game_window.top + (len(game_window.shown()) - 1) * window.LINE + 5)
    assert game_window.session.actions == [23]
    game_window.key("u")
    assert not game_window.session.actions


def test_the_window_saves_what_can_be_replayed(tmp_path):
    game_window = make_window(tmp_path)
    game_window.key("s")
    game_window.key("3")
    settle(game_window)
    game_window.key("s")
    assert "saved to" in game_window.remark
    (line,) = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(list(replay(json.loads(line)))) == 2


@pytest.mark.parametrize("name", ["kalah", "nerenchi_keliya", "pancha_keliya"])
def test_the_window_keeps_its_size_and_shows_changes(tmp_path, name):
    game_window = make_window(tmp_path, name)
    settle(game_window)
    begun = game_window.draw()
    assert begun.shape == (game_window.size[1], game_window.size[0], 3) and begun.dtype == np.uint8
    game_window.mouse = (game_window.left + 50, game_window.top + 5)
    assert (game_window.draw() != begun).any()
    game_window.mouse = (-1, -1)
    assert (game_window.draw() == begun).all()
    game_window.key("1")
    assert game_window.draw().shape == begun.shape and (game_window.draw() != begun).any()


def test_a_board_larger_than_the_screen_is_drawn_smaller(tmp_path):
    game_window = GameWindow(make_session(), tmp_path / "games.jsonl", max_size=(900, 600))
    assert game_window.size == (900, window.MIN_HEIGHT) and game_window.scale < 1
    game_window.click(*game_window.spots[False, 3])
    assert game_window.session.actions == [3]


def test_the_window_opens_handles_events_and_closes(tmp_path, monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    session = make_session()
    pressed, saved = (pygame.event.Event(pygame.KEYDOWN, key=key) for key in (pygame.K_4, pygame.K_s))
    moved = pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5))
    clicked = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5))
    events = iter([[pressed], [moved, clicked, saved], [pygame.event.Event(pygame.QUIT)]])
    monkeypatch.setattr(pygame.event, "get", lambda: next(events))
    window.play_in_window(session, tmp_path / "games.jsonl")
    assert session.actions == [3] and (tmp_path / "games.jsonl").is_file()
    assert not pygame.display.get_init()
