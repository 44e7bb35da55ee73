"""Prompts: what they say, what they leave out, and that a reader can play by them."""

import re

import numpy as np
import pytest

from mancala_envs import REGISTRY, make_game
from mancala_envs.registry import distinct
from mancala_envs.text_play import TextGame, state_from_json, state_to_json

QUICK = ("kalah", "qelat", "dam", "asi_keliya")


def test_prompts_quote_the_rules_of_games_to_which_a_page_refers():
    found = {name: re.findall(r"(?m)^## (.*: .*)$", TextGame(name).rules) for name in distinct()}
    assert {name: others for name, others in found.items() if others} == {
        "bestemshe": ["Togyz Kumalak: Rules"],
        "walak_pussa": ["Puhulmutu: Rules", "Puhulmutu: The campaign"],
        "kotu_baendum": ["Puhulmutu: Rules", "Puhulmutu: The campaign"],
        "daramutu": ["Puhulmutu: Rules", "Puhulmutu: The campaign"],
        "baokujifunza": ["Bao la Kiswahili: Rules"],
        "hat_diviyan_keliya": ["Diviyan Keliya: Rules"],
        "pancha_keliya_complex": ["Pancha Keliya: Rules", "Kawade Kelia: Rules"],
        "kawade_kelia": ["Pancha Keliya: Rules"],
    }


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in REGISTRY])
def test_every_game_has_prompts_and_its_states_survive_json(name):
    game = make_game(name)
    state = game.init(1, seed=3)
    for step in range(12):
        mover = int(state["to_move"][0])
        if mover < 0:
            break
        prompt = TextGame(game).prompt(state)
        legal = np.flatnonzero(game.legal(state)[0])
        assert f"You are player_{mover}." in prompt and "## Rules" in prompt
        assert re.findall(r"(?m)^([0-9]+): ", prompt) == [str(action) for action in legal]
        again, restored = state_from_json(state_to_json(game, state))
        assert repr(again) == repr(game) and restored.tobytes() == state.tobytes()
        game.step(state, game.sample(state, step))


def test_the_parts_of_a_prompt_can_be_chosen():
    game = make_game("qelat")
    state = game.init(1, seed=0)
    full, short, none = (TextGame(game, rules).prompt(state) for rules in ("full", "short", "none"))
    assert len(full) > len(short) > len(none)
    assert "## Rules" in short and "## Rules" not in none
    assert "Not settled" in full and "Not settled" not in short
    assert "## Observation" not in full and "import" not in full
    assert "Legal actions" not in TextGame(game, list_actions=False).prompt(state)
    prompt = TextGame(game).prompt(state, ["player_1: something"], "action 9 is not legal now")
    assert "## Game so far\nplayer_1: something" in prompt and "not played: action 9 is not legal now." in prompt


@pytest.mark.parametrize("name", REGISTRY)
def test_full_rules_quote_every_section_of_the_rules(name):
    game = make_game(name)
    rules = TextGame(game, "full").rules
    assert "## Rules" in rules and rules.count("Not settled") == game.book.page.count("Not settled")
    assert rules.count("## The campaign") == game.book.page.count("## The campaign")


def test_wrong_arguments_are_refused():
    game = make_game("kalah")
    with pytest.raises(ValueError, match="'full', 'short', 'none'"):
        TextGame(game, "long")
    over = game.init(1, seed=0)
    while over["to_move"][0] >= 0:
        game.step(over, game.sample(over, 1))
    with pytest.raises(ValueError, match="the game is over"):
        TextGame(game).prompt(over)


@pytest.mark.slow
def test_a_prompt_holds_nothing_that_the_player_may_not_know():
    game = make_game("ceelkoqyuqkoqiji", columns=2, seeds=2, first="throw")
    assert game.has_secrets
    talk, found = TextGame(game), 0
    for seed in range(10):
        state = game.init(1, seed=seed)
        for step in range(6):
            mover = int(state["to_move"][0])
            prompt = talk.prompt(state)
            assert game.text(state, mover) in prompt and "chance=?" in prompt
            if game.text(state, 0) != game.text(state, 1):
                found += 1
                assert game.text(state, 1 - mover) not in prompt
            before = state.copy()
            game.step(state, game.sample(state, step))
            if game.text(state, 0) != game.text(state, 1):
                assert "decides in secret" in talk.describe(before, 0, state)
    assert found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "not JSON"),
        ("{}", "an object with the keys|a JSON object with the keys"),
        ('{"game": 1, "campaign": false, "options": {}, "position": ""}', "game must be of type str"),
        ('{"game": "kalah", "campaign": 0, "options": {}, "position": ""}', "campaign must be of type bool"),
        ('{"game": "kalah", "campaign": false, "options": {"columns": -1}, "position": ""}', "columns=-1"),
        ('{"game": "kalah", "campaign": false, "options": {}, "position": "oware"}', "kalah"),
    ],
)
def test_json_that_is_no_state_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        state_from_json(text)


# Legality, rebuilt from nothing but the prompt.

READ = ("holes", "board", "to_move")


def fields(prompt):
    """Read the board and the player to move from the state line of a prompt."""
    (line,) = re.findall(r"(?m)^`(.+ chance=.+)`$", prompt)
    pairs = (field.split("=") for field in line.split()[1:])
    return {name: [int(value) for value in values.split(",")] for name, values in pairs if name in READ}


def kalah(read):
    """Rule 1: "Lift one of your own holes that holds seeds"."""
    row = read["holes"][6 * read["to_move"][0] :][:6]
    return [hole for hole in range(6) if row[hole]]


def oware(read):
    """Rules 1 and 3: a hole with seeds, and one that feeds an opponent without seeds, if there is one."""
    mover = read["to_move"][0]
    row, other = (read["holes"][6 * player :][:6] for player in (mover, 1 - mover))
    own = [hole for hole in range(6) if row[hole]]
    return own if any(other) else [hole for hole in own if row[hole] + hole > 5]


def niranchy(read):
    """While pieces are in the hand: any free point."""
    return [point for point, piece in enumerate(read["board"]) if not piece]


@pytest.mark.parametrize(
    ("name", "rule", "steps"), [("kalah", kalah, 60), ("oware", oware, 120), ("niranchy", niranchy, 8)]
)
def test_legal_actions_follow_from_the_prompt(name, rule, steps):
    game, compared = make_game(name), 0
    talk = TextGame(game, rules="short", list_actions=False)
    for seed in range(5):
        state = game.init(1, seed=seed)
        for step in range(steps):
            if state["to_move"][0] < 0 or state["phase"][0] != 0:
                break
            assert rule(fields(talk.prompt(state))) == np.flatnonzero(game.legal(state)[0]).tolist()
            compared += 1
            game.step(state, game.sample(state, 1000 * seed + step))
    assert compared >= 30
