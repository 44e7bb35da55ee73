"""Play a game by hand, in the terminal or by mouse in a window.

    python scripts/play.py kalah                                     # against mcts:400, from seat 0
    python scripts/play.py qelat --opponent minimax:6 --seat 1 --campaign --option max_rounds=4
    python scripts/play.py sokkattan --seat 0 2                      # two people, two agents
    python scripts/play.py oware --opponent runs/oware/model.zip --seat     # nobody: to watch
    python scripts/play.py nerenchi_keliya --window

Where there is one choice only it is taken for you. `help` tells what else can be said instead of an action: `hint`,
`undo`, `save FILE` for `scripts/replay.py`, `position` for `--position`. Luck is decided by the seed and by what was
done so far: what was taken back and done again comes out as before. In the window `s` saves to GAME.jsonl.
"""

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent

from mancala_envs.render import draw_text
from mancala_envs.scripts.seats import add_seats, seated
from mancala_envs.scripts.sitting import Sitting, turn_of

with suppress(ImportError):  # Not on Windows, which edits lines by itself.
    import readline  # noqa: F401, so that lines can be edited

HELP = """An action is chosen by its number or by words of its name, cut short as you like: `3`, `3 clock`, `23 nw`.
Several of one turn may be said at once: `2; w; s`.
  hint          what a search thinks of every action; `hint minimax:6` asks another one
  undo          take back your last decision, and what came after it
  board         show the board again
  save FILE     append the game so far to FILE, for scripts/replay.py
  position      the whole state as a line of text, for --position; it tells what is hidden, too
  help, quit"""
WIDTH = 110
"""Characters to a line of the list of actions."""
FEW = 12
"""So many actions stand one below the other; more in columns."""

Ask = Callable[[str], str | None]
"""A prompt -> what is said to it, None at the end of the input."""
Tell = Callable[[str], None]


