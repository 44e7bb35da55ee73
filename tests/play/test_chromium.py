"""The browser board in headless Chromium: used by mouse, by keyboard and on a phone."""

import re
import shutil
import time
from contextlib import ExitStack

import numpy as np
import pytest
from helpers.play import served
from selenium import webdriver

from mancala_envs import REGISTRY, make_game
from mancala_envs.wrappers import replay

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
]
TIMEOUT = 60
"""Timeout of every wait, in seconds."""
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
)  # fmt: skip


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


class Person:
    """A person who uses the page in a browser."""

    def __init__(self, driver, address, animated, width=1280, height=900):
        self.driver = driver
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get_log("browser")
        driver.get(address)
        self.wait(lambda: self.all("#board svg"))
        if not animated:
            self.run("document.getElementById('pace').value = 0")

    def all(self, where):
        return self.driver.find_elements("css selector", where)

    def one(self, where):
        return self.driver.find_element("css selector", where)

    def press(self, where):
        self.one(where).click()

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def wait(self, until):
        """Wait until `until()` is true; return its value."""
        begun = time.monotonic()
        while not (found := until()):
            assert time.monotonic() < begun + TIMEOUT, (self.one("#status").text, self.one("#error").text)
            time.sleep(0.03)
        return found

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    @property
    def decisions(self):
        """Number of decisions made."""
        return self.run("return session.decisions.length")

    def settle(self):
        """Wait until no animation or request is running, and a person is to choose or the game is over."""
        settled = "return !busy && !animation && (session.mover < 0 || session.choices.length > 0)"
        self.wait(lambda: self.run(settled))

    def settle_after(self, number):
        """Wait until decision `number` has been made, and until the page is settled."""
        self.wait(lambda: self.decisions == number)
        self.settle()

    def open(self, name):
        """Open a dialog and return it."""
        self.press(f"#open-{name}")
        return self.wait(lambda: self.all("dialog[open]"))[0]

    def close(self):
        """Close the open dialog."""
        self.keys(webdriver.Keys.ESCAPE)
        self.wait(lambda: not self.all("dialog[open]"))

    def point_at(self, element):
        webdriver.ActionChains(self.driver).move_to_element(element).perform()

    def choose(self, rng):
        """Make a random choice, by clicks on spots or in the list."""
        before = self.decisions
        if self.all("#board .selectable") and rng.random() < 0.8:
            # Each click narrows the choice down, but a second click on a spot widens it again.
            for _ in range(3):
                if self.decisions == before and (spots := self.all("#board .selectable")):
                    spots[rng.integers(len(spots))].click()
                    self.settle()
        if self.decisions == before:
            buttons = self.all("#choices button")
            button = buttons[rng.integers(len(buttons))]
            name = button.find_element("css selector", ".name").text
            button.click()
            self.wait(lambda: self.decisions > before)
            assert self.run("return session.decisions")[before].endswith(f": {name}")
            self.settle()


PHONE = {"width": 390, "height": 844}
"""The size of a phone's screen in pixels."""
PEOPLE = ("--seat", "0", "1", "--opponent", "random")
"""Arguments of a game of two people."""


def messages(driver):
    """Return the new messages in the browser's log."""
    return [entry["message"] for entry in driver.get_log("browser")]


@pytest.fixture
def visit(chromium):
    """Return a function that serves a game and returns a person who uses its page; no sowing is animated.

    In the end the browser must have logged nothing that a test does not expect.
    """
    with ExitStack() as servers:

        def visit(*arguments, animated=False, **size):
            # Rules run as plain Python, because compiling takes longer.
            server = served(*arguments, "--seed", 1, NUMBA_DISABLE_JIT="1")
            _, port = servers.enter_context(server)
            return Person(chromium, f"http://127.0.0.1:{port}/", animated, **size)

        yield visit
        assert messages(chromium) == []


