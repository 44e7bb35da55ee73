"""The server of the board in the browser: one session, one page, and what the page asks in JSON.

| | | |
|---|---|---|
| GET | `/` | the page |
| GET | `/session` | the game as it is, see `view.describe`, and `moment`: how often it has changed |
| GET | `/scene/NUMBER` | the board after so many decisions, see `view.scene` |
| GET | `/games`, `/games/NAME` | what can be played, and what is agreed on before |
| GET | `/recording` | the game so far as a line for `scripts/replay.py` |
| POST | `/act` | `action`: a person decides |
| POST | `/reply` | an agent decides, or who has no choice |
| POST | `/undo` | see `Session.undo` |
| POST | `/hint` | `agent`, if not the usual one: what it thinks of every action, see `view.opinion` |
| POST | `/new` | another game: `game`, `campaign`, `options`, `people`, `opponent`, `seed`; or that of a `position` |
| POST | `/recording` | `recording`: a line of a file; the game goes on from its end |

Posts are JSON objects that say at which `moment` they were made, and are answered with the session as it is then, hints
excepted. What cannot be done is answered by 400 and `error`, in words, and changes nothing; what was said too late, by
409. Requests for another host's name, or from pages of another origin, are refused by 403.
"""

import json
import webbrowser
from collections.abc import Callable
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Lock
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mancala_envs.agents import ALLOWED, NAMES, is_search
from mancala_envs.play import view
from mancala_envs.play.page import page
from mancala_envs.play.session import Session, begin_session, game_in, resume_session

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
"""By these names this machine calls itself. Any other name that leads here is a trick of some page."""
LONGEST = 2**25
"""Bytes of a post."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
WHOLE = "a whole number of at most 63 bits"
KINDS = {str: "a text", int: WHOLE, bool: "true or false", list: "a list", dict: "an object"}

Data = dict[str, Any]


class TooLate(ValueError):
    """Something was said of a game that is another one by now."""


class SharedSession:
    """The one session of this server, changed by one request at a time. Attributes: `session`; `moment`, how often it
    has changed."""

    def __init__(self, session: Session) -> None:
        self.session, self.moment = session, 0
        # A saved model is a program: only whoever started this one may choose it.
        self._opponent = session.opponent
        self._alone = Lock()

    def look(self, what: Callable[[Session], Any]) -> Any:
        """Something of the game, as soon as nobody changes it."""
        with self._alone:
            return what(self.session)

    def describe(self) -> Data:
        """The game as it is, and the moment."""
        with self._alone:
            return self._describe()

    def _describe(self) -> Data:
        return {"moment": self.moment, **view.describe(self.session)}

    def hear(self, said: Data, do: Callable[["SharedSession", Data], Data | None]) -> Data:
        """Do what was said; returns what that tells, or the game as it is then. Raises ValueError for what cannot be
        done, and TooLate; nothing is changed then."""
        with self._alone:
            if said.get("moment") != self.moment:
                raise TooLate(f"the game has moved on: its moment is {self.moment}, not {said.get('moment')!r}")
            told = do(self, said)
            if told is not None:
                return told
            self.moment += 1
            return self._describe()

    # What can be said.

    def act(self, said: Data) -> None:
        """A person decides."""
        if self.session.mover not in self.session.people:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is an agent's turn: see /reply")
        self.session.play(given(said, "action", int))

    def reply(self, said: Data) -> None:
        """An agent decides, or who has no choice."""
        if self.session.mover < 0 or self.session.is_asking:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is a person's turn: see /act")
        self.session.reply()

    def undo(self, said: Data) -> None:
        """Back to the last choice of a person."""
        if not self.session.undo():
            raise ValueError("there is nothing to take back")

    def hint(self, said: Data) -> Data:
        """What a search thinks."""
        if self.session.mover < 0:
            raise ValueError("the game is over")
        return view.opinion(self.session, given(said, "agent", str, self.session.hint_by))

    def new(self, said: Data) -> None:
        """Another game, or another position."""
        position = given(said, "position", str, "").strip() or None
        if position is not None and "game" not in said:
            name, campaign, options = game_in(position)
        else:
            name, campaign = given(said, "game", str), given(said, "campaign", bool, False)
            options = given(said, "options", dict, {})
        opponent = given(said, "opponent", str, self.session.opponent)
        if opponent not in (*NAMES, self._opponent) and not is_search(opponent):
            allowed = f"{ALLOWED}, or the one with which the program was started"
            raise ValueError(f"opponent must be one of {allowed}, got {opponent!r}")
        seed = None if said.get("seed") is None else given(said, "seed", int)
        try:
            self.session = begin_session(name, campaign, options, self._people(said), opponent, seed, position)
        except TypeError as error:
            raise ValueError(str(error)) from error

    def resume(self, said: Data) -> None:
        """A recorded game, to go on from its end."""
        try:
            line = json.loads(given(said, "recording", str))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a recording is a line of JSON: {error}") from error
        self.session = resume_session(line, self._people(said), self.session.opponent, self.session.seed)

    def _people(self, said: Data) -> list[int]:
        people: list[int] = given(said, "people", list, sorted(self.session.people))
        if not all(type(seat) is int for seat in people):
            raise ValueError(f"people must be numbers of players, got {people!r}")
        return people


def given(said: Data, name: str, kind: type, *usual: Any) -> Any:
    """What was said under this name. Raises ValueError where it is of another kind, or lacking and not usual."""
    value = said.get(name, *usual)
    if type(value) is not kind or (isinstance(value, int) and abs(value) >= 2**63):
        raise ValueError(f"{name} must be {KINDS[kind]}, got {value!r}")
    return value


def application(session: Session) -> Starlette:
    """What answers the page."""
    shared = SharedSession(session)

    def front(request: Request) -> Response:
        return HTMLResponse(page())

    def whole(request: Request) -> Response:
        return JSONResponse(shared.describe())

    def scene(request: Request) -> Response:
        number = request.path_params["number"]
        return JSONResponse(shared.look(lambda session: view.scene(session, number)))

    def games(request: Request) -> Response:
        return JSONResponse(view.games())

    def game(request: Request) -> Response:
        return JSONResponse(view.game(request.path_params["name"]))

    def recording(request: Request) -> Response:
        line = shared.look(lambda session: session.recording)
        name = f'attachment; filename="{line["game"]}.jsonl"'
        return Response(json.dumps(line) + "\n", media_type="application/json", headers={"Content-Disposition": name})

    def hears(path: str, do: Callable[[SharedSession, Data], Data | None]) -> Route:
        async def post(request: Request) -> Response:
            said = await posted(request)
            return JSONResponse(await run_in_threadpool(shared.hear, said, do))

        return Route(path, post, methods=["POST"])

    return Starlette(
        routes=[
            Route("/", front),
            Route("/session", whole),
            Route("/scene/{number:int}", scene),
            Route("/games", games),
            Route("/games/{name}", game),
            Route("/recording", recording, methods=["GET"]),
            hears("/act", SharedSession.act),
            hears("/reply", SharedSession.reply),
            hears("/undo", SharedSession.undo),
            hears("/hint", SharedSession.hint),
            hears("/new", SharedSession.new),
            hears("/recording", SharedSession.resume),
        ],
        middleware=[Middleware(Doorkeeper)],
        exception_handlers={ValueError: refused, HTTPException: refused},
    )


async def posted(request: Request) -> Data:
    """The object that was posted. Raises HTTPException for anything else."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "a post must be of the type application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST:
            raise HTTPException(413, f"a post has at most {LONGEST} bytes")
    try:
        said = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"a post must be JSON: {error}") from error
    if not isinstance(said, dict):
        raise HTTPException(400, "a post must be a JSON object")
    return said


