"""A local HTTP server that answers as scripted, well or badly, where a provider is expected."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One HTTP response, or what happens in its place."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds to wait first."""
    dropped: bool = False
    """Whether the connection is closed in the middle of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request that came in."""

    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    body: Any
    """The JSON that was sent."""


def saying(text: str | None, *, finish: str = "stop", model: str = "served") -> Served:
    """Return a well-formed answer of an OpenAI-compatible chat server: 12 tokens in, 5 out."""
    return told({
        "id": "chat-1", "object": "chat.completion", "created": 1767225600, "model": model,
        "choices": [{
            "index": 0, "finish_reason": finish,
            "message": {"role": "assistant", "content": text},
        }],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
    })  # fmt: skip


def told(body: Any) -> Served:
    """Return any JSON with status 200."""
    return Served(body=json.dumps(body))


def failing(status: int, *, retry_after: int | None = None, message: str = "no") -> Served:
    """Return an error as providers tell it."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after}"}
    body = json.dumps({"error": {"message": message, "type": "error", "code": str(status)}})
    return Served(status=status, body=body, headers=headers)


class ScriptedServer:
    """Serves the scripted answers in order, the last one ever again. Use it with `with`.

    `asked` holds what came in. Nothing leaves this machine.
    """

    def __init__(self, *script: Served) -> None:
        """Take the script: at least one answer."""
        self._script = list(script)
        self._lock = Lock()
        self._over = Event()
        self._now = 0
        self.asked: list[Asked] = []
        self.most_at_once = 0
        """How many requests were being answered at the same time, at most."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """The base address, without /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, asked: Asked) -> Served:
        """Return what is served for a request, after the scripted wait."""
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            served = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        self._over.wait(served.after)
        with self._lock:
            self._now -= 1
        return served


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(path=self.path, headers=headers, body=json.loads(raw or b"null"))
            try:
                self._serve(server.answer(asked))
            except OSError:
                # Who asked has gone; that is what some tests are about.
                self.close_connection = True

        def _serve(self, served: Served) -> None:
            body = served.body.encode()
            self.send_response(served.status)
            for name, value in {"Content-Type": "application/json", **served.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) + served.dropped))
            self.end_headers()
            self.wfile.write(body)
            if served.dropped:
                self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep silent."""

    return Handler
