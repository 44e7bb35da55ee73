"""Training with Stable-Baselines3: the adapters, and scripts/train.py run as a program."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from itertools import product
from multiprocessing import active_children
from pathlib import Path
from zipfile import is_zipfile

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from helpers.programs import ROOT, logged, refused, train, until_learning
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from mancala_envs import make_game
from mancala_envs.agents import load_network, load_policy
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League, evaluate
from mancala_envs.learning import ppo
from mancala_envs.learning.results import POINT_GAMES, saved_curve
from mancala_envs.learning.settings import VALUES, Settings
from mancala_envs.programs.files import atomic_write
from mancala_envs.scripts.train import main
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, late_starts
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot


def vec_env(name="kalah", n=8, **arguments):
    return MancalaVecEnv(MancalaVectorEnv(name, n, autoreset_mode="SameStep", **arguments))


def policy_model(envs, **changed):
    settings = {"n_steps": 16, "batch_size": 64, "n_epochs": 1, "device": "cpu", "seed": 0} | changed
    return MaskablePPO("MlpPolicy", envs, **settings)


def test_only_same_step_environments_are_accepted():
    with pytest.raises(ValueError, match="autoreset_mode='SameStep', not 'NextStep'"):
        MancalaVecEnv(MancalaVectorEnv("kalah", 2))
    with pytest.raises(ValueError, match="not 'Disabled'"):
        MancalaVecEnv(ChangeOfWorth(MancalaVectorEnv("qelat", 2, campaign=True, autoreset_mode="Disabled")))


def test_masks_are_available_to_maskable_ppo():
    envs = vec_env()
    assert repr(envs) == "MancalaVecEnv(MancalaVectorEnv(kalah, num_envs=8))"
    envs.seed(1)
    envs.reset()
    assert is_masking_supported(envs)
    np.testing.assert_array_equal(get_action_masks(envs), envs.envs.action_masks())


def test_infos_at_the_end_have_the_last_observation_and_the_episode():
    envs = vec_env(seat=0)
    envs.seed(1)
    observations = envs.reset()
    returns, lengths, episodes = np.zeros(8), np.zeros(8, int), 0
    for _ in range(120):
        before = observations
        observations, rewards, dones, infos = envs.step(get_action_masks(envs).argmax(axis=1))
        returns += rewards
        lengths += 1
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == returns[i] == rewards[i]
            assert infos[i]["episode"]["l"] == lengths[i]
            assert not infos[i]["TimeLimit.truncated"]
            final = infos[i]["terminal_observation"]
            assert final.shape == before[i].shape
            assert infos[i]["opponent"].tolist() == [0]
            assert final[15] == 1  # the column for the end of the game
            assert observations[i][15] == 0
            returns[i], lengths[i], episodes = 0, 0, episodes + 1
        assert all(info == {} for info, done in zip(infos, dones, strict=True) if not done)
    assert episodes > 8


def test_counts_are_scaled_and_one_hot_encoded():
    space = MancalaVectorEnv("kalah", 1).single_observation_space
    extractor = CountsExtractor(space, levels=4)
    observation = torch.zeros(1, 17)
    observation[0, 0], observation[0, 14] = 3, 1
    features = extractor(observation)[0]
    assert features.shape == (extractor.features_dim,) == (17 + 15 * 4,)
    assert features[0] == 3 / 48
    assert features[14] == 1
    assert features[17:21].tolist() == [0, 0, 0, 1]
    assert features[21:25].tolist() == [1, 0, 0, 0]


def test_self_play_starts_against_the_first_member_and_adds_snapshots():
    envs = vec_env(n=16)
    model = policy_model(envs)
    mixtures = []
    original = envs.envs.set_opponent
    envs.envs.set_opponent = lambda mixture: mixtures.append(mixture) or original(mixture)
    league = League(share=0.5, keep=2)
    model.learn(2048, callback=SelfPlay(league, after=512, every=512))
    assert mixtures[0].opponents == ("random",)
    assert [mixture.numbers for mixture in mixtures[1:3]] == [(0, 1, 2), (0, 1, 2, 3)]
    assert mixtures[1].opponents[:2] == ("random", "greedy")
    assert len(mixtures[-1].opponents) == 4  # two compiled, two snapshots
    assert len(league.members) == 2 + 4
    assert sum(mixtures[-1].weights) == pytest.approx(1)
    assert sum(mixtures[-1].weights[2:]) == pytest.approx(0.5)


@pytest.mark.parametrize("reset", [True, False])
def test_a_second_call_of_learn_continues_against_the_league(reset):
    envs = vec_env(n=16)
    model, self_play, mixtures = policy_model(envs), SelfPlay(after=512, every=512), []
    model.learn(1024, callback=self_play)
    members = len(self_play.league.members)
    envs.envs.set_opponent = mixtures.append
    model.learn(1024, callback=self_play, reset_num_timesteps=reset)
    assert mixtures[0].opponents == tuple(self_play.league.members[:members])
    assert len(self_play.league.members) == members + 2


def test_options_of_reset_and_pictures_are_passed_on():
    envs = vec_env(n=2, seat=0, render_mode="rgb_array")
    position = envs.envs.game.text(envs.envs.game.load(holes=[1] * 12, to_move=0))
    envs.set_options({"position": position})
    assert (envs.reset()[:, :12] == 1).all() and (envs.reset()[:, :12] == 4).all()
    envs.set_options([{"position": position}, {}])
    with pytest.raises(ValueError, match="one dict for all environments"):
        envs.reset()
    frames = envs.get_images()
    assert len(frames) == 2 and frames[0].shape[2] == 3 and envs.render().shape[2] == 3


def test_self_play_records_every_episode():
    envs = vec_env(n=16)
    model = policy_model(envs)
    league, played = League(), []
    record = league.record
    league.record = lambda numbers, reward: (
        played.append((numbers.tolist(), np.sign(reward))) or record(numbers, reward)
    )
    model.learn(1024, callback=SelfPlay(league, after=512))
    assert len(played) == len(model.ep_info_buffer) < 100
    assert [result for _, result in played] == [np.sign(episode["r"]) for episode in model.ep_info_buffer]
    assert {number for numbers, _ in played for (number,) in numbers} <= {0, 1, 2}


@pytest.mark.slow
def test_training_works_with_curriculum_and_shaping():
    envs = MancalaVectorEnv("daramutu", 16, campaign=True, max_rounds=3, autoreset_mode="SameStep")
    curriculum = Curriculum(envs, late_starts(envs.game, campaigns=16), threshold=0.1, episodes=4)
    vec = MancalaVecEnv(ChangeOfWorth(curriculum))
    model = policy_model(vec, n_steps=64)
    model.learn(4096, callback=SelfPlay(after=2048))
    assert curriculum.stage == 2
    returns = [episode["r"] for episode in model.ep_info_buffer]
    assert not set(returns) <= {-1.0, 0.0, 1.0}  # not only the result
    play = snapshot(model.policy)
    assert evaluate(play, "daramutu", "greedy", games=20, campaign=True, max_rounds=3).games == 20


@pytest.fixture
def one_thread():
    """Let PyTorch use one thread, which is faster for small networks."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
