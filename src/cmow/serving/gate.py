"""What every request passes: the key, the limits of number and time, the log and the metrics."""

import asyncio
import hmac
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Any

import orjson

from cmow.serving.metrics import Metrics
from cmow.serving.refusal import Refusal
from cmow.serving.service import Tally
from cmow.serving.settings import ServeSettings

Scope = dict[str, Any]
Respond = Callable[[Scope, Refusal], tuple[int, list[tuple[bytes, bytes]], bytes]]
TALLY = "cmow.tally"  # where a request's tally is in its scope
RETRY = {"retry-after": "1"}


class Gate:
    """An ASGI application around another one.

    :param respond: makes an answer of a refusal
    :param unlocked: paths that need no key
    """

    def __init__(
        self,
        app: Callable[..., Any],
        settings: ServeSettings,
        metrics: Metrics,
        respond: Respond,
        unlocked: Iterable[str],
    ) -> None:
        self._app, self._settings, self._metrics, self._respond = app, settings, metrics, respond
        self._unlocked = frozenset(unlocked)
        key = settings.api_key
        self._authorization = None if key is None else f"Bearer {key}".encode()
        self._numbers = count(1)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await _Request(self, scope, receive, send).run()

    def refusal(self, scope: Scope, already_open: int) -> Refusal | None:
        """Why a request is not let in."""
        if already_open > self._settings.max_requests and scope["path"] != "/health":
            return Refusal(503, "too many requests are open: try again in a second", headers=RETRY)
        if self._authorization is not None and scope["path"] not in self._unlocked:
            given = next((v for k, v in scope["headers"] if k == b"authorization"), b"")
            if not hmac.compare_digest(given, self._authorization):
                return Refusal(
                    401,
                    "this server wants its API key, as in Authorization: Bearer KEY",
                    headers={"www-authenticate": "Bearer"},
                )
        return None


class _Request:
    """One request on its way through."""

    def __init__(self, gate: Gate, scope: Scope, receive: Any, send: Any) -> None:
        self._gate, self._scope, self._receive, self._send = gate, scope, receive, send
        self._status, self._taken, self._given = 0, 0, 0
        self._timed_out = False
        self._tally = scope[TALLY] = Tally()
        self._name = f"{os.getpid()}-{next(gate._numbers)}"

    async def run(self) -> None:
        gate, began = self._gate, time.perf_counter()
        try:
            if (refusal := gate.refusal(self._scope, gate._metrics.opened())) is not None:
                await self._refuse(refusal)
            else:
                await self._within_time()
        finally:
            self._finish(time.perf_counter() - began)

    async def _within_time(self) -> None:
        """Like asyncio.timeout, which Python 3.10 has not."""
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            self._timed_out = True
            task.cancel()

        timer = asyncio.get_running_loop().call_later(self._gate._settings.time_limit, stop)
        try:
            await self._gate._app(self._scope, self.receive, self.send)
        except asyncio.CancelledError:
            if not self._timed_out:
                raise
            if hasattr(task, "uncancel"):
                task.uncancel()
            if not self._status:
                seconds = self._gate._settings.time_limit
                message = f"the request took longer than {seconds:g} seconds"
                await self._refuse(Refusal(408, message, headers={"connection": "close"}))
        finally:
            timer.cancel()

    async def receive(self) -> Any:
        """What the client sends next, measured."""
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        return message

    async def send(self, message: Any) -> None:
        """Pass a piece of the answer on, measured."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"].append((b"x-request-id", self._name.encode()))
        else:
            self._given += len(message.get("body", b""))
        await self._send(message)

    async def _refuse(self, refusal: Refusal) -> None:
        status, headers, body = self._gate._respond(self._scope, refusal)
        start = {"type": "http.response.start", "status": status, "headers": headers}
        await self.send(start)
        await self.send({"type": "http.response.body", "body": body})

    def _finish(self, seconds: float) -> None:
        scope, tally, status = self._scope, self._tally, self._status or 500
        tally.over = True  # a thread that still works on it may stop
        # The path as it was declared, so that made-up ones do not fill the metrics.
        path: str = getattr(scope.get("route"), "path", None) or scope["path"]
        gate = self._gate
        gate._metrics.closed(path, status, seconds, tally, self._taken, self._given)
        if gate._settings.access_log:
            client = scope.get("client")
            line = {
                "time": round(time.time(), 3),
                "request": self._name,
                "client": client[0] if client else None,
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "milliseconds": round(1000 * seconds, 2),
                "texts": tally.texts,
                "tokens": tally.tokens,
                "bytes": self._taken,
                "sent": self._given,
            }
            _write_line(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


def _write_line(line: bytes) -> None:
    """Write at once, so that the lines of several workers do not mix."""
    with suppress(OSError):  # nobody reads it any more, which must not end the server
        os.write(sys.stdout.fileno(), line)
