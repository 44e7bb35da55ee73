"""The server of the browser board: one session, one page, and a JSON interface for that page.

| method | path | answer or effect |
|---|---|---|
| GET | `/` | the page |
| GET | `/session` | the current session, see `view.describe`, and `revision`, a number that grows with every change |
| GET | `/scene/NUMBER` | the board after `NUMBER` decisions, see `view.scene` |
| GET | `/preview/REVISION/ACTION` | where an action leads, see `view.previewed`; null if the revision is out of date |
| GET | `/games`, `/games/NAME` | all games; one game with its options, see `view.game` |
| GET | `/recording` | the game so far as a line for `scripts/replay.py` |
| GET | `/progress` | how far the running computation is, see `Computation.describe`; null if nothing is computed |
| POST | `/act` | plays `action` for a person |
| POST | `/reply` | lets an agent decide, or plays the only legal action |
| POST | `/skip` | plays on until a person has a choice, with `to_end` to the end of the game, see `Session.play_on` |
| POST | `/resign` | see `Session.resign` |
| POST | `/undo` | see `Session.undo` |
| POST | `/hint` | analyses the position with `agent`, by default `Session.hint_agent`, see `view.analysis` |
| POST | `/evaluations` | evaluates all positions of the game so far, see `view.evaluations` |
| POST | `/new` | starts a game: `game`, `campaign`, `options`, `people`, `opponent`, `seed`; or one from a `position` |
| POST | `/recording` | continues a recorded game from its end; `recording`: a line of a recorder's file |
| POST | `/cancel` | cancels the running computation; the answer says whether there was one |

The body of every POST is a JSON object, which contains the `revision` it refers to, except for `/cancel`. The answer is
the changed session, or the analysis for `/hint` and `/evaluations`. A request that cannot be carried out changes
nothing and gets a JSON object with an `error` message. Its status is 409 if the revision is out of date or another POST
is being computed, 403 if the request names another host or comes from a page of another origin, 503 if the server is
stopping, and 400 in most other cases. A computation is cancelled after `MAX_SECONDS`. A cancelled `/skip` or
`/evaluations` keeps what it has done so far.
"""

import json
import webbrowser
from asyncio import wrap_future
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Event, RLock, Thread
from time import monotonic, time_ns
from typing import Any, TypeAlias

from mancala_envs.agents.agent import AGENTS, is_search
from mancala_envs.agents.compiled import NAMES
from mancala_envs.core.arguments import short
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.notation import game_of_position
from mancala_envs.core.pauses import watched
from mancala_envs.play import view
from mancala_envs.play.page import page
from mancala_envs.play.session import Session, begin_session, resume_session
from mancala_envs.wrappers import Recording

with needs_extra():
    import uvicorn
    from starlette.applications import Starlette
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
"""Allowed names in the Host header. Any other name may be an attack by DNS rebinding."""
MAX_BODY = 2**23
"""Maximum size of a request body in bytes. A recording takes about 80 bytes for each decision."""
MAX_SECONDS = 300
"""Maximum duration of a computation, such as a search, in seconds."""
MAX_LAPS = 1000
"""Highest option `max_laps` that a page may ask for. A move that never ends is explained lap by lap in plain Python."""
CANCEL_SECONDS = 2
"""How long `/cancel` waits for the end of the computation, in seconds. A compilation cannot be cancelled."""
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


def first_revision() -> int:
    """Return a number above the revisions of all earlier servers, so that a page of one of them is out of date."""
    return time_ns() // 1_000_000


class OutOfDate(ValueError):
    """A request refers to an earlier revision of the session."""


class Busy(ValueError):
    """Another request is being computed."""


class Cancelled(Exception):
    """A computation was cancelled."""