def refused(request: Request, error: Exception) -> Response:
    """Why something was not done, in words."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, TooLate) else 400)


class Doorkeeper:
    """Lets in only who asks for this machine by its own name, from the page itself or from no page at all; tells
    browsers to keep nothing and to show the page in no other."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        why = reproach(Headers(scope=scope))
        app = JSONResponse({"error": why}, 403) if why else self._app
        await app(scope, receive, send_with_headers)


def reproach(headers: Headers) -> str:
    """Why whoever asks with these headers must not come in; "" if he may."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if host.partition(":")[0] not in HOSTS:
        return f"Host must be one of {', '.join(HOSTS)}, got {host!r}"
    if origin not in (None, f"http://{host}"):
        return f"Origin must be http://{host}, got {origin!r}"
    return ""


def listening(port: int) -> socket:
    """A socket of this machine alone, where a browser may call before the server is ready: it waits for an answer.

    Raises OSError for a port that is taken, OverflowError for what is none.
    """
    listener = socket(AF_INET, SOCK_STREAM)
    try:
        listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def serve(session: Session, listener: socket, opens: bool) -> None:
    """Answer until Ctrl-C; `opens` the page in the browser."""
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    print(f"{session.game.header}, seed {session.seed}: {address} (Ctrl-C ends)", flush=True)
    if opens:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(application(session), log_level="warning", access_log=False))
    server.run(sockets=[listener])