GAMES = {
    "kalah": (),
    "qelat": ("--campaign", "--option", "max_rounds=2", "--option", "territory=choice"),
    "puhulmutu": ("--option", "max_turns=20"),
    "ceelkoqyuqkoqiji": ("--campaign", "--option", "max_rounds=2"),
    "dongjintian": ("--seat", "0", "2", "--option", "max_turns=10"),
    "nerenchi_keliya": (),
    "peralikatuma": ("--option", "max_turns=30"),
    "diviyan_keliya": ("--option", "max_turns=40"),
    "pancha_keliya": ("--option", "max_turns=60"),
    "saturankam": ("--option", "max_turns=40"),
}
"""A game of each family, with further arguments."""


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_by_clicks(visit, name):
    seats = () if "--seat" in GAMES[name] else ("--seat", "0", "1")
    person = visit(name, "--opponent", "random", *seats, *GAMES[name])
    rng = np.random.default_rng(5)
    person.settle()
    while person.run("return session.mover") >= 0:
        person.choose(rng)
    assert person.one("#status").text.endswith(person.run("return session.result"))
    assert person.one("#rematch").is_displayed()
    told = person.run("return session.decisions")
    assert len(person.run("return [...document.querySelectorAll('#log li')]")) == len(told)
    line = person.run("return await (await fetch('/recording')).json()")
    assert len(list(replay(line))) == len(told) + 1
    assert person.one("#error").text == ""


def test_the_page_is_used_by_keyboard_alone(visit):
    person = visit("kalah", "--seat", "0", "1", "--opponent", "minimax:1")
    person.settle()

    def focused():
        return person.run("return document.activeElement.dataset.spot ?? document.activeElement.className")

    for _ in range(20):
        person.keys(webdriver.Keys.TAB)
        if focused() == "place-0":
            break
    person.keys(webdriver.Keys.ARROW_RIGHT)
    person.keys(webdriver.Keys.ARROW_RIGHT)
    assert focused() == "place-2"
    person.keys(webdriver.Keys.ENTER)
    person.settle_after(1)
    # The same player moves again; the focus moves to the first spot with a choice, as its old spot has none.
    assert focused() == "place-0"
    person.keys("h")
    person.wait(lambda: "minimax:1" in person.one("#analysis").text)
    assert all(worth.text for worth in person.all("#choices .value"))
    person.keys("1")
    person.settle_after(2)
    person.keys("u")
    person.wait(lambda: person.decisions == 1)


def test_a_sowing_is_animated_and_skipped(visit):
    person = visit("kalah", *PEOPLE, animated=True)
    person.run("document.getElementById('pace').value = 250")
    person.press('[data-spot="place-3"]')
    person.wait(lambda: person.run("return Boolean(animation)"))
    seeds = "return document.querySelector('[data-spot=\"place-3\"] title').textContent"
    assert person.run(seeds) == "hole 3 of player_0: 0"
    assert not person.all("#board .selectable")
    assert not any(button.is_enabled() for button in person.all("#choices button"))
    person.keys(webdriver.Keys.ESCAPE)
    person.settle()
    assert [change.text for change in person.all("#board .change")] == ["\N{MINUS SIGN}4", "+1", "+1", "+1"]
    told = [line.text for line in person.all("#explanation li")]
    assert told[0] == "player_0: lift own hole 3" and told[2] == "sows 4 from own hole 4 to other hole 0"


def test_the_page_fits_a_phone_and_is_labelled_for_screen_readers(visit):
    person = visit("nerenchi_keliya", *PEOPLE, width=360, height=740, animated=True)
    person.settle()
    assert person.run("return document.scrollingElement.scrollWidth") <= 360
    spots = person.all("#board .selectable")
    assert len(spots) == 24
    labels = [spot.get_attribute("aria-label") for spot in spots]
    assert labels[5] == "point 5: empty; lay on or remove from point 5"
    assert {spot.aria_role for spot in spots} == {"button"}
    pressed = [each for each in person.all("button, select, input, a, summary, textarea") if each.is_displayed()]
    assert all(each.accessible_name for each in pressed)
    spots[5].click()
    person.settle_after(1)
    assert "player_0: lay on or remove from point 5" in person.one("#status").get_attribute("textContent")
    for name in ("new", "share", "rules"):
        dialog = person.open(name)
        assert person.run("return arguments[0].scrollWidth <= arguments[0].clientWidth + 1", dialog)
        assert dialog.accessible_name
        person.close()


