"""A game played by mouse: the board, beside it what may be decided, and what was.

A click on a hole, a point or a man chooses the action there, or leaves those there to choose from; a second click,
where the man is to go, say. The list beside takes clicks too, and the keys 1 to 9. Rings show where something may be
done, and what was changed last; numbers, by how much. Sowing is shown seed by seed; a click or a key ends that.
"""

from collections.abc import Sequence
from math import inf
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from mancala_envs.core.board import Board
from mancala_envs.play.session import Session, worded
from mancala_envs.play.sowing import sown
from mancala_envs.play.spots import Spot, changes, touched
from mancala_envs.render import draw_picture
from mancala_envs.render.layout import INK, MAN, MARKED, PAPER, PLAYERS, RADIUS, Colour, middles
from mancala_envs.render.picture import Picture, write
from mancala_envs.render.window import load_pygame

PANEL, LINE, EDGE = 400, 26, 16
"""Pixels: the width of what stands beside the board, from line to line, and to the edges."""
LEAST_HEIGHT = 560
TEXT, SMALL = 17, 15
LOG = 7
"""Decisions that are told again."""
QUIET, BUTTON, HOVER, CHANGE = (140, 120, 100), (238, 228, 210), (226, 206, 176), (170, 30, 30)
RINGS = (2, 4)
"""How wide the rings are, and those of what is pointed at."""
PACE = 700
"""Milliseconds from one decision of agents to the next, so that each is seen."""
SEED, SOWING = 110, 3000
"""Milliseconds from one dropped seed to the next, and at most for all of a decision."""
FRAMES = 30
"""Looks at mouse and keys a second."""
KEYS = "u undo    h hint    s save    Esc all actions"


