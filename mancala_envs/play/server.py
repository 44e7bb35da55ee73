"""The server of the browser board: one session, one page, and a JSON interface for that page.

| method | path | answer or effect |
|---|---|---|
| GET | `/` | the page |
| GET | `/session` | the current session, see `view.describe`, and `revision`, the number of changes made to it |
| GET | `/scene/NUMBER` | the board after `NUMBER` decisions, see `view.scene` |
| GET | `/games`, `/games/NAME` | all games; one game with its options, see `view.game` |
| GET | `/recording` | the game so far as a line for `scripts/replay.py` |
| POST | `/act` | plays `action` for a person |
| POST | `/reply` | lets an agent decide, or plays the only legal action |
| POST | `/undo` | see `Session.undo` |
| POST | `/hint` | analyses the position with `agent`, by default the usual one, see `view.analysis` |
| POST | `/new` | starts a game: `game`, `campaign`, `options`, `people`, `opponent`, `seed`; or one from a `position` |
| POST | `/recording` | continues a recorded game from its end; `recording`: a line of a recorder's file |

The body of every POST is a JSON object that contains the `revision` it refers to. The answer is the changed session, or
the analysis for `/hint`. A request that cannot be carried out changes nothing and gets a JSON object with an `error`
message. Its status is 409 if the revision is out of date, 403 if the request names another host or comes from a page of
another origin, and 400 in most other cases.
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
from mancala_envs.core.notation import game_of_position
from mancala_envs.play import view
from mancala_envs.play.page import page
from mancala_envs.play.session import Session, begin_session, resume_session

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
"""Allowed names in the Host header. Any other name may be an attack by DNS rebinding."""
MAX_BODY = 2**25
"""Maximum size of a request body in bytes."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
TYPE_NAMES = {
    str: "a string",
    int: "an integer of at most 63 bits",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}

Data = dict[str, Any]


class OutOfDate(ValueError):
    """A request refers to an earlier revision of the session."""