@pytest.mark.parametrize("name", ["kalah", "dam"])
def test_numbers_can_be_read_on_a_phone(visit, name):
    person = visit(name, *PEOPLE, **PHONE)
    heights = person.run(
        "return [...document.querySelectorAll('#board .count, #board [data-spot] > .label')].map((text) =>"
        " text.getScreenCTM().d * parseFloat(getComputedStyle(text).fontSize))"
    )
    assert len(heights) >= 24 and min(heights) >= 8


def test_arrow_keys_step_through_the_game(visit):
    person = visit("kalah", "--opponent", "random")
    for _ in range(2):
        person.one("#board .selectable").click()
        person.settle()
    played = person.decisions

    def shown_after(*keys):
        for key in keys:
            before = person.run("return shownNumber()")
            person.keys(key)
            person.wait(
                lambda number=before: not person.run("return busy") and person.run("return shownNumber()") != number
            )
        return person.run("return shownNumber()")

    keys = webdriver.Keys
    # The last click focused a spot, but arrow keys move between spots only once Tab has been pressed.
    assert shown_after(keys.ARROW_LEFT) == played - 1
    assert shown_after(keys.ARROW_UP) == 0 and not person.all("#board .selectable")
    assert shown_after(keys.ARROW_RIGHT) == 1
    assert shown_after(keys.ARROW_DOWN) == played and person.all("#board .selectable")
    assert person.decisions == played


def test_a_game_is_skipped_resigned_and_played_again(visit):
    person = visit("qelat", "--campaign", "--option", "max_rounds=2", "--opponent", "random")
    person.wait(lambda: person.one("#ahead").is_displayed())
    assert not person.one("#rematch").is_displayed()
    person.press("#ahead")
    person.wait(lambda: person.run("return session.choices.length > 0"))
    assert not person.one("#ahead").is_enabled()
    person.press("#to-end")
    person.wait(lambda: "skipped" in person.one("#progress").text and person.run("return session.mover") < 0)
    assert re.search("You (won|lost|drew) the campaign", person.one("#status").text)
    assert not any(person.one(f"#{button}").is_displayed() for button in ("ahead", "to-end", "resign"))
    person.press("#exchange")
    person.wait(lambda: person.run("return session.people") == [1])
    assert person.run("return session.header") == "qelat(max_rounds=2,campaign=True)"
    person.settle()
    person.press("#resign")
    person.wait(lambda: person.one("#status").text.endswith("You resigned; South won"))
    person.press("#undo")
    person.wait(lambda: person.run("return session.mover") >= 0)
    person.settle()
    person.press("#resign")
    person.wait(lambda: person.one("#rematch").is_displayed())
    person.press("#rematch")
    person.wait(lambda: person.run("return session.mover") >= 0)
    assert person.run("return session.people") == [1]


def test_a_skip_waits_for_the_running_animation(visit):
    person = visit("kalah", "--opponent", "random", animated=True)
    person.run("document.getElementById('pace').value = 250")
    person.press('[data-spot="place-3"]')
    person.wait(lambda: person.run("return Boolean(animation)"))
    person.press("#to-end")
    person.wait(lambda: person.run("return session.mover") < 0)


def test_a_line_shows_the_values_of_all_positions(visit):
    person = visit("kalah", "--option", "columns=2", "--option", "seeds=2", "--opponent", "random")
    assert not person.one("#course").is_displayed() and not person.one("#evaluate").is_enabled()
    person.press("#to-end")
    person.wait(lambda: person.run("return session.mover") < 0)
    person.press("#evaluate")
    line = person.wait(lambda: person.all("#line svg"))[0]
    assert line.accessible_name == "Value of every position for you, by minimax:100ms"
    played = person.decisions
    assert person.one("#value").text.startswith(f"After {played} of {played} decisions: ")
    # A click on the left edge shows the start.
    left = -line.size["width"] // 2 + 3
    webdriver.ActionChains(person.driver).move_to_element_with_offset(line, left, 0).click().perform()
    person.wait(lambda: person.one("#value").text.startswith(f"After 0 of {played} decisions: "))
    assert "after 0 of" in person.one("#status").text