def test_draughts_with_a_thousand_actions_can_be_learnt(one_thread):
    envs = vec_env("dam", 64, size=8)
    assert envs.action_space.n == 1025
    model = policy_model(envs, n_steps=64, batch_size=512, n_epochs=4, learning_rate=1e-3)
    model.learn(48 * 1024)
    score = evaluate(snapshot(model.policy), "dam", "random", games=200, size=8)
    assert score.points > 0.6 and score.draws < 20, score


def test_a_snapshot_does_not_change():
    envs = vec_env(n=16)
    model = policy_model(envs)
    frozen = [parameter.clone() for parameter in model.policy.parameters()]
    play = snapshot(model.policy)
    model.learn(512)
    snapshot(model.policy)  # A snapshot right after an update must work too.
    later = list(play.__closure__[0].cell_contents.parameters())
    assert all(torch.equal(a, b) for a, b in zip(frozen, later, strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(frozen, model.policy.parameters(), strict=True))


def test_saved_models_can_play_both_sides_and_follow_the_seed(tmp_path):
    envs, path = vec_env(n=16), tmp_path / "model.zip"
    policy_model(envs).save(path)

    def score(seed, **arguments):
        return evaluate(path, "kalah", str(path), games=60, seed=seed, **arguments)

    assert score(1) == score(1) != score(2)
    before = torch.random.get_rng_state()
    # Neither the game nor the agents draw random numbers, so all games are the same.
    assert max(part.wins for part in score(1, deterministic=True, opening=0).seats.values()) == 30
    assert torch.equal(torch.random.get_rng_state(), before)
    with pytest.raises(FileNotFoundError, match=r"there is no saved model 'wallak.zip'"):
        load_policy("wallak.zip")


@pytest.mark.parametrize("files", [None, {}, {"data": "{}"}, {"data": "[" * 5000}, {"data": "{}", "policy.pth": "x"}])
def test_a_file_that_is_no_model_is_refused_by_its_name(tmp_path, files):
    path = tmp_path / "model.zip"
    path.write_bytes(b"PK")
    if files is not None:
        with zipfile.ZipFile(path, "w") as written:
            for name, content in files.items():
                written.writestr(name, content)
    with pytest.raises(ValueError, match=r"model\.zip is no saved MaskablePPO model"):
        load_policy(path)


@pytest.mark.slow
def test_the_program_trains_writes_its_run_and_resumes_it(tmp_path):
    out, board = tmp_path / "run", tmp_path / "board"
    common = ("kalah", "--out", out, "--envs", 64, "--games", 20, "--tensorboard", board)
    process = train(*common, "--steps", 20_000, "--minutes", 5, stdout=subprocess.PIPE)
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert printed.startswith("kalah: 5 minutes of training, at most 20,000 decisions, then evaluation games from each")
    assert " of 2 kinds of openings without and with search: 40 against random, 40 against greedy, " in printed
    assert re.search(r"^PyTorch uses \d+ threads?, the fastest here$", printed, re.MULTILINE)
    assert re.search(r"^only \d+ gradient steps: ", printed, re.MULTILINE)
    for way in ("policy alone", "values in minimax:2"):
        assert re.search(rf"^{way} +after 6 random decisions +usual opening$", printed, re.MULTILINE)
    # A search without randomness repeats its games from the usual opening.
    line = r"^against greedy( +[\d.]+% (\[[\d.]+, [\d.]+\]|\(\d+ different games\))){2}$"
    assert len(re.findall(line, printed, re.MULTILINE)) == 2
    assert {"points/random", "points/greedy", "rollout/ep_rew_mean", "train/loss"} <= logged(board).keys()
    files = "model.zip config.json evaluation.json table.json table.md learning_curve.json learning_curve.png"
    assert {path.name for path in out.iterdir()} == {*files.split(), "values.network"}
    evaluation = json.loads((out / "evaluation.json").read_text())
    assert evaluation.keys() == {"policy alone", "values in minimax:2"}
    for way, opponent in product(evaluation, ("random", "greedy", "minimax:2", "minimax:4", "mcts:400")):
        for opening in ("after 6 random decisions", "usual opening"):
            seats = evaluation[way][opponent][opening]["seats"]
            assert [seat["wins"] + seat["draws"] + seat["losses"] for seat in seats] == [20, 20]
    caption, _, heads, _, *rows = (out / "table.md").read_text().splitlines()
    assert caption.startswith("Points in Kalah after 5 minutes of training")
    assert heads.count(" | ") == 4 and heads.startswith("| against | policy alone, after 6 random decisions |")
    points = evaluation["values in minimax:2"]["minimax:4"]["after 6 random decisions"]["points"]
    assert rows[3].startswith("| `minimax:4` | ") and f" | {points:.1%} [" in rows[3]
    load_network(out / "values.network").check(make_game("kalah"))
    first = json.loads((out / "config.json").read_text())
    assert first["decisions"] >= 20_000
    assert train(*common, "--steps", 5_000, "--resume", out).wait(timeout=300) == 0
    assert {"value", "exchange"} < load_policy(out / "model.zip").policy.observation_space.keys()
    assert json.loads((out / "config.json").read_text())["decisions"] >= first["decisions"] + 5_000
    curve = json.loads((out / "learning_curve.json").read_text())
    decisions = [point["decisions"] for point in curve]
    assert decisions == sorted(set(decisions))


@pytest.mark.slow
def test_the_program_trains_on_campaigns(tmp_path):
    out = tmp_path / "run"
    game = ("qelat", "--campaign", "--option", "columns=4", "--option", "max_rounds=3", "--option", "first=loser")
    common = (*game, "--out", out, "--envs", 64, "--games", 20)
    assert train(*common, "--steps", 8_000, "--minutes", 5).wait(timeout=300) == 0
    config = json.loads((out / "config.json").read_text())
    assert config["campaign"] and config["options"] == {"columns": 4, "max_rounds": 3, "first": "loser"}
    point = json.loads((out / "learning_curve.json").read_text())[0]
    assert sum(point["greedy"][result] for result in ("wins", "draws", "losses")) in POINT_GAMES
    evaluation = json.loads((out / "evaluation.json").read_text())
    assert evaluation.keys() == {"policy alone", "values in minimax:2"}
    for scores in evaluation.values():
        assert scores["random"].keys() == {"after 6 random decisions", "and 2 in each later round"}
        assert all(len(score["seats"]) == 2 for found in scores.values() for score in found.values())
    plays = "plays qelat(columns=4,first=loser,max_rounds=3,campaign=True), not qelat(campaign"
    assert plays in refused(main, "qelat", "--campaign", "--resume", out)


# Files.


def test_files_are_replaced_atomically(tmp_path):
    path = tmp_path / "model.zip"
    with atomic_write(path) as file:
        file.write(b"first")
    with pytest.raises(OSError, match="No space left"), atomic_write(path) as file:
        file.write(b"sec")
        raise OSError(28, "No space left on device")
    assert path.read_bytes() == b"first" and list(tmp_path.iterdir()) == [path]


def test_no_run_is_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (run := tmp_path / "runs" / "kalah").mkdir(parents=True)
    (run / "model.zip").write_bytes(b"of another run")
    assert "runs/kalah already holds a run" in refused(main, "kalah", "--out", "runs/kalah")
    assert Settings("kalah").out == Path("runs/kalah_2")
    (run / "model.zip").rename(run / "model.pt")
    assert Settings("kalah").out == Path("runs/kalah_2")
    assert Settings("kalah", resume=Path("runs/kalah")).out == Path("runs/kalah")


def test_resuming_a_run_of_another_method_is_refused(tmp_path):
    a_run(tmp_path, "kalah")
    command = ("kalah", "--method", "alphazero", "--resume", tmp_path)
    assert "was trained by the method ppo, not alphazero" in refused(main, *command)
    config = {"plays": "kalah", "observe": "afterstates", "envs": 64, "method": "alphazero"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert f"{tmp_path}/model.pt is missing or broken" in refused(main, *command)
    assert "method alphazero, not ppo" in refused(main, "kalah", "--resume", tmp_path)


def a_run(folder, game):
    """Write files like those of a run."""
    with zipfile.ZipFile(folder / "model.zip", "w") as file:
        file.writestr("data", "{}")
    (folder / "config.json").write_text(json.dumps({"plays": game, "observe": "position", "envs": 64}))
    (folder / "learning_curve.json").write_text("[]")


@pytest.mark.parametrize("missing", ["model.zip", "config.json", "learning_curve.json"])
@pytest.mark.parametrize("broken", [False, True])
def test_resuming_needs_all_files_intact(tmp_path, missing, broken):
    a_run(tmp_path, "kalah")
    if broken:
        (tmp_path / missing).write_text('{"pl')
    else:
        (tmp_path / missing).unlink()
    message = refused(main, "kalah", "--resume", tmp_path)
    assert f"{tmp_path / missing} is missing or broken" in message


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("config.json", '{"plays": "kalah"}', "holds no settings of a run"),
        ("config.json", "[1]", "holds no settings of a run"),
        ("learning_curve.json", "{}", "holds no learning curve"),
        ("learning_curve.json", "[1]", "holds no learning curve"),
    ],
)
def test_resuming_needs_files_of_a_run(tmp_path, file, content, message):
    a_run(tmp_path, "kalah")
    (tmp_path / file).write_text(content)
    assert message in refused(main, "kalah", "--resume", tmp_path)