class Computation:
    """A computation that a request waits for, such as a search. Other requests can follow it or cancel it.

    Attributes:
        ended: set when it has ended.
    """

    def __init__(self) -> None:
        self.ended = Event()
        self._begun, self._progress, self._cancelled = monotonic(), (0, 0, ""), False

    def run(self, work: Callable[[], Any]) -> Any:
        """Return `work()`.

        Raises:
            Cancelled: if it was cancelled, or took longer than MAX_SECONDS.
        """
        with watched(self._watch):
            return work()

    def cancel(self) -> None:
        """Cancel the computation, at its next pause."""
        self._cancelled = True

    def describe(self) -> Data:
        """Describe the progress: `seconds`, and the work `done` and its `total` (0 if unknown) in a `unit`."""
        done, total, unit = self._progress
        return {"seconds": round(monotonic() - self._begun, 1), "done": done, "total": total, "unit": unit}

    def _watch(self, done: int, total: int, unit: str) -> None:
        self._progress = (done, total, unit)
        if self._cancelled:
            raise Cancelled("cancelled")
        if monotonic() - self._begun > MAX_SECONDS:
            raise Cancelled(f"cancelled, because it took longer than {MAX_SECONDS} seconds")


Steps: TypeAlias = tuple[Callable[[], Any], Callable[[Any], Data | None]]
"""The computation for a request, and a function of its result that changes the session or returns the answer."""
Command: TypeAlias = Callable[["SharedSession", Data], Steps]
"""Checks a request and returns its steps."""