def test_a_search_shows_its_progress_and_is_cancelled(visit):
    person = visit("kalah", "--seat", "1", "--opponent", "mcts:1000000000")

    def see_progress():
        person.wait(lambda: "of 1,000,000,000 simulations" in person.one("#progress").text)
        return person.one("#cancel")

    see_progress().click()
    person.wait(lambda: person.one("#error").text == "cancelled")
    assert not person.one("#cancel").is_displayed() and person.one("#progress").text == ""
    # The agent is asked again only when the person wants it.
    time.sleep(1)
    assert person.run("return busy === 0") and person.decisions == 0
    person.press("#step")
    see_progress()
    # Another game can be started during the search.
    person.open("new")
    person.run("document.getElementById('new-opponent').value = 'random'")
    person.press("#begin")
    person.settle_after(1)
    assert person.one("#error").text == "" and person.all("#board .selectable")
    # The browser logs the status of the two cancelled requests.
    assert all("400" in message for message in messages(person.driver))


def test_nothing_is_loaded_from_other_hosts(visit):
    person = visit("kalah", "--seat", "--opponent", "random")
    person.press("#step")
    person.wait(lambda: person.decisions == 1)
    person.press("#run")
    person.wait(lambda: person.decisions >= 3)
    loaded = person.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert loaded and all(name.startswith(person.driver.current_url) for name in loaded)


def test_the_page_starts_games_positions_and_recordings(visit, tmp_path):
    person = visit("kalah", *PEOPLE)
    person.press('[data-spot="place-3"]')
    person.settle_after(1)
    position = person.run("return session.position")
    saved = tmp_path / "games.jsonl"
    saved.write_text(person.run("return await (await fetch('/recording')).text()"))

    person.open("new")
    person.run("const game = document.getElementById('new-game'); game.value = 'qelat'; game.onchange()")
    person.wait(lambda: person.run("return chosen.game") == "qelat")
    person.press("#new-campaign")
    person.press("#new summary")
    person.one("#new-options [name=columns]").send_keys("1")
    person.press("#begin")
    person.wait(lambda: "columns=1 is not allowed" in person.one("#new-error").text)
    person.one("#new-options [name=columns]").send_keys(webdriver.Keys.BACKSPACE, "4")
    person.press("#begin")
    person.wait(lambda: person.run("return session.header") == "qelat(columns=4,campaign=True)")
    assert [cell.text for cell in person.all("#standing td")] == ["4", "4", "nothing"] * 2
    assert person.run("return session.people") == [0, 1]

    person.press("#open-share")
    text = person.one("#position")
    text.clear()
    text.send_keys(position)
    person.press("#set")
    person.wait(lambda: person.run("return session.position") == position and not person.all("dialog[open]"))
    assert person.decisions == 0

    person.press("#open-share")
    person.one("#load").send_keys(str(saved))
    person.wait(lambda: person.decisions == 1)
    person.wait(lambda: not person.all("dialog[open]"))
    person.press("#first")
    person.wait(lambda: "after 0 of 1 decisions" in person.one("#status").text)
    assert not person.all("#board .selectable") and not person.one("#choosing").is_displayed()
    person.press("#last")
    person.wait(lambda: person.all("#board .selectable"))
    # The browser logs the status of the refused request.
    assert all("400" in message for message in messages(person.driver))


SEATS = {name: make_game(name).num_players for name in REGISTRY}


def start(person, name):
    """Start a game in which people play every seat."""
    new = {"game": name, "people": list(range(SEATS[name])), "opponent": "random", "seed": 1, "options": {}}
    person.run("replaceSession('/new', arguments[0])", new)
    person.wait(lambda: person.run("return session.game") == name)
    person.settle()


