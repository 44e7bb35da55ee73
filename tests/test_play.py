"""Playing by hand: what may be said, what is told, and what is kept."""

import json
import subprocess
import sys

import numpy as np
import pytest
from programs import command

from mancala_envs import make_game
from mancala_envs.wrappers import replay
from scripts import play
from scripts.play import Conversation
from scripts.sitting import Sitting, worded


def sit(name="kalah", people=(0,), opponent="random", seed=1, position=None, **options):
    game = make_game(name, **options)
    start = game.init(1, seed) if position is None else game.load(seed, **position)
    return Sitting(game, start, people, opponent, seed)


def talk(sitting, *said):
    """Say this and no more; returns what was told, and the prompts."""
    told, prompts, lines = [], [], iter(said)

    def ask(prompt):
        prompts.append(prompt)
        return next(lines, None)

    Conversation(sitting, ask, told.append).run()
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
    sitting = sit(name, people=range(4 if name == "dongjintian" else 2))
    talk(sitting, *before)
    found = [sitting.game.action_names[action] for action in sitting.matching(said)]
    assert found == ([] if meant is None else [meant])


def test_words_that_fit_several_actions_mean_all_of_them():
    sitting = sit("ceelkoqyuqkoqiji", people=(0, 1))
    names = [sitting.game.action_names[action] for action in sitting.matching("own clock")]
    assert names == [f"lift own hole {hole}, sow clockwise" for hole in range(5)]
    told, _ = talk(sitting, "own clock")
    assert "which of these is 'own clock'?" in told and not sitting.actions


def test_what_is_not_understood_changes_nothing():
    sitting = sit()
    told, _ = talk(sitting, "9", "jump", "save", "hint chess", "undo", "save x")
    for said in ("no action is '9' here", "no action is 'jump'", "save FILE", "chess", "nothing to take back"):
        assert said in told
    assert "nothing was played yet" in told
    assert not sitting.actions