class SharedSession:
    """The session of the server, accessed by one request at a time.

    Attributes:
        session: the current session.
        revision: how often it has changed.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.revision = session, 0
        # Loading a saved model can run code: the page may select only the one given on the command line.
        self._opponent = session.opponent
        self._lock = Lock()

    def read(self, function: Callable[[Session], Any]) -> Any:
        """Return `function(session)`, computed while no other request changes the session."""
        with self._lock:
            return function(self.session)

    def describe(self) -> Data:
        """Return the description of the session, with its revision."""
        with self._lock:
            return self._describe()

    def _describe(self) -> Data:
        return {"revision": self.revision, **view.describe(self.session)}

    def handle(self, data: Data, command: Callable[["SharedSession", Data], Data | None]) -> Data:
        """Run a command on the session.

        Args:
            data: the body of the request.
            command: one of the methods below.

        Returns:
            The result of the command, or the changed session if the command returns None.

        Raises:
            OutOfDate: if the request refers to an earlier revision.
            ValueError: if the command cannot be carried out; the session does not change.
        """
        with self._lock:
            if data.get("revision") != self.revision:
                raise OutOfDate(
                    f"the session has changed: its revision is {self.revision}, not {data.get('revision')!r}"
                )
            result = command(self, data)
            if result is not None:
                return result
            self.revision += 1
            return self._describe()

    # Commands.

    def act(self, data: Data) -> None:
        """Play an action for a person."""
        if self.session.mover not in self.session.people:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is an agent's turn: use /reply")
        self.session.play(field(data, "action", int))

    def reply(self, data: Data) -> None:
        """Let an agent decide, or play the only legal action."""
        if self.session.mover < 0 or self.session.awaits_person:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is a person's turn: use /act")
        self.session.reply()

    def undo(self, data: Data) -> None:
        """Return to the last choice of a person."""
        if not self.session.undo():
            raise ValueError("there is nothing to undo")

    def hint(self, data: Data) -> Data:
        """Analyse the position."""
        if self.session.mover < 0:
            raise ValueError("the game is over")
        return view.analysis(self.session, field(data, "agent", str, self.session.hint_agent))

    def new(self, data: Data) -> None:
        """Start another game, or the same one from another position."""
        position = field(data, "position", str, "").strip() or None
        if position is not None and "game" not in data:
            name, campaign, options = game_of_position(position)
        else:
            name, campaign = field(data, "game", str), field(data, "campaign", bool, False)
            options = field(data, "options", dict, {})
        opponent = field(data, "opponent", str, self.session.opponent)
        if opponent not in (*NAMES, self._opponent) and not is_search(opponent):
            allowed = f"{ALLOWED}, or the one given when the program was started"
            raise ValueError(f"opponent must be one of {allowed}, got {opponent!r}")
        seed = None if data.get("seed") is None else field(data, "seed", int)
        try:
            self.session = begin_session(name, campaign, options, self._people(data), opponent, seed, position)
        except TypeError as error:
            raise ValueError(str(error)) from error

    def resume(self, data: Data) -> None:
        """Continue a recorded game from its end."""
        try:
            line = json.loads(field(data, "recording", str))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a recording must be a line of JSON: {error}") from error
        self.session = resume_session(line, self._people(data), self.session.opponent, self.session.seed)

    def _people(self, data: Data) -> list[int]:
        people: list[int] = field(data, "people", list, sorted(self.session.people))
        if not all(type(seat) is int for seat in people):
            raise ValueError(f"people must be a list of player numbers, got {people!r}")
        return people


def field(data: Data, name: str, kind: type, *default: Any) -> Any:
    """Return a field of a request.

    Args:
        data: the body of the request.
        name: name of the field.
        kind: the type that its value must have.
        *default: the value of a field that is absent; without it the field is required.

    Raises:
        ValueError: if the field is required but absent, or its value has another type.
    """
    value = data.get(name, *default)
    if type(value) is not kind or (isinstance(value, int) and abs(value) >= 2**63):
        raise ValueError(f"{name} must be {TYPE_NAMES[kind]}, got {value!r}")
    return value


def application(session: Session) -> Starlette:
    """Return the web application that serves a session."""
    shared = SharedSession(session)

    def front(request: Request) -> Response:
        return HTMLResponse(page())

    def current(request: Request) -> Response:
        return JSONResponse(shared.describe())

    def scene(request: Request) -> Response:
        number = request.path_params["number"]
        return JSONResponse(shared.read(lambda session: view.scene(session, number)))

    def games(request: Request) -> Response:
        return JSONResponse(view.games())

    def game(request: Request) -> Response:
        return JSONResponse(view.game(request.path_params["name"]))

    def recording(request: Request) -> Response:
        line = shared.read(lambda session: session.recording)
        name = f'attachment; filename="{line["game"]}.jsonl"'
        return Response(json.dumps(line) + "\n", media_type="application/json", headers={"Content-Disposition": name})

    def command_route(path: str, command: Callable[[SharedSession, Data], Data | None]) -> Route:
        async def post(request: Request) -> Response:
            data = await read_body(request)
            return JSONResponse(await run_in_threadpool(shared.handle, data, command))

        return Route(path, post, methods=["POST"])

    return Starlette(
        routes=[
            Route("/", front),
            Route("/session", current),
            Route("/scene/{number:int}", scene),
            Route("/games", games),
            Route("/games/{name}", game),
            Route("/recording", recording, methods=["GET"]),
            command_route("/act", SharedSession.act),
            command_route("/reply", SharedSession.reply),
            command_route("/undo", SharedSession.undo),
            command_route("/hint", SharedSession.hint),
            command_route("/new", SharedSession.new),
            command_route("/recording", SharedSession.resume),
        ],
        middleware=[Middleware(SameOriginOnly)],
        exception_handlers={ValueError: error_response, HTTPException: error_response},
    )


async def read_body(request: Request) -> Data:
    """Return the JSON object in the body of a request.

    Raises:
        HTTPException: if the body is too large or not a JSON object.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "the content type must be application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise HTTPException(413, f"the body must have at most {MAX_BODY} bytes")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"the body must be JSON: {error}") from error
    if not isinstance(data, dict):
        raise HTTPException(400, "the body must be a JSON object")
    return data


def error_response(request: Request, error: Exception) -> Response:
    """Return the response that reports an error."""
    if isinstance(error, HTTPException):
        return JSONResponse({"error": error.detail}, error.status_code, error.headers)
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, OutOfDate) else 400)


class SameOriginOnly:
    """Middleware that rejects requests from other sites and adds `HEADERS` to every response.

    A request must name this machine in its Host header, and come from the page itself or from a program that sends no
    Origin header.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or refuse it with status 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        reason = rejection(Headers(scope=scope))
        app = JSONResponse({"error": reason}, 403) if reason else self._app
        await app(scope, receive, send_with_headers)


def rejection(headers: Headers) -> str:
    """Return why a request with these headers is rejected, "" if it is allowed."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if host.partition(":")[0] not in HOSTS:
        return f"Host must be one of {', '.join(HOSTS)}, got {host!r}"
    if origin not in (None, f"http://{host}"):
        return f"Origin must be http://{host}, got {origin!r}"
    return ""


def listen(port: int) -> socket:
    """Open a listening socket that only this machine can reach.

    A browser may connect before the server runs; its request waits.

    Args:
        port: the port; 0 selects any free one.

    Raises:
        OSError: if the port cannot be used, for example because it is taken.
        OverflowError: if the number is not a port.
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


def serve(session: Session, listener: socket, open_page: bool) -> None:
    """Serve a session until Ctrl-C.

    Args:
        session: the session.
        listener: a socket from `listen`.
        open_page: whether to open the page in the default browser.
    """
    address = f"http://{HOST}:{listener.getsockname()[1]}/"
    print(f"{session.game.header}, seed {session.seed}: {address} (Ctrl-C ends)", flush=True)
    if open_page:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(application(session), log_level="warning", access_log=False))
    server.run(sockets=[listener])