def play_some(person, decisions):
    """Play decisions of a game, by the first choices and by the last in turn."""
    for number in range(decisions):
        if person.run("return session.mover < 0"):
            return
        last = "choices.at(-1)" if number % 2 else "choices[0]"
        person.run(f"session.choices.length ? decide('/act', {{action: session.{last}.action}}) : decide('/reply')")
        person.wait(lambda: person.run("return !busy && !animation"))
    person.settle()


def test_targets_are_large_enough_on_a_phone_in_every_game(visit):
    person = visit("kalah", *PEOPLE, **PHONE)
    too_small = {}
    for name in REGISTRY:
        start(person, name)
        play_some(person, 3)
        # The first shape of a spot is the area that takes clicks.
        areas = np.array(
            person.run(
                "return [...document.querySelectorAll('#board [data-spot]')].map((group) => {"
                "const { x, y, width, height } = group.children[1].getBoundingClientRect();"
                "return [x + width / 2, y + height / 2, width, height]; })"
            )
        )
        # Areas do not overlap, so all of each is its own.
        apart = np.abs(areas[:, None, :2] - areas[:, :2]).max(axis=2)[~np.eye(len(areas), dtype=bool)].min()
        if min(areas[:, 2:].min(), apart) < 24:
            too_small[name] = areas[:, 2:].min(), apart
        assert person.run("return document.scrollingElement.scrollWidth") <= PHONE["width"], name
        heights = person.run(
            "return [...document.querySelectorAll('button, summary, select, input, .button')]"
            ".filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().height)"
        )
        assert min(heights) >= 24, name
    assert not too_small


def test_captions_stand_once_in_readable_size_on_a_phone(visit):
    person = visit("kalah", *PEOPLE, **PHONE)
    for name in ("sokkattan", "dongjintian", "tayam_sonalu"):
        start(person, name)
        play_some(person, 3)
        captions = person.run("return session.scene.captions")
        assert captions
        for words in (*captions, person.run("return session.scene.heading")):
            assert person.run("return document.body.innerText").count(words) == 1
            assert words not in person.one("#board").get_attribute("textContent")
        assert float(person.one("#captions").value_of_css_property("font-size")[:-2]) >= 14
    assert all(box["height"] >= 40 for box in (throw.rect for throw in person.all("#throws svg")))
    assert len(person.all("#throws svg")) == person.run("return session.scene.throws.length") > 0


def test_a_key_stays_with_its_place_and_plays_its_choice(visit):
    person = visit("kalah", *PEOPLE)

    def keys():
        return person.run("return session.choices.map((choice) => [choice.key, choice.name])")

    assert keys() == [[str(hole), f"lift own hole {hole}"] for hole in range(6)]
    person.keys("2")
    person.settle_after(1)
    # Hole 2 is empty now, and its key is nobody's.
    assert keys() == [[str(hole), f"lift own hole {hole}"] for hole in (0, 1, 3, 4, 5)]
    person.keys("2")
    assert person.decisions == 1
    person.keys("3")
    person.wait(lambda: person.decisions == 2)
    assert person.run("return session.decisions") == ["player_0: lift own hole 2", "player_0: lift own hole 3"]

    start(person, "dam")
    person.keys("4")
    assert all(choice.text.startswith("4") for choice in person.all("#choices kbd"))
    person.keys("2")
    person.wait(lambda: {choice.text for choice in person.all("#choices kbd")} == {"42-36", "42-37"})
    person.keys(webdriver.Keys.ESCAPE)
    person.wait(lambda: len(person.all("#choices kbd")) > 2)
    person.keys("42-37")
    person.wait(lambda: person.decisions == 1)
    assert person.run("return session.decisions") == ["player_0: go from square 42 to square 37"]

    # A key that begins another one is played after a moment, or at once with Enter.
    start(person, "nerenchi_keliya")
    person.keys("1")
    assert person.decisions == 0
    person.settle_after(1)
    person.keys("2", webdriver.Keys.ENTER)
    person.wait(lambda: person.decisions == 2)
    told = person.run("return session.decisions")
    assert [line.split(": ")[1] for line in told] == [f"lay on or remove from point {point}" for point in (1, 2)]