def test_a_resumed_run_has_as_many_games_in_parallel_unless_told_otherwise(tmp_path):
    a_run(tmp_path, "kalah")
    for given, expected in ((0, 64), (32, 32)):
        settings = Settings("kalah", resume=tmp_path, envs=given)
        assert saved_curve(settings, is_zipfile) == []
        assert (settings.observe, settings.envs) == ("position", expected)


def test_a_resumed_run_in_another_folder_takes_the_values_along(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    (old / VALUES).write_bytes(b"learnt")
    (new / VALUES).write_bytes(b"of another run")
    ppo.begin_values(Settings("kalah", resume=old, out=new), new / VALUES)
    assert (new / VALUES).read_bytes() == b"learnt"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"envs": -3}, "envs must be an integer from 0"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"games": 0}, "games must be an integer of at least 1"),
        ({"steps": 0}, "steps must be an integer of at least 1"),
        ({"minutes": 0.0}, "minutes must be above 0"),
        ({"minutes": float("nan")}, "minutes must be above 0"),
        ({"shaping": 0.5}, "shaping needs ppo and campaign"),
        ({"curriculum": True}, "curriculum needs ppo and campaign"),
        ({"simulations": 64}, "only alphazero has actors, .* and simulations"),
        ({"game": "qelat", "campaign": True, "shaping": 0.5, "method": "alphazero"}, "shaping needs ppo and campaign"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Settings(**{"game": "kalah"} | wrong)


def test_the_present_folder_can_hold_a_run():
    assert Settings("kalah", out=Path()).out == Path()


@pytest.mark.slow
def test_a_training_that_fails_ends_the_process_that_learns_values(tmp_path, monkeypatch):
    def fails(*arguments):
        raise MemoryError

    monkeypatch.setattr(ppo, "make_model", fails)
    before = set(active_children())
    with pytest.raises(MemoryError):
        ppo.train(Settings("kalah", out=tmp_path))
    assert set(active_children()) <= before


def test_resuming_another_game_is_refused(tmp_path):
    a_run(tmp_path, "oware")
    assert "plays oware, not kalah" in refused(main, "kalah", "--resume", tmp_path)


@pytest.mark.slow
def test_an_interrupted_run_leaves_a_usable_model(tmp_path):
    out = tmp_path / "run"
    running = train("kalah", "--out", out, "--envs", 64, "--games", 20, stderr=subprocess.PIPE)
    until_learning(running)
    running.send_signal(signal.SIGINT)
    running.communicate()
    assert running.returncode == 0
    score = evaluate(lambda o, m: m.argmax(axis=1), "kalah", out / "model.zip", games=10)
    assert score.games == 10


@pytest.mark.slow
def test_a_second_signal_ends_the_evaluation_and_keeps_the_model(tmp_path):
    out = tmp_path / "run"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = train("kalah", "--out", out, "--envs", 64, "--games", 10**6, **pipes)
    until_learning(running)
    running.send_signal(signal.SIGTERM)
    for line in running.stdout:
        if line.startswith("interrupted"):
            break
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate()
    assert running.returncode == 1
    assert f"interrupted before the evaluation was complete: {out} can be resumed" in errors
    assert "Traceback" not in errors
    assert MaskablePPO.load(out / "model.zip", device="cpu").num_timesteps > 0


@pytest.mark.slow
def test_a_run_killed_at_any_moment_can_be_resumed(tmp_path):
    out, moments = tmp_path / "run", np.random.default_rng(0)
    first = train("kalah", "--out", out, "--envs", 64, "--games", 20, stderr=subprocess.PIPE)
    until_learning(first)
    first.kill()
    first.communicate()
    for _ in range(3):
        running = train("kalah", "--resume", out, "--envs", 64, "--minutes", 0.2, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0, 15))
        running.kill()
        running.wait()
        assert MaskablePPO.load(out / "model.zip", device="cpu").num_timesteps > 0
        curve = json.loads((out / "learning_curve.json").read_text())
        assert curve and "plays" in json.loads((out / "config.json").read_text())
    done = train("kalah", "--resume", out, "--envs", 64, "--games", 20, "--steps", 1000)
    assert done.wait() == 0


@pytest.mark.slow
def test_a_full_disk_loses_neither_the_old_model_nor_the_error(tmp_path):
    out = tmp_path / "run"
    common = ("kalah", "--out", out, "--envs", 64, "--games", 20)
    assert train(*common, "--steps", 2_000).wait() == 0
    before = (out / "model.zip").read_bytes()
    # Files are limited to 100 blocks; writing more fails as on a full disk.
    command = f"ulimit -f 100; trap '' XFSZ; exec {sys.executable} {ROOT}/scripts/train.py kalah --resume {out}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and "File too large" in done.stderr
    assert (out / "model.zip").read_bytes() == before and not list(out.glob("*.part"))
