"""Play a session by mouse in a window: the board, and beside it the legal actions and the latest decisions.

A click on a hole, a point or a piece plays the action there. If several actions concern that spot, the list shows only
these, and a second click, such as one on the piece's destination, decides between them. You can also click an action
in the list or type its number, 1 to 9. Rings mark the spots with legal actions and the holes that the last decision
changed, with the difference in seeds. Sowing is animated seed by seed; a click or a key skips the animation.
"""

from collections.abc import Sequence
from math import inf
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from mancala_envs.core.board import Board
from mancala_envs.play.session import Session, value_in_words
from mancala_envs.play.sowing import sowing_frames
from mancala_envs.play.spots import Spot, action_spots, changes
from mancala_envs.programs.files import RunError
from mancala_envs.render import draw_picture
from mancala_envs.render.layout import INK, MAN, MARKED, PAPER, RADIUS, Colour, centres, player_colour
from mancala_envs.render.picture import Picture, write
from mancala_envs.render.window import load_pygame

PANEL, LINE, EDGE = 400, 26, 16
"""Width of the panel beside the board, line spacing and margin, in pixels."""
MIN_HEIGHT = 560
"""Minimum height of the window in pixels."""
TEXT, SMALL = 17, 15
"""Font sizes."""
LOG_LENGTH = 7
"""Number of past decisions that the panel shows."""
QUIET, BUTTON, HOVER, CHANGE = (140, 120, 100), (238, 228, 210), (226, 206, 176), (170, 30, 30)
RING_WIDTH, HIGHLIGHT_WIDTH = 2, 4
"""Line width of a ring, and of one around a picked spot or a spot of the action under the mouse."""
DECISION_PAUSE = 700
"""Milliseconds between decisions of agents, so that people can follow them."""
SEED_PAUSE, MAX_SOWING = 110, 3000
"""Milliseconds between two seeds of a sowing, and the maximum for the whole sowing."""
FRAMES = 30
"""Frames per second."""
KEYS = "u undo    h hint    s save    Esc all actions"