def test_a_choice_shows_where_it_leads(visit):
    person = visit("kalah", *PEOPLE)

    def badges():
        return [badge.text for badge in person.all("#board .preview")]

    for look in ("choice", "spot"):
        target = person.all("#choices button")[3] if look == "choice" else person.one('[data-spot="place-3"]')
        person.point_at(target)
        person.wait(lambda: sorted(badges()) == ["+1", "+1", "+1", "+1", "\N{MINUS SIGN}4"])
        # The last seed falls into the other player's hole 0.
        assert person.one("#board .leads").find_element("xpath", "..").get_attribute("data-spot") == "place-6"
        assert "sows 4 from own hole 4 to other hole 0" in person.one("#preview").text
        person.point_at(person.one("#title"))
        person.wait(lambda: not badges() and not person.one("#preview").text)
    person.run("document.querySelectorAll('#choices button')[2].focus()")
    person.wait(badges)
    assert person.one("#board .leads").find_element("xpath", "..").get_attribute("data-tray") == "place-12"


def test_only_the_targets_of_the_chosen_piece_are_shown(visit):
    person = visit("dam", *PEOPLE)

    def rings():
        return {group.get_attribute("data-spot") for group in person.all("#board .selectable")}

    choices = person.run("return session.choices")
    assert rings() == {spot for choice in choices for spot in choice["start"]}
    (piece,) = next(choice["start"] for choice in choices if choice["name"].startswith("go from square 43"))
    person.press(f'[data-spot="{piece}"]')
    ends = {spot for choice in choices if choice["start"] == [piece] for spot in choice["end"]}
    person.wait(lambda: rings() == {piece} | ends)
    assert len(ends) == 2


def test_the_rules_are_rendered_and_agents_are_named_by_strength(visit):
    person = visit("magazeb_ii", "--seat", "0", "1", "--opponent", "minimax:3")
    person.open("rules")
    assert person.one("#page > :first-child").text == "Rules" and person.all("#page figure svg")
    headings = [heading.text for heading in person.all("#page h3")]
    assert headings[-1] == "Facts" and not {"Observation", "Actions", "Position"} & set(headings)
    assert person.all("#page ul > li") and person.all("#page table td") and "|" not in person.one("#page").text
    person.close()
    person.open("new")
    names = [option.text for option in person.all("#new-game option")]
    assert names.count("Qelat (also Magazeb II)") == 1 == sum("Qelat" in name for name in names)
    assert person.one("#new-game").get_property("value") == "qelat"
    agents = {option.get_property("value"): option.text for option in person.all("#new-opponent option")}
    assert all(words.endswith(f"({agent})") for agent, words in agents.items() if agent)
    # An agent that is not in the list keeps its name.
    assert person.one("#new-agent").get_property("value") == "minimax:3" and person.one("#new-agent").is_displayed()
    person.run("const list = document.getElementById('new-opponent'); list.value = 'greedy'; list.onchange()")
    assert not person.one("#new-agent").is_displayed()
    person.press("#begin")
    person.wait(lambda: person.run("return session.opponent") == "greedy")


def test_the_last_move_stays_marked_until_the_next_one(visit):
    person = visit("kalah", *PEOPLE)
    # Two decisions of one move: hole 2 ends in the store, then hole 5.
    person.keys("2")
    person.settle_after(1)
    person.keys("5")
    person.settle_after(2)

    def marked():
        spots = "return [...document.querySelectorAll(arguments[0])].map((each) => each.parentNode.dataset.spot)"
        return [set(person.run(spots, f"#board .{name}")) for name in ("change", "lifted")]

    shown = [{f"place-{hole}" for hole in range(2, 10)}, {"place-2"}]
    assert marked() == shown
    person.press("#hint")
    person.wait(lambda: person.one("#analysis").text)
    assert marked() == shown
