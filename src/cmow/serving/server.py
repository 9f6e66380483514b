"""Workers that take connections from one socket, and a parent that replaces those that end."""

import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import uvicorn

from cmow.errors import ConfigError
from cmow.serving.app import make_app, make_metrics
from cmow.serving.metrics import Metrics
from cmow.serving.protocol import protocol_for
from cmow.serving.service import Service

BACKLOG = 2048  # connections that wait for a worker
PATIENCE = 1.0  # seconds before a worker is replaced that ended as soon as it began
OTHER_FILES = 100  # that a worker has open beside its connections
IDLE_TIME = 75  # seconds that a connection may wait for its next request
LOG = "uvicorn.error"

logger = logging.getLogger(__name__)


def serve(service: Service, *, listening: Callable[[str], None] = logger.info) -> int:
    """Serve until a signal ends it, and return its number.

    Workers are forked: they share the model, and what is asked of them is in their own hands. To be
    called on the main thread of a process without others.

    :param listening: is told the address once it can be connected to
    """
    with _bound(service.settings.host, service.settings.port) as listener:
        host, port = listener.getsockname()[:2]
        listening(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
        return _Parent(service, listener).run()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except (OSError, UnicodeError) as error:  # the latter if it cannot be a host's name
        why = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"cannot listen at {host}:{port}: {why}: choose another --host or --port"
        ) from None
    return listener


class _Parent:
    """Starts workers, and starts others when they end."""

    def __init__(self, service: Service, listener: socket.socket) -> None:
        self._service, self._listener = service, listener
        self._metrics = make_metrics(service.settings.workers)
        self._workers: dict[int, tuple[int, float]] = {}  # number and start, by process
        self._ended_by = 0
        self._alive, self._mark = os.pipe()  # workers see it close when this process is no more

    def run(self) -> int:
        before = {each: signal.signal(each, self._end) for each in (signal.SIGINT, signal.SIGTERM)}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._kill)
        try:
            for number in range(self._service.settings.workers):
                self._start(number)
            while self._workers:
                process, status = os.waitpid(-1, 0)
                if process in self._workers:
                    self._ended(process, status)
        finally:
            signal.alarm(0)
            for each, handler in before.items():
                signal.signal(each, handler)
        return self._ended_by

    def _start(self, number: int) -> None:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        if not self._ended_by:  # by a signal that came before they were blocked
            process = os.fork()
            if not process:
                os.close(self._mark)
                _work(self._service, self._metrics, number, self._listener, self._alive)
            self._workers[process] = number, time.monotonic()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    def _ended(self, process: int, status: int) -> None:
        number, began = self._workers.pop(process)
        if self._ended_by:
            return
        code = os.waitstatus_to_exitcode(status)
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        logger.warning("worker %d ended %s: it is replaced", process, how)
        if time.monotonic() - began < PATIENCE:
            time.sleep(PATIENCE)
        if not self._ended_by:
            self._metrics.restarted()
            self._start(number)

    def _end(self, number: int, _: object) -> None:
        """Have all workers finish what they have begun; at a second signal, at once."""
        again = bool(self._ended_by)
        self._ended_by = self._ended_by or number
        self._listener.close()  # who connects now is told at once
        self._send(signal.SIGKILL if again else signal.SIGTERM)
        signal.alarm(int(self._service.settings.shutdown_time) + 2)

    def _kill(self, *_: object) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        for process in list(self._workers):
            with suppress(ProcessLookupError):  # it has ended, which is not written down yet
                os.kill(process, number)


def _work(
    service: Service, metrics: Metrics, number: int, listener: socket.socket, alive: int
) -> NoReturn:
    """The life of a worker."""
    code = 1
    try:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        _allow_files(service.settings.max_connections)
        metrics.use(number)
        server = _server(service, metrics)
        threading.Thread(target=_end_with_parent, args=(server, alive), daemon=True).start()
        server.run(sockets=[listener])
        code = 0
    except BaseException:
        logger.exception("worker %d failed", os.getpid())
    finally:
        sys.stderr.flush()
        os._exit(code)


def _server(service: Service, metrics: Metrics) -> uvicorn.Server:
    settings = service.settings
    logging.getLogger(LOG).setLevel(logging.ERROR)
    config = uvicorn.Config(
        make_app(service, metrics),
        http=protocol_for(settings),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_TIME,
        timeout_graceful_shutdown=int(settings.shutdown_time),
    )
    return uvicorn.Server(config)


def _allow_files(connections: int) -> None:
    """Have the system grant as many connections, if it will."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _end_with_parent(server: uvicorn.Server, alive: int) -> None:
    os.read(alive, 1)  # nothing is ever written: it returns when the other end is closed
    server.should_exit = True
