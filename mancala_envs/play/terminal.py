"""A game played in the terminal: people say what they decide, and are told what happens."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent

from mancala_envs.play.session import Session, turn_of
from mancala_envs.render import draw_text

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

    def __init__(self, session: Session, ask: Ask, tell: Tell) -> None:
        self.session, self.ask, self.tell = session, ask, tell
        self.seen = 0
        """How many decisions had been made when the board was last shown."""
        self.secrets: list[int] = []
        """The decisions that people do not know yet."""

    def run(self) -> None:
        """The whole game, until somebody quits or the input ends."""
        self.show()
        while True:
            while self.session.people and self.session.mover >= 0 and not self.session.is_asking:
                self.reply()
            if len(self.session.actions) != self.seen:
                self.show()
            said = self.ask(self.prompt())
            if said is None or said.strip() == "quit":
                return
            self.answer(said.strip())

    def prompt(self) -> str:
        session = self.session
        if session.mover < 0:
            return "over: undo, save FILE or quit> "
        if not session.people:
            return "Enter plays a turn> "
        return f"{session.name(session.mover)}, {session.task}> "

    def answer(self, said: str) -> None:
        """Do what was said."""
        command, _, more = said.partition(" ")
        commands = {"help": self.help, "hint": self.hint, "undo": self.undo, "save": self.save}
        commands |= {"board": self.again, "position": self.position}
        if command in commands:
            commands[command](more.strip())
        elif self.session.mover < 0:
            self.tell("the game is over: undo, save FILE, position or quit")
        elif not said:
            self.turn()
        else:
            self.choose(said)

    def choose(self, said: str) -> None:
        """Play the action that was meant, or list those that may be; of several those that are of one turn."""
        session = self.session
        first, _, more = (part.strip() for part in said.partition(";"))
        found = session.matching(first)
        if len(found) != 1:
            self.tell(f"which of these is {first!r}?" if found else f"no action is {first!r} here; Enter lists them")
            if found:
                self.list(found)
            return
        begun = turn_of(session.state)
        session.play(found[0])
        self.played()
        while session.mover >= 0 and turn_of(session.state) == begun and not session.is_asking:
            self.reply()
        if more and session.is_asking and turn_of(session.state) == begun:
            self.choose(more)
        elif more:
            self.tell(f"the turn is over; not played: {more}")

    def turn(self) -> None:
        """Nothing was said: a turn goes on where nobody plays, else what may be done is listed."""
        session = self.session
        if session.people:
            self.list(session.legal)
            return
        begun = turn_of(session.state)
        while session.mover >= 0 and turn_of(session.state) == begun:
            self.reply()

    # What can be said besides actions.

    def help(self, more: str) -> None:
        self.tell(HELP)

    def hint(self, agent: str) -> None:
        if self.session.mover < 0:
            self.tell("the game is over")
            return
        try:
            self.tell("\n".join(self.session.hint(agent or self.session.hint_by)))
        except ValueError as error:
            self.tell(str(error))

    def undo(self, more: str) -> None:
        if self.session.undo():
            self.seen = len(self.session.actions)
            self.show()
        else:
            self.tell("there is nothing to take back")

    def save(self, path: str) -> None:
        if not path:
            self.tell("where? save FILE")
            return
        if not self.session.actions:
            self.tell("nothing was played yet")
            return
        try:
            self.session.save(Path(path))
        except OSError as error:
            self.tell(f"it was not saved: {error}")
        else:
            self.tell(f"saved: python scripts/replay.py {path}")

    def again(self, more: str) -> None:
        self.show()

    def position(self, more: str) -> None:
        self.tell(self.session.game.text(self.session.state))

    # What is told.

    def reply(self) -> None:
        """An agent decides, or there is nothing to decide."""
        session = self.session
        forced = session.mover in session.people
        session.reply()
        self.played("  (there was no other choice)" if forced else "")

    def played(self, remark: str = "") -> None:
        """Tell of the last decision, of what is no secret any more, and how everyone stands where a round began."""
        session = self.session
        last = len(session.actions) - 1
        self.tell(session.told(last) + remark)
        for number in self.secrets:
            if number < last and not session.is_secret(number):
                self.tell(f"known now: {session.told(number)}")
        self.secrets = [number for number in {*self.secrets, last} if number <= last and session.is_secret(number)]
        if news := session.news():
            self.tell(news)

    def show(self) -> None:
        """The board, and what may be done."""
        session = self.session
        self.tell("\n" + indent(draw_text(session.numbered_board(self.seen)), "  ") + "\n")
        self.seen = len(session.actions)
        if session.mover < 0:
            self.tell(session.result())
        elif session.is_asking:
            self.list(session.legal)

    def list(self, actions: list[int]) -> None:
        """Actions by number and name."""
        names = self.session.names
        width = max(len(str(action)) for action in actions)
        cells = [f"{action:{width}}  {names[action]}" for action in actions]
        widest = max(map(len, cells)) + 3
        columns = 1 if len(cells) <= FEW else max(1, WIDTH // widest)
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.tell("  " + "".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip())


def play_in_terminal(session: Session) -> None:
    """The whole game with whoever sits at the terminal, until they quit."""
    print(f"{session.game.header}, seed {session.seed}; help tells what can be said besides actions")
    Conversation(session, ask, print).run()


def ask(prompt: str) -> str | None:
    """Whoever sits at the terminal."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
