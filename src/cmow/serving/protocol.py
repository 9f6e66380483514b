"""HTTP for clients that are slow on purpose: headers have to arrive in time, and to be short."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEADERS = 1 << 16  # bytes
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


def protocol_within(seconds: float) -> type[asyncio.Protocol]:
    """The protocol of connections that are closed if the headers of a request take longer.

    The application sees to the time that the rest of a request takes.
    """

    class InTime(HttpToolsProtocol):
        """A connection whose client has to get on."""

        _timer: asyncio.TimerHandle | None = None
        _headers_size = 0

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._begin()

        def data_received(self, data: bytes) -> None:
            if self._timer is None and (self.cycle is None or self.cycle.response_complete):
                self._begin()
            self._headers_size += len(data)
            super().data_received(data)
            if self._timer is not None and self._headers_size > MOST_HEADERS:
                self.transport.write(TOO_LONG)
                self.transport.close()

        def on_headers_complete(self) -> None:
            self._stop()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _begin(self) -> None:
            self._headers_size = 0
            self._timer = self.loop.call_later(seconds, self.transport.abort)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return InTime