class Conversation:
    """Asks people what they decide, and tells what happens, until somebody quits."""

    def __init__(self, sitting: Sitting, ask: Ask, tell: Tell) -> None:
        self.sitting, self.ask, self.tell = sitting, ask, tell
        self.seen = 0
        """How many decisions had been made when the board was last shown."""
        self.secrets: list[int] = []
        """The decisions that people do not know yet."""

    def run(self) -> None:
        """The whole game, until somebody quits or the input ends."""
        self.show()
        while True:
            while self.sitting.people and self.sitting.mover >= 0 and not self.sitting.is_asking:
                self.reply()
            if len(self.sitting.actions) != self.seen:
                self.show()
            said = self.ask(self.prompt())
            if said is None or said.strip() == "quit":
                return
            self.answer(said.strip())

    def prompt(self) -> str:
        sitting = self.sitting
        if sitting.mover < 0:
            return "over: undo, save FILE or quit> "
        if not sitting.people:
            return "Enter plays a turn> "
        return f"{sitting.name(sitting.mover)}, {sitting.task}> "

    def answer(self, said: str) -> None:
        """Do what was said."""
        command, _, more = said.partition(" ")
        commands = {"help": self.help, "hint": self.hint, "undo": self.undo, "save": self.save}
        commands |= {"board": self.again, "position": self.position}
        if command in commands:
            commands[command](more.strip())
        elif self.sitting.mover < 0:
            self.tell("the game is over: undo, save FILE, position or quit")
        elif not said:
            self.turn()
        else:
            self.choose(said)

    def choose(self, said: str) -> None:
        """Play the action that was meant, or list those that may be; of several those that are of one turn."""
        sitting = self.sitting
        first, _, more = (part.strip() for part in said.partition(";"))
        found = sitting.matching(first)
        if len(found) != 1:
            self.tell(f"which of these is {first!r}?" if found else f"no action is {first!r} here; Enter lists them")
            if found:
                self.list(found)
            return
        begun = turn_of(sitting.state)
        sitting.play(found[0])
        self.played()
        while sitting.mover >= 0 and turn_of(sitting.state) == begun and not sitting.is_asking:
            self.reply()
        if more and sitting.is_asking and turn_of(sitting.state) == begun:
            self.choose(more)
        elif more:
            self.tell(f"the turn is over; not played: {more}")

    def turn(self) -> None:
        """Nothing was said: a turn goes on where nobody plays, else what may be done is listed."""
        sitting = self.sitting
        if sitting.people:
            self.list(sitting.legal)
            return
        begun = turn_of(sitting.state)
        while sitting.mover >= 0 and turn_of(sitting.state) == begun:
            self.reply()

    # What can be said besides actions.

    def help(self, more: str) -> None:
        self.tell(HELP)

    def hint(self, agent: str) -> None:
        if self.sitting.mover < 0:
            self.tell("the game is over")
            return
        try:
            self.tell("\n".join(self.sitting.hint(agent or self.sitting.hint_by)))
        except ValueError as error:
            self.tell(str(error))

    def undo(self, more: str) -> None:
        if self.sitting.undo():
            self.seen = len(self.sitting.actions)
            self.show()
        else:
            self.tell("there is nothing to take back")

    def save(self, path: str) -> None:
        if not path:
            self.tell("where? save FILE")
            return
        if not self.sitting.actions:
            self.tell("nothing was played yet")
            return
        try:
            self.sitting.save(Path(path))
        except OSError as error:
            self.tell(f"it was not saved: {error}")
        else:
            self.tell(f"saved: python scripts/replay.py {path}")

    def again(self, more: str) -> None:
        self.show()

    def position(self, more: str) -> None:
        self.tell(self.sitting.game.text(self.sitting.state))

    # What is told.

    def reply(self) -> None:
        """An agent decides, or there is nothing to decide."""
        sitting = self.sitting
        forced = sitting.mover in sitting.people
        sitting.reply()
        self.played("  (there was no other choice)" if forced else "")

    def played(self, remark: str = "") -> None:
        """Tell of the last decision, of what is no secret any more, and how everyone stands where a round began."""
        sitting = self.sitting
        last = len(sitting.actions) - 1
        self.tell(sitting.told(last) + remark)
        for number in self.secrets:
            if number < last and not sitting.is_secret(number):
                self.tell(f"known now: {sitting.told(number)}")
        self.secrets = [number for number in {*self.secrets, last} if number <= last and sitting.is_secret(number)]
        if news := sitting.news():
            self.tell(news)

    def show(self) -> None:
        """The board, and what may be done."""
        sitting = self.sitting
        self.tell("\n" + indent(draw_text(sitting.numbered_board(self.seen)), "  ") + "\n")
        self.seen = len(sitting.actions)
        if sitting.mover < 0:
            self.tell(sitting.result())
        elif sitting.is_asking:
            self.list(sitting.legal)

    def list(self, actions: list[int]) -> None:
        """Actions by number and name."""
        names = self.sitting.names
        width = max(len(str(action)) for action in actions)
        cells = [f"{action:{width}}  {names[action]}" for action in actions]
        widest = max(map(len, cells)) + 3
        columns = 1 if len(cells) <= FEW else max(1, WIDTH // widest)
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.tell("  " + "".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip())


def ask(prompt: str) -> str | None:
    """Whoever sits at the terminal."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None


def prepared() -> tuple[Sitting, argparse.Namespace]:
    """Who sits at which game, and how it is played, as the command line has it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_seats(parser)
    parser.add_argument("--window", action="store_true", help="play by mouse; needs the extra [render]")
    args = parser.parse_args()
    return seated(parser, args), args


def main() -> None:
    sitting, args = prepared()
    try:
        if args.window:
            from mancala_envs.scripts.mouse import play_by_mouse  # Needs pygame.

            play_by_mouse(sitting, Path(f"{args.game}.jsonl"))
        else:
            print(f"{sitting.game.header}, seed {sitting.seed}; help tells what can be said besides actions")
            Conversation(sitting, ask, print).run()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
