"""A local HTTP server that answers like OpenAI's `/v1/embeddings`, or misbehaves as told."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = Callable[["Handler", dict[str, Any]], None]


class Server(ThreadingHTTPServer):
    """Answers the next requests by `script`, and well when that is used up."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Answer] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.keys.append(self.headers["Authorization"])
        answer = self.server.script.pop(0) if self.server.script else good
        answer(self, body)

    def reply(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


def rows(texts: list[str], dim: int = 3) -> list[dict[str, Any]]:
    """Vectors told by the text: its length, then ones."""
    return [
        {"index": i, "object": "embedding", "embedding": [float(len(text)), *[1.0] * (dim - 1)]}
        for i, text in enumerate(texts)
    ]


def good(handler: Handler, body: dict[str, Any]) -> None:
    """Answer well, though in another order than asked: the index counts."""
    data = rows(body["input"])[::-1]
    handler.reply(200, json.dumps({"object": "list", "data": data}).encode())


def status(code: int) -> Answer:
    """Answer with an error that quotes the key and the text."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        quoted = {"message": f"{handler.headers['Authorization']} sent {body['input']}"}
        handler.reply(code, json.dumps({"error": quoted}).encode())

    return answer


def content(words: str) -> Answer:
    """Answer 200 with these words."""
    return lambda handler, _: handler.reply(200, words.encode())


def data(change: Callable[[list[dict[str, Any]]], object]) -> Answer:
    """Answer with rows that are changed in place."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        answered = rows(body["input"])
        change(answered)
        handler.reply(200, json.dumps({"data": answered}).encode())

    return answer


def drop(handler: Handler, _: dict[str, Any]) -> None:
    """Drop the connection without an answer."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving() -> Iterator[Server]:
    """Run a server until the block ends."""
    with Server() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