class GameWindow:
    """The content and the controls of the window, independent of pygame.

    The caller draws the window with `draw`, and passes on input with `click`, `key` and `scroll` and time with `wait`.

    Attributes:
        session: the game.
        save_to: the file to which `s` appends the recorded game.
        size: width and height of the window in pixels.
        mouse: position of the mouse in pixels.
        board: the current board.
        frames: the boards of the sowing animation that are still to be shown before `board`.
        spots: the centre of every spot in pixels.
        picked: the spots that were clicked to select an action.
    """

    def __init__(self, session: Session, save_to: Path, max_size: tuple[float, float] = (inf, inf)) -> None:
        """Create the content of a window of at most `max_size` pixels; a larger board is drawn smaller."""
        self.session, self.save_to = session, save_to
        self.waited = 0
        """Milliseconds since the last decision, or since the last frame of its animation."""
        self.mouse = (-1, -1)
        height, width = draw_picture(session.game.board(session.state)).shape[:2]
        self.scale: float = min(1.0, (max_size[0] - PANEL) / width, max_size[1] / height)
        self.size: tuple[int, int] = (round(self.scale * width) + PANEL, max(round(self.scale * height), MIN_HEIGHT))
        self.refresh()

    def refresh(self) -> None:
        """Update everything from the session, after every decision."""
        session = self.session
        number = len(session.actions)
        self.board = session.board(max(0, number - 1))
        self.frames: list[Board] = []
        self.picture = self._picture(self.board)
        self.spots = self._spots()
        self.changed = changes(session.game.board(session.state_after(number - 1)), self.board) if number else {}
        self.action_spots = action_spots(session) if session.awaits_person else {}
        self.picked: list[Spot] = []
        self.hints: dict[int, str] = {}
        self.remark, self.waited = session.round_summary(), 0
        self.first = 0
        """Index of the first action that the list shows."""

    def _spots(self) -> dict[Spot, tuple[float, float]]:
        """The centre of every spot, in pixels."""
        places, points = centres(self.board)
        found = {(False, i): at for i, at in enumerate(places) if not self.board.places[i].tray}
        found |= {(True, i): at for i, at in enumerate(points)}
        return {spot: (self.scale * x, self.scale * y) for spot, (x, y) in found.items()}

    def _picture(self, board: Board) -> Image.Image:
        picture = Image.fromarray(draw_picture(board))
        return picture.resize([round(self.scale * length) for length in picture.size])

    @property
    def choices(self) -> list[int]:
        """The legal actions that concern all picked spots."""
        return self.concerning(self.picked)

    def concerning(self, picked: Sequence[Spot]) -> list[int]:
        """Return the legal actions that concern all of these spots."""
        return [action for action, spots in self.action_spots.items() if spots.all.issuperset(picked)]

    # Events.

    def wait(self, milliseconds: int) -> None:
        """Let time pass: advance the animation, or play the decision of an agent or a forced one."""
        self.waited += milliseconds
        if self.frames:
            shown, self.waited = divmod(self.waited, self.pace)
            self.frames = self.frames[shown:]
            self.picture = self._picture(self.frames[0] if self.frames else self.board)
        elif self.waited >= DECISION_PAUSE and self.session.mover >= 0 and not self.session.awaits_person:
            self.decide(None)

    def decide(self, action: int | None) -> None:
        """Play an action; with None the agent decides, or the only legal action is played."""
        session = self.session
        if action is None:
            session.reply()
        else:
            session.play(action)
        frames = sowing_frames(session.game, session.state_after(len(session.actions) - 1), session.actions[-1])
        self.refresh()
        self.frames, self.pace = frames, max(1, min(SEED_PAUSE, MAX_SOWING // max(1, len(frames))))
        if frames:
            self.picture = self._picture(frames[0])

    def skip_animation(self) -> bool:
        """End the sowing animation; return whether one was running."""
        running = bool(self.frames)
        if running:
            self.frames, self.waited = [], 0
            self.picture = self._picture(self.board)
        return running

    def click(self, x: float, y: float) -> None:
        """Handle a click on a spot of the board or an action in the list."""
        if self.skip_animation():
            return
        row = self.row_at(x, y)
        if row is not None:
            self.decide(row)
            return
        spot = self.spot_at(x, y)
        if spot is None:
            return
        # Narrow the choice down; if no action concerns this spot too, start again with this spot.
        for picked in ([*self.picked, spot], [spot]):
            choices = self.concerning(picked)
            if len(choices) == 1:
                self.decide(choices[0])
                return
            if choices:
                self.picked, self.first = picked, 0
                return
        self.picked = []

    def key(self, name: str) -> None:
        """Handle a key, given by name: the number of an action in the list, or one of `KEYS`."""
        if self.skip_animation():
            return
        numbered = {str(number): action for number, action in enumerate(self.shown(), 1)}
        if name in numbered:
            self.decide(numbered[name])
        elif name == "u":
            if self.session.undo():
                self.refresh()
        elif name == "h" and self.action_spots:
            self.hint()
        elif name == "s" and self.session.actions:
            try:
                self.session.save(self.save_to)
            except OSError as error:
                self.remark = f"could not save: {error}"
            else:
                self.remark = f"saved to {self.save_to}"
        elif name == "escape":
            self.picked = []

    def hint(self) -> None:
        """Let a search rate every action, and show the values in the list."""
        agent = self.session.hint_agent
        found = self.session.analyse(agent)
        self.hints = {action: value_in_words(value, agent) for action, value in found.values.items()}
        self.remark = f"{agent} would play: {self.session.names[found.action]}"

    def scroll(self, lines: int) -> None:
        """Scroll the list up by a number of lines, down if negative."""
        self.first = max(0, min(self.first - lines, len(self.choices) - self.rows))

    # Layout.

    @property
    def left(self) -> int:
        """Left edge of the panel."""
        return self.size[0] - PANEL

    @property
    def rows(self) -> int:
        """Number of actions that fit into the list."""
        return (self.size[1] - self.top - (LOG_LENGTH + 4) * LINE) // LINE

    top = EDGE + 3 * LINE
    """Upper edge of the list."""

    def shown(self) -> list[int]:
        """Return the actions that the list shows."""
        return self.choices[self.first : self.first + self.rows]

    def row_at(self, x: float, y: float) -> int | None:
        """Return the action in the list at a position, None if there is none."""
        line = int((y - self.top) // LINE)
        shown = self.shown()
        return shown[line] if x >= self.left and 0 <= line < len(shown) else None

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the spot of the board at a position, None if there is none."""
        near = [(np.hypot(at[0] - x, at[1] - y), spot) for spot, at in self.spots.items()]
        near = [(distance, spot) for distance, spot in near if distance <= self.reach(spot)]
        return min(near)[1] if near else None

    def reach(self, spot: Spot) -> int:
        """Return the radius of a spot in pixels."""
        return round(self.scale * (MAN if spot[0] else RADIUS))

    # Drawing.

    def draw(self) -> Picture:
        """Draw the window as an (H, W, 3) uint8 picture."""
        image = Image.new("RGB", self.size, PAPER)
        image.paste(self.picture, (0, 0))
        if not self.frames:
            self._draw_rings(image)
        self._draw_panel(image)
        return np.asarray(image)

    def _draw_rings(self, image: Image.Image) -> None:
        """Draw rings around changed holes, around spots with legal actions and around picked spots."""
        row = self.row_at(*self.mouse)
        for spot, difference in self.changed.items():
            if not spot[0]:
                self._ring(image, spot, MARKED, RING_WIDTH, 4)
                x, y = self.spots[spot]
                at = (round(x + self.reach(spot)), round(y - self.reach(spot)))
                write(image, f"{difference:+d}", at, SMALL, CHANGE, "middle", 2 * self.reach(spot))
        colour = player_colour(self.session.mover)
        if row is not None:
            active, width = self.action_spots[row].all, HIGHLIGHT_WIDTH
        else:
            offered = (self.action_spots[action].offered(frozenset(self.picked)) for action in self.choices)
            active, width = frozenset[Spot]().union(*offered), RING_WIDTH
        for spot in active:
            self._ring(image, spot, colour, width, 0)
        for spot in self.picked:
            self._ring(image, spot, MARKED, HIGHLIGHT_WIDTH, 0)

    def _ring(self, image: Image.Image, spot: Spot, colour: Colour, width: int, gap: int) -> None:
        """Draw a ring; one around a hole is open below, where the number of seeds is."""
        (x, y), reach = self.spots[spot], self.reach(spot) + gap
        angles = (0, 360) if spot[0] else (118, 422)
        ImageDraw.Draw(image).arc((x - reach, y - reach, x + reach, y + reach), *angles, fill=colour, width=width)

    def _draw_panel(self, image: Image.Image) -> None:
        """Draw the panel: the player to move, the list of actions, the latest decisions and the keys."""
        session, left, draw = self.session, self.left + EDGE, ImageDraw.Draw(image)
        max_width = PANEL - 2 * EDGE

        def line(text: str, y: int, colour: Colour = QUIET, size: int = SMALL) -> None:
            write(image, text, (left, y), size, colour, "left", max_width)

        said, more = f"{session.name(session.mover)} is to move", f"{session.task}:" if self.action_spots else ""
        if session.mover < 0:
            said, _, more = session.result().partition("; ")
        line(said, EDGE + 8, INK, TEXT)
        line(more, EDGE + 8 + LINE, INK, TEXT)
        hovered = self.row_at(*self.mouse)
        for number, action in enumerate(self.shown()):
            y = self.top + number * LINE
            box = (left - 6, y, left + max_width + 6, y + LINE - 4)
            draw.rounded_rectangle(box, 4, fill=HOVER if action == hovered else BUTTON)
            middle, value = y + LINE // 2 - 2, self.hints.get(action, "")
            line(str(number + 1) if number < 9 else "", middle)
            write(image, session.names[action], (left + 22, middle), SMALL, INK, "left", max_width - 80)
            write(image, value, (left + max_width - 24, middle), SMALL, CHANGE, "middle", 60)
        hidden = len(self.choices) - len(self.shown())
        y = self.top + self.rows * LINE + LINE // 2
        line(f"{hidden} more: scroll" if hidden else "", y)
        for number in range(max(0, len(session.actions) - LOG_LENGTH), len(session.actions)):
            y += LINE
            line(session.describe(number), y)
        line(self.remark, self.size[1] - EDGE - LINE, CHANGE)
        line(KEYS, self.size[1] - EDGE)


def play_in_window(session: Session, save_to: Path) -> None:
    """Play a session in a window until the window is closed.

    Args:
        session: the game.
        save_to: the file to which `s` appends the recorded game.

    Raises:
        DependencyNotInstalled: if pygame is not installed.
        RunError: if no window can be opened, for example because there is no display.
    """
    pygame = load_pygame()
    try:
        pygame.display.init()
    except pygame.error as error:
        raise RunError(f"no window can be opened: {error}") from None
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