class SharedSession:
    """The session of the server, which one request at a time can change.

    Requests that only read are answered while another one is computed.

    Attributes:
        session: the current session.
        revision: a number that grows with every change, and that no earlier server has used.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.revision = session, first_revision()
        # Loading a saved model can run code: the page may select only the one given on the command line.
        self._opponent = session.opponent
        self._lock = RLock()
        """Held while the session is read or changed, but not while a request is computed."""
        self._computation: Computation | None = None

    def describe(self) -> Data:
        """Return the description of the session, with its revision."""
        with self._lock:
            return {"revision": self.revision, **view.describe(self.session)}

    def scene(self, number: int) -> Data:
        """Return the description of the board after `number` decisions."""
        with self._lock:
            return view.scene(self.session, number)

    def preview(self, revision: int, action: int) -> Data | None:
        """Return where a legal action of a person leads, None if the revision is out of date."""
        with self._lock:
            return view.previewed(self.session, action) if revision == self.revision else None

    def recording(self) -> Data:
        """Return the game so far as a recorded episode."""
        with self._lock:
            return self.session.recording

    def handle(self, data: Data, command: Command) -> Data:
        """Run a command on the session.

        Args:
            data: the body of the request.
            command: one of the methods below.

        Returns:
            The answer of the command, or the changed session if it has none.

        Raises:
            OutOfDate: if the request refers to an earlier revision.
            Busy: if another command is running.
            Cancelled: if the command was cancelled; the session does not change.
            ValueError: if the command cannot be carried out; the session does not change.
        """
        with self._lock:
            revision = data.get("revision")
            if revision != self.revision:
                raise OutOfDate(f"the session has changed: its revision is {self.revision}, not {short(revision)}")
            if self._computation is not None:
                raise Busy("another request is still being computed: wait, or use /cancel")
            work, finish = command(self, data)
            computation = self._computation = Computation()
        try:
            result = computation.run(work)
            with self._lock:
                answer = finish(result)
                if answer is not None:
                    return answer
                self.revision += 1
                return self.describe()
        finally:
            self._computation = None
            computation.ended.set()

    def progress(self) -> Data | None:
        """Return how far the running computation is, None if nothing is computed."""
        computation = self._computation
        return None if computation is None else computation.describe()

    def cancel(self) -> Data:
        """Cancel the running computation and wait for its end, though not for long."""
        computation = self.stop()
        if computation is not None:
            computation.ended.wait(CANCEL_SECONDS)
        return {"cancelled": computation is not None}

    def stop(self) -> Computation | None:
        """Cancel the running computation and return it, None if nothing is computed."""
        computation = self._computation
        if computation is not None:
            computation.cancel()
        return computation

    # Commands, see `Command`.

    def act(self, data: Data) -> Steps:
        """Play an action for a person."""
        if self.session.mover not in self.session.people:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is an agent's turn: use /reply")
        action = field(data, "action", int)
        return lambda: action, self.session.play

    def reply(self, data: Data) -> Steps:
        """Let an agent decide, or play the only legal action."""
        if self.session.mover < 0 or self.session.awaits_person:
            raise ValueError("the game is over" if self.session.mover < 0 else "it is a person's turn: use /act")
        return self.session.choice, self.session.play

    def skip(self, data: Data) -> Steps:
        """Play on until a person has a choice, or to the end; if this is cancelled, what was played remains."""
        to_end = field(data, "to_end", bool, False)
        if self.session.mover < 0:
            raise ValueError("the game is over")
        ahead = self.session.copy()
        return until_cancelled(partial(ahead.play_on, to_end)), lambda _: self._replace(ahead)

    def resign(self, data: Data) -> Steps:
        """Resign the game."""
        return lambda: None, lambda _: self.session.resign()

    def undo(self, data: Data) -> Steps:
        """Return to the last choice of a person."""

        def undo(_: None) -> None:
            if not self.session.undo():
                raise ValueError("there is nothing to undo")

        return lambda: None, undo

    def hint(self, data: Data) -> Steps:
        """Analyse the position."""
        if self.session.mover < 0:
            raise ValueError("the game is over")
        agent = field(data, "agent", str, self.session.hint_agent)
        self._require_allowed("agent", agent)
        return partial(self.session.analyse, agent), partial(view.analysis, self.session, agent)

    def evaluations(self, data: Data) -> Steps:
        """Evaluate all positions of the game so far; if this is cancelled, the values found remain."""
        session = self.session
        return until_cancelled(session.evaluate), lambda _: view.evaluations(session)

    def new(self, data: Data) -> Steps:
        """Start another game, or the same one from another position."""
        position = field(data, "position", str, "").strip() or None
        if position is not None and "game" not in data:
            name, campaign, options = game_of_position(position)
        else:
            name, campaign = field(data, "game", str), field(data, "campaign", bool, False)
            options = field(data, "options", dict, {})
        opponent = field(data, "opponent", str, self.session.opponent)
        self._require_allowed("opponent", opponent)
        seed = None if data.get("seed") is None else field(data, "seed", int)
        people = self._people(data)

        def begin() -> Session:
            try:
                return modest(begin_session(name, campaign, options, people, opponent, seed, position))
            except TypeError as error:
                raise ValueError(str(error)) from error

        return begin, self._replace

    def resume(self, data: Data) -> Steps:
        """Continue a recorded game from its end."""
        line = Recording.from_json(field(data, "recording", str)).line
        people, session = self._people(data), self.session
        return lambda: modest(resume_session(line, people, session.opponent, session.seed)), self._replace

    def _replace(self, session: Session) -> None:
        self.session = session

    def _require_allowed(self, name: str, agent: str) -> None:
        """Raise ValueError unless a page may select the agent; `name` is what the message calls it."""
        files = agent.startswith("perfect:") or not is_search(agent)
        if files and agent not in (*NAMES, self._opponent):
            allowed = f"{AGENTS}; a file must be the one given when the program was started"
            raise ValueError(f"{name} must be one of {allowed}, got {short(agent)}")

    def _people(self, data: Data) -> list[int]:
        people: list[int] = field(data, "people", list, sorted(self.session.people))
        if not all(type(seat) is int for seat in people):
            raise ValueError(f"people must be a list of player numbers, got {short(people)}")
        return people


def until_cancelled(work: Callable[[], Any]) -> Callable[[], None]:
    """Return a function that does the work, and returns when it is cancelled."""

    def run() -> None:
        with suppress(Cancelled):
            work()

    return run


def modest(session: Session) -> Session:
    """Return `session`, or raise ValueError if its decisions may take too long to explain."""
    laps = session.game.options.get("max_laps", 0)
    if laps > MAX_LAPS:
        raise ValueError(f"max_laps must be at most {MAX_LAPS} in the browser, got {laps}")
    return session


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
        raise ValueError(f"{name} must be {TYPE_NAMES[kind]}, got {short(value)}")
    return value


class Application(Starlette):
    """The web application that serves a session."""

    def __init__(self, session: Session) -> None:
        self._shared = SharedSession(session)
        self._waiting: set[Future[Any]] = set()
        super().__init__(
            routes=[
                Route("/", self._front),
                self._answer("/session", self._shared.describe),
                self._answer("/scene/{number:int}", self._shared.scene),
                self._answer("/preview/{revision:int}/{action:int}", self._shared.preview),
                self._answer("/games", view.games),
                self._answer("/games/{name}", view.game),
                self._answer("/progress", self._shared.progress),
                Route("/recording", self._recording, methods=["GET"]),
                Route("/cancel", self._cancel, methods=["POST"]),
                self._command("/act", SharedSession.act),
                self._command("/reply", SharedSession.reply),
                self._command("/skip", SharedSession.skip),
                self._command("/resign", SharedSession.resign),
                self._command("/undo", SharedSession.undo),
                self._command("/hint", SharedSession.hint),
                self._command("/evaluations", SharedSession.evaluations),
                self._command("/new", SharedSession.new),
                self._command("/recording", SharedSession.resume),
            ],
            middleware=[Middleware(SameOriginOnly)],
            exception_handlers=dict.fromkeys((ValueError, Cancelled, HTTPException, ClientDisconnect), error_response),
        )

    def stop(self) -> None:
        """Cancel the running computation, and answer all requests that still wait."""
        self._shared.stop()
        for result in list(self._waiting):
            with suppress(InvalidStateError):
                result.set_exception(HTTPException(503, "the server is stopping"))

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return `function(*arguments)`, computed in a thread that need not end before the program does."""
        result = Future[Any]()

        def run() -> None:
            # Meanwhile `stop` may have set a result, or the client may be gone.
            with suppress(InvalidStateError):
                try:
                    result.set_result(function(*arguments))
                except InvalidStateError:
                    raise
                except Exception as error:
                    result.set_exception(error)

        self._waiting.add(result)
        try:
            Thread(target=run, daemon=True).start()
            return await wrap_future(result)
        finally:
            self._waiting.discard(result)

    def _answer(self, path: str, function: Callable[..., Any]) -> Route:
        """Return a route that answers with a function of the parameters of the path."""

        async def get(request: Request) -> Response:
            return JSONResponse(await self._in_thread(partial(function, **request.path_params)))

        return Route(path, get)

    def _command(self, path: str, command: Command) -> Route:
        """Return a route that runs a command."""

        async def post(request: Request) -> Response:
            data = await read_body(request)
            return JSONResponse(await self._in_thread(self._shared.handle, data, command))

        return Route(path, post, methods=["POST"])

    async def _front(self, request: Request) -> Response:
        return HTMLResponse(page())

    async def _recording(self, request: Request) -> Response:
        line = await self._in_thread(self._shared.recording)
        name = f'attachment; filename="{line["game"]}.jsonl"'
        return Response(json.dumps(line) + "\n", media_type="application/json", headers={"Content-Disposition": name})

    async def _cancel(self, request: Request) -> Response:
        await read_body(request)
        return JSONResponse(await self._in_thread(self._shared.cancel))


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
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, OutOfDate | Busy) else 400)


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


class Server(uvicorn.Server):
    """A server that does not wait for computations when it stops."""

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop the application, then the server."""
        application = self.config.app
        assert isinstance(application, Application)
        application.stop()
        await super().shutdown(sockets)


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
    config = uvicorn.Config(Application(session), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    Server(config).run(sockets=[listener])