def test_several_decisions_of_one_turn_may_be_said_at_once():
    # The last seed of holes 5 and 4 falls into the own store: the turn goes on.
    position = {"holes": [1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}
    sitting = sit(people=(0, 1), position=position)
    told, _ = talk(sitting, "5; 4; 5; 0; 1")
    assert sitting.actions == [5, 4, 5, 0]
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
    assert max(map(len, rows)) <= play.WIDTH


def test_replies_are_told_and_forced_decisions_are_made():
    # One hole to lift, whose seed falls into the own store; then none, so that the game is over.
    told, prompts = talk(sit(position={"holes": [0, 0, 0, 0, 0, 1, 4, 4, 4, 4, 4, 4], "to_move": 0}))
    assert "player_0: lift own hole 5  (there was no other choice)" in told
    assert "player_1 wins; rewards: player_0 -1, player_1 +1" in told
    assert prompts == ["over: undo, save FILE or quit> "]
    told, _ = talk(sit(), "3")
    assert "player_0: lift own hole 3\nplayer_1 (random): lift own hole" in told


def test_where_pieces_can_come_to_is_named_by_the_action():
    sitting = sit(
        "pancha_keliya", people=(0, 1), position={"pieces": [[5, 0, 0], [0, 0, 0]], "throws": [1, 0, 0, 1, 0, 0]}
    )
    board = sitting.board(0)
    labels = {point.label: point for point in board.points if point.label}
    assert set(labels) == {str(action) for action in sitting.legal}
    (action,) = sitting.matching("use 4 on piece 0")
    sitting.play(action)
    there = sitting.game.board(sitting.state).points
    (moved,) = [point for point in there if point.man]
    assert (moved.x, moved.y) == (labels[str(action)].x, labels[str(action)].y)


def test_a_round_that_begins_tells_how_everyone_stands():
    sitting = sit("qelat", people=(), campaign=True, max_rounds=2)
    told, _ = talk(sitting, *[""] * 400)
    assert "\nround 2: player_0 owns " in told and " and is worth " in told
    assert "the game is over" in told


def test_what_agents_decide_in_secret_is_told_when_it_is_known():
    sitting = sit("ceelkoqyuqkoqiji", people=(1,), first="throw")
    before, _ = talk(sitting)
    finger = sitting.game.action_names[sitting.actions[0]]
    assert "player_0 (random): decides in secret" in before
    assert finger not in before.split("to_move")[0].split("  21")[0]
    after, _ = talk(sitting, "thumb")
    assert f"known now: player_0 (random): {finger}" in after


def test_a_hint_tells_what_a_search_thinks_of_every_action():
    # Hole 0 captures the nine seeds opposite.
    sitting = sit(position={"holes": [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 9, 1], "to_move": 0})
    before = sitting.state.tobytes()
    told, _ = talk(sitting, "hint minimax:1")
    hint = told[told.index("minimax:1 (") :].splitlines()
    assert "would play: lift own hole 0" in hint[0]
    assert {line.split()[1] for line in hint[1:5]} == {"0", "2", "3", "4"}
    assert sitting.state.tobytes() == before
    assert [worded(value, "mcts:9") for value in (-1, 0, 1)] == ["0%", "50%", "100%"]
    assert [worded(value, "minimax:9") for value in (-(2.0**40), 3, 2.0**39)] == ["loses", "+3", "wins"]


# Back, and again.


def test_undo_goes_back_to_the_last_choice_of_a_person():
    sitting = sit()
    talk(sitting, "3")
    later = sitting.state.copy()
    assert len(sitting.actions) > 1 and sitting.undo()
    assert not sitting.actions and sitting.state.tobytes() == sitting.states[0].tobytes()
    assert not sitting.undo()
    # The agent decides by the seed and by what was done.
    talk(sitting, "3")
    assert sitting.state.tobytes() == later.tobytes()


def test_undo_where_nobody_plays_takes_back_a_turn():
    sitting = sit("dongjintian", people=())
    talk(sitting, "", "")
    assert len(sitting.actions) > 2 and sitting.state["turn"][0] == 2
    talk(sitting, "undo")
    assert sitting.state["turn"][0] == 1


def test_the_seed_decides_luck_and_agents():
    def played(seed):
        sitting = sit("pancha_keliya", people=(), seed=seed)
        talk(sitting, *[""] * 5)
        return sitting.state.tobytes()

    assert played(1) == played(1) != played(2)


def test_a_game_is_saved_and_replayed(tmp_path):
    path = tmp_path / "games.jsonl"
    sitting = sit("pancha_keliya", people=())
    told, _ = talk(sitting, "", "", "", f"save {path}", "", f"save {path}", f"save {tmp_path}")
    assert told.count("saved: python") == 2 and "it was not saved: " in told
    first, second = map(json.loads, path.read_text().splitlines())
    *_, (game, state) = replay(second)
    assert game.text(state) == sitting.game.text(sitting.state)
    assert first["decisions"] == second["decisions"][: len(first["decisions"])]


def test_a_position_is_told_and_begun_from(monkeypatch, capsys):
    sitting = sit()
    told, _ = talk(sitting, "3", "position")
    line = told.splitlines()[-1]
    monkeypatch.setattr(sys, "argv", ["play.py", "kalah", "--position", line])
    begun, _ = play.prepared()
    assert begun.state["holes"].tolist() == sitting.state["holes"].tolist()
    assert begun.game.text(begun.state) == line


def test_several_people_play_and_the_first_legal_action_leads_to_an_end():
    sitting = sit(people=(0, 1))
    lines = []

    def ask(prompt):
        lines.append(prompt)
        return None if sitting.mover < 0 else str(sitting.legal[0])

    Conversation(sitting, ask, lines.append).run()
    assert {"player_0, lift a hole> ", "player_1, lift a hole> "} <= set(lines)
    assert sitting.mover < 0 and np.isin(sitting.state["winner"], (-1, 0, 1)).all()


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
        (("kalah", "--seat", "2"), "--seat must be 0..1, got 2"),
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
        play.prepared()
    assert said in capsys.readouterr().err
