"""HTTP for clients that are slow on purpose, or too many."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cmow.serving.settings import ServeSettings

HEADER_TIME = 10.0  # seconds at most for headers to arrive
MOST_HEADERS = 1 << 16  # bytes
END = b"content-length: 0\r\nconnection: close\r\n\r\n"
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\n" + END
TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n" + END


def protocol_for(settings: ServeSettings) -> type[asyncio.Protocol]:
    """The protocol of connections that are closed if their client does not get on.

    The headers of a request have to arrive in time and to be short, and answers have to be taken.
    The application sees to the time that the content of a request takes.
    """
    header_time = min(HEADER_TIME, settings.time_limit)

    class InTime(HttpToolsProtocol):
        """A connection."""

        _headers: asyncio.TimerHandle | None = None  # while they are on their way
        _headers_size = 0
        _answer: asyncio.TimerHandle | None = None  # while it is not taken

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > settings.max_connections:
                self._refuse(TOO_MANY)
            else:
                self._begin()

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            if self._headers is None and (self.cycle is None or self.cycle.response_complete):
                self._begin()
            self._headers_size += len(data)
            super().data_received(data)
            if self._headers is not None and self._headers_size > MOST_HEADERS:
                self._refuse(TOO_LONG)

        def on_headers_complete(self) -> None:
            _stop(self._headers)
            self._headers = None
            super().on_headers_complete()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._answer = self.loop.call_later(settings.time_limit, self.transport.abort)

        def resume_writing(self) -> None:
            _stop(self._answer)
            super().resume_writing()

        def connection_lost(self, exc: Exception | None) -> None:
            _stop(self._headers)
            _stop(self._answer)
            super().connection_lost(exc)

        def _begin(self) -> None:
            self._headers_size = 0
            self._headers = self.loop.call_later(header_time, self.transport.abort)

        def _refuse(self, answer: bytes) -> None:
            self.transport.write(answer)
            self.transport.close()

    return InTime


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
