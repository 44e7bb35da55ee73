"""Play a session in the terminal: people type their decisions and read what happens."""

import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from textwrap import indent

from mancala_envs.play.session import Session, turn_key
from mancala_envs.programs.arguments import as_called
from mancala_envs.render import draw_text

with suppress(ImportError):  # Windows has no readline, but its console can edit lines.
    import readline  # noqa: F401, enables line editing in `input`

HELP = """Type the number of an action, or words of its name, abbreviated as you like: `3`, `3 clock`, `23 nw`.
Separate several decisions of one turn by semicolons: `2; w; s`.
  hint          let a search rate every action; `hint minimax:6` chooses the search, Ctrl-C cancels it
  undo          undo your last decision and everything after it
  board         show the board again
  save FILE     append the game so far to FILE, for scripts/replay.py
  position      print the whole state as a line of text, for --position; it includes hidden information
  help, quit"""
WIDTH = 110
"""Maximum line length of the list of actions, in characters."""
MAX_SINGLE_COLUMN = 12
"""Up to this many actions are listed in one column."""

Ask = Callable[[str], str | None]
"""Shows a prompt and returns the line that was typed, None at the end of the input."""
Write = Callable[[str], None]
"""Shows text."""


class TerminalGame:
    """A session in the terminal: asks people for their decisions, and reports every decision.

    Attributes:
        session: the game.
        ask: reads a line.
        write: shows text.
        shown: the number of decisions made when the board was last shown.
        secrets: the decisions that are still secret from people.
    """

    def __init__(self, session: Session, ask: Ask, write: Write) -> None:
        self.session, self.ask, self.write = session, ask, write
        self.shown = 0
        self.secrets: list[int] = []

    def run(self) -> None:
        """Play until the user quits or the input ends."""
        self.show()
        while True:
            while self.session.people and self.session.mover >= 0 and not self.session.awaits_person:
                self.reply()
            if len(self.session.actions) != self.shown:
                self.show()
            typed = self.ask(self.prompt())
            if typed is None or typed.strip() == "quit":
                return
            self.respond(typed.strip())

    def prompt(self) -> str:
        """Return the prompt for the next line."""
        session = self.session
        if session.mover < 0:
            return "over: undo, save FILE or quit> "
        if not session.people:
            return "Enter plays a turn> "
        return f"{session.name(session.mover)}, {session.task}> "

    def respond(self, typed: str) -> None:
        """Run a command, or play the action that was typed."""
        command, _, argument = typed.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.write(HELP),
            "hint": self.hint,
            "undo": lambda _: self.undo(),
            "board": lambda _: self.show(),
            "save": self.save,
            "position": lambda _: self.write(self.session.game.text(self.session.state)),
        }
        if command in commands:
            commands[command](argument.strip())
        elif self.session.mover < 0:
            self.write("the game is over: undo, save FILE, position or quit")
        elif not typed:
            self.empty_line()
        else:
            self.choose(typed)

    def choose(self, typed: str) -> None:
        """Play the actions typed, separated by semicolons, as long as the turn lasts.

        An ambiguous action is not played; the actions it may mean are listed instead.
        """
        session = self.session
        first, _, rest = (part.strip() for part in typed.partition(";"))
        found = session.matching(first)
        if len(found) != 1:
            unknown = f"{first!r} matches no legal action; press Enter to list them"
            self.write(f"{first!r} matches several actions:" if found else unknown)
            if found:
                self.list(found)
            return
        turn = turn_key(session.state)
        session.play(found[0])
        self.report()
        while session.mover >= 0 and turn_key(session.state) == turn and not session.awaits_person:
            self.reply()
        if rest and session.awaits_person and turn_key(session.state) == turn:
            self.choose(rest)
        elif rest:
            self.write(f"the turn is over; not played: {rest}")

    def empty_line(self) -> None:
        """List the legal actions; in a game between agents only, play a turn instead."""
        session = self.session
        if session.people:
            self.list(session.legal)
            return
        turn = turn_key(session.state)
        while session.mover >= 0 and turn_key(session.state) == turn:
            self.reply()

    # Commands.

    def hint(self, agent: str) -> None:
        """Show the value that a search gives every action; with `agent` "" the search is `Session.hint_agent`."""
        if self.session.mover < 0:
            self.write("the game is over")
            return
        try:
            self.write("\n".join(self.session.hint(agent or self.session.hint_agent)))
        except ValueError as error:
            self.write(str(error))
        except KeyboardInterrupt:
            self.write("\nthe hint was cancelled")

    def undo(self) -> None:
        """Return to the last choice of a person, see `Session.undo`."""
        if self.session.undo():
            self.shown = len(self.session.actions)
            self.show()
        else:
            self.write("there is nothing to undo")

    def save(self, path: str) -> None:
        """Append the game to the recordings in the file `path`."""
        if not path:
            self.write("the name of the file is missing: save FILE")
            return
        if not self.session.actions:
            self.write("there is nothing to save: no decision has been made")
            return
        try:
            self.session.save(Path(path))
        except (OSError, ValueError) as error:  # ValueError: the name contains a zero byte.
            self.write(f"the game could not be saved: {error}")
        else:
            self.write(as_called(f"saved; to replay it: python scripts/replay.py {path}"))

    # Output.

    def reply(self) -> None:
        """Play the decision of an agent, or the only legal action of a person, and report it."""
        session = self.session
        forced = session.mover in session.people
        session.reply()
        self.report("  (the only legal action)" if forced else "")

    def report(self, remark: str = "") -> None:
        """Report the last decision, secrets it revealed, and the standing of the campaign if a round began."""
        session = self.session
        last = len(session.actions) - 1
        self.write(session.describe(last) + remark)
        for number in self.secrets:
            if number < last and not session.is_secret(number):
                self.write(f"revealed: {session.describe(number)}")
        self.secrets = [number for number in {*self.secrets, last} if number <= last and session.is_secret(number)]
        if summary := session.round_summary():
            self.write(summary)

    def show(self) -> None:
        """Show the board, with the legal actions if a person is to choose or the result if the game is over."""
        session = self.session
        self.write("\n" + indent(draw_text(session.numbered_board(self.shown)), "  ") + "\n")
        self.shown = len(session.actions)
        if session.mover < 0:
            self.write(session.result())
        elif session.awaits_person:
            self.list(session.legal)

    def list(self, actions: list[int]) -> None:
        """List actions by number and name, in columns if there are many."""
        names = self.session.names
        width = max(len(str(action)) for action in actions)
        cells = [f"{action:{width}}  {names[action]}" for action in actions]
        widest = max(map(len, cells)) + 3
        columns = 1 if len(cells) <= MAX_SINGLE_COLUMN else max(1, WIDTH // widest)
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.write("  " + "".join(cell.ljust(widest) for cell in cells[row::rows]).rstrip())


def play_in_terminal(session: Session) -> None:
    """Play a session on standard input and output until the user quits."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # Otherwise a mistyped byte would end the game.
    print(f"{session.game.header}, seed {session.seed}; type help for a list of commands")
    TerminalGame(session, ask, print).run()


def ask(prompt: str) -> str | None:
    """Read a line from standard input, None at its end."""
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