class GameWindow:
    """What the window shows and hears: `draw` it, `click` it, press a `key`, and let time pass by `wait`.

    `room`: width and height that there is, in pixels; a larger board is drawn smaller. `save_to`: the file of
    recordings.

    Attributes: `session`, the game; `spots`, their middles in pixels; `choices`, the actions that are left by what was
    clicked on, `picked`; `size`, in pixels.
    """

    def __init__(self, session: Session, save_to: Path, room: tuple[float, float] = (inf, inf)) -> None:
        self.session, self.save_to = session, save_to
        self.waited = 0
        """Milliseconds since the last decision."""
        self.mouse = (-1, -1)
        height, width = draw_picture(session.game.board(session.state)).shape[:2]
        self.scale: float = min(1.0, (room[0] - PANEL) / width, room[1] / height)
        self.size: tuple[int, int] = (round(self.scale * width) + PANEL, max(round(self.scale * height), LEAST_HEIGHT))
        self.look()

    def look(self) -> None:
        """Take in the game as it is: after every decision."""
        session = self.session
        number = len(session.actions)
        self.board = session.board(max(0, number - 1))
        self.film: list[Board] = []
        """The boards that are shown before this one."""
        self.picture = self._picture(self.board)
        self.spots = self._spots()
        self.changed = changes(session.game.board(session.states[-2]), self.board) if number else {}
        self.touched = touched(session) if session.is_asking else {}
        self.picked: list[Spot] = []
        self.opinions: dict[int, str] = {}
        self.remark, self.waited = session.news(), 0
        self.first = 0
        """The first line of the list that is shown."""

    def _spots(self) -> dict[Spot, tuple[float, float]]:
        """The middles of all spots, in pixels."""
        places, points = middles(self.board)
        found = {(False, i): at for i, at in enumerate(places) if not self.board.places[i].tray}
        found |= {(True, i): at for i, at in enumerate(points)}
        return {spot: (self.scale * x, self.scale * y) for spot, (x, y) in found.items()}

    def _picture(self, board: Board) -> Image.Image:
        picture = Image.fromarray(draw_picture(board))
        return picture.resize([round(self.scale * length) for length in picture.size])

    @property
    def choices(self) -> list[int]:
        """The actions that are left by what was picked."""
        return self.concerning(self.picked)

    def concerning(self, picked: Sequence[Spot]) -> list[int]:
        """The actions that concern all of these spots."""
        return [action for action, spots in self.touched.items() if spots.issuperset(picked)]

    # What happens.

    def wait(self, milliseconds: int) -> None:
        """Time passes: seeds are dropped, agents decide, and what leaves no choice is done."""
        self.waited += milliseconds
        if self.film:
            shown, self.waited = divmod(self.waited, self.pace)
            self.film = self.film[shown:]
            self.picture = self._picture(self.film[0] if self.film else self.board)
        elif self.waited >= PACE and self.session.mover >= 0 and not self.session.is_asking:
            self.decide(None)

    def decide(self, action: int | None) -> None:
        """A person decides for `action`, or, where that is None, an agent for what it likes."""
        session = self.session
        if action is None:
            session.reply()
        else:
            session.play(action)
        film = sown(session.game, session.states[-2], session.actions[-1])
        self.look()
        self.film, self.pace = film, max(1, min(SEED, SOWING // max(1, len(film))))
        if film:
            self.picture = self._picture(film[0])

    def hurry(self) -> bool:
        """End a sowing that is being shown; returns whether one was."""
        going_on = bool(self.film)
        if going_on:
            self.film, self.waited = [], 0
            self.picture = self._picture(self.board)
        return going_on

    def click(self, x: float, y: float) -> None:
        """On a spot of the board, or on a line of the list."""
        if self.hurry():
            return
        row = self.row_at(x, y)
        if row is not None:
            self.decide(row)
            return
        spot = self.spot_at(x, y)
        if spot is None:
            return
        # Among what is left, else anew.
        for picked in ([*self.picked, spot], [spot]):
            left = self.concerning(picked)
            if len(left) == 1:
                self.decide(left[0])
                return
            if left:
                self.picked, self.first = picked, 0
                return
        self.picked = []

    def key(self, name: str) -> None:
        """A key by its name: a number of the list, or one of KEYS."""
        if self.hurry():
            return
        shown = self.shown()
        if name.isdigit() and 1 <= int(name) <= len(shown):
            self.decide(shown[int(name) - 1])
        elif name == "u":
            if self.session.undo():
                self.look()
        elif name == "h" and self.touched:
            self.hint()
        elif name == "s" and self.session.actions:
            try:
                self.session.save(self.save_to)
            except OSError as error:
                self.remark = f"not saved: {error}"
            else:
                self.remark = f"saved in {self.save_to}"
        elif name == "escape":
            self.picked = []

    def hint(self) -> None:
        """Ask the search what it thinks of every action."""
        agent = self.session.hint_by
        found = self.session.analysed(agent)
        self.opinions = {action: worded(value, agent) for action, value in found.values.items()}
        self.remark = f"{agent} would play: {self.session.names[found.action]}"

    def scroll(self, lines: int) -> None:
        """Move the list."""
        self.first = max(0, min(self.first - lines, len(self.choices) - self.rows))

    # Where things are.

    @property
    def left(self) -> int:
        """Where the panel begins."""
        return self.size[0] - PANEL

    @property
    def rows(self) -> int:
        """How many lines of the list there is room for."""
        return (self.size[1] - self.top - (LOG + 4) * LINE) // LINE

    top = EDGE + 3 * LINE
    """Where the list begins."""

    def shown(self) -> list[int]:
        """The actions of the list, as far as there is room."""
        return self.choices[self.first : self.first + self.rows]

    def row_at(self, x: float, y: float) -> int | None:
        """The action of the list that is there."""
        line = int((y - self.top) // LINE)
        shown = self.shown()
        return shown[line] if x >= self.left and 0 <= line < len(shown) else None

    def spot_at(self, x: float, y: float) -> Spot | None:
        """The spot of the board that is there."""
        near = [(np.hypot(at[0] - x, at[1] - y), spot) for spot, at in self.spots.items()]
        near = [(distance, spot) for distance, spot in near if distance <= self.reach(spot)]
        return min(near)[1] if near else None

    def reach(self, spot: Spot) -> int:
        """From the middle of a spot to its edge, in pixels."""
        return round(self.scale * (MAN if spot[0] else RADIUS))

    # What is seen.

    def draw(self) -> Picture:
        """(H, W, 3) picture."""
        image = Image.new("RGB", self.size, PAPER)
        image.paste(self.picture, (0, 0))
        if not self.film:
            self._draw_rings(image)
        self._draw_panel(image)
        return np.asarray(image)

    def _draw_rings(self, image: Image.Image) -> None:
        """Around what was changed last, and around where something may be done."""
        row = self.row_at(*self.mouse)
        for spot, more in self.changed.items():
            if not spot[0]:
                self._ring(image, spot, MARKED, RINGS[0], 4)
                x, y = self.spots[spot]
                at = (round(x + self.reach(spot)), round(y - self.reach(spot)))
                write(image, f"{more:+d}", at, SMALL, CHANGE, "middle", 2 * self.reach(spot))
        asked = {spot for action in self.choices for spot in self.touched[action]}
        for spot in asked if row is None else self.touched[row]:
            self._ring(image, spot, PLAYERS[self.session.mover % len(PLAYERS)], RINGS[row is not None], 0)
        for spot in self.picked:
            self._ring(image, spot, MARKED, RINGS[1], 0)

    def _ring(self, image: Image.Image, spot: Spot, colour: Colour, width: int, further: int) -> None:
        """A ring, open below, where the number of seeds stands."""
        (x, y), reach = self.spots[spot], self.reach(spot) + further
        angles = (0, 360) if spot[0] else (118, 422)
        ImageDraw.Draw(image).arc((x - reach, y - reach, x + reach, y + reach), *angles, fill=colour, width=width)

    def _draw_panel(self, image: Image.Image) -> None:
        """Whose turn it is, the list of actions, what was decided, and the keys."""
        session, left, draw = self.session, self.left + EDGE, ImageDraw.Draw(image)
        room = PANEL - 2 * EDGE

        def line(text: str, y: int, colour: Colour = QUIET, size: int = SMALL) -> None:
            write(image, text, (left, y), size, colour, "left", room)

        line(
            f"{session.name(session.mover)} is to move" if session.mover >= 0 else session.result(), EDGE + 8, INK, TEXT
        )
        line(f"{session.task}:" if self.touched else "", EDGE + 8 + LINE, INK, TEXT)
        pointed = self.row_at(*self.mouse)
        for number, action in enumerate(self.shown()):
            y = self.top + number * LINE
            box = (left - 6, y, left + room + 6, y + LINE - 4)
            draw.rounded_rectangle(box, 4, fill=HOVER if action == pointed else BUTTON)
            middle, opinion = y + LINE // 2 - 2, self.opinions.get(action, "")
            line(str(number + 1) if number < 9 else "", middle)
            write(image, session.names[action], (left + 22, middle), SMALL, INK, "left", room - 80)
            write(image, opinion, (left + room - 24, middle), SMALL, CHANGE, "middle", 60)
        hidden = len(self.choices) - len(self.shown())
        y = self.top + self.rows * LINE + LINE // 2
        line(f"{hidden} more: turn the wheel" if hidden else "", y)
        for number in range(max(0, len(session.actions) - LOG), len(session.actions)):
            y += LINE
            line(session.told(number), y)
        line(self.remark, self.size[1] - EDGE - LINE, CHANGE)
        line(KEYS, self.size[1] - EDGE)


def play_in_window(session: Session, save_to: Path) -> None:
    """The whole game in a window, until it is closed."""
    pygame = load_pygame()
    pygame.display.init()
    width, height = pygame.display.get_desktop_sizes()[0]
    window = GameWindow(session, save_to, (round(0.95 * width), round(0.88 * height)))
    screen = pygame.display.set_mode(window.size)
    pygame.display.set_caption(session.game.header)
    clock = pygame.time.Clock()
    try:
        while True:
            for event in pygame.event.get():
                if event.type == pygame.QUIT:
                    return
                if event.type == pygame.KEYDOWN:
                    window.key(pygame.key.name(event.key))
                elif event.type == pygame.MOUSEMOTION:
                    window.mouse = event.pos
                elif event.type == pygame.MOUSEWHEEL:
                    window.scroll(event.y)
                elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                    window.click(*event.pos)
            screen.blit(pygame.image.frombuffer(window.draw().tobytes(), window.size, "RGB"), (0, 0))
            pygame.display.flip()
            window.wait(clock.tick(FRAMES))
    finally:
        pygame.display.quit()
