"""A server with OpenAI's chat completions."""

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Completions(BaseHTTPRequestHandler):
    """Answers a request, as a stream if it asks for one, and notes it in `server.requests`."""

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, self.headers["Authorization"], content))
        status, body = self.server.reply or (200, self.completion(content))
        streamed = content.get("stream")
        self.send_response(status)
        self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
        sent = f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n" if streamed else json.dumps(body)
        self.send_header("Content-Length", str(len(sent.encode())))
        self.end_headers()
        self.wfile.write(sent.encode())

    def completion(self, content):
        """Return the answer to the last message."""
        message = {"role": "assistant", "content": self.server.answer(content["messages"][-1]["content"])}
        part, kind = ("delta", "chat.completion.chunk") if content.get("stream") else ("message", "chat.completion")
        choice = {"index": 0, part: message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
        return {"id": "1", "created": 0, "model": "m", "object": kind, "choices": [choice], "usage": usage}

    def log_message(self, *arguments):
        pass


@contextmanager
def serving(answer):
    """Serve a model, a function from prompts to answers; yield the server.

    `address` is the server's, `requests` lists the path, the key and the content of all requests, and `reply`, if it is
    set, is the status and the content of all responses.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), Completions) as server:
        server.answer, server.reply, server.requests = answer, None, []
        server.address = f"http://127.0.0.1:{server.server_port}/v1"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
