"""Servers whose workers are killed, whose clients are slow, and that are asked to end."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np
import pytest
from served_process import serving

import cmow

TEXTS = [f"the dog chased {number} cats" for number in range(32)]
ASKED = {"inputs": TEXTS}


@pytest.fixture(scope="module")
def expected():
    return cmow.load().encode(TEXTS, normalize="all")


def ask(server, asked=ASKED):
    # Certificates, which it would read first, take longer than the answer.
    return httpx.post(f"{server.address}/embed", json=asked, timeout=30, verify=False)


def metrics(server):
    return urllib.request.urlopen(f"{server.address}/metrics", timeout=30).read()


def until(holds):
    """Wait for what will be, however busy the machine is."""
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def connected(server):
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.settimeout(60)
    return connection


def is_refused(server):
    try:
        connected(server).close()
    except ConnectionRefusedError:
        return True
    return False


def test_a_worker_that_is_killed_loses_only_its_own_requests(tmp_path, expected):
    with serving(tmp_path, "--workers", 2) as server:
        until(lambda: len(server.workers()) == 2)
        before = server.workers()
        answered, lost, stop = [], [], threading.Event()

        def load(client):
            while not stop.is_set():
                try:
                    rows = np.array(ask(server).json(), np.float32)
                except httpx.TransportError:
                    lost.append(client)
                else:
                    answered.append(np.array_equal(rows, expected))

        with ThreadPoolExecutor(4) as pool:
            for client in range(4):
                pool.submit(load, client)
            try:
                until(lambda: len(answered) > 20)
                os.kill(before[0], signal.SIGKILL)
                so_far = len(answered)
                until(lambda: len(set(server.workers()) - set(before)) == 1)
                until(lambda: len(answered) > so_far + 50)
            finally:
                stop.set()
        assert all(answered)
        assert len(lost) == len(set(lost))  # what each had open then, and nothing later
        assert b"cmow_worker_restarts_total 1\n" in metrics(server)
        counted = re.compile(rb'cmow_requests_total{endpoint="/embed",status="200"} (\d+)\n')
        # Nothing is forgotten with a worker, but for an answer that it was killed before counting.
        until(lambda: int(counted.search(metrics(server))[1]) >= len(answered) - 1)


def test_open_requests_are_finished_when_it_ends(tmp_path, expected):
    with serving(tmp_path, "--workers", 2) as server:
        body = json.dumps(ASKED).encode()
        half = connected(server)
        head = f"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
        half.sendall(head.encode() + body[:10])
        until(lambda: b"cmow_requests_open 2\n" in metrics(server))  # this one and the question
        server.process.send_signal(signal.SIGTERM)
        until(lambda: is_refused(server))
        assert server.process.poll() is None
        half.sendall(body[10:])
        answer = half.makefile("rb").read()
        rows = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert np.array_equal(np.array(rows, np.float32), expected)
        assert server.process.wait(60) == 128 + signal.SIGTERM


def test_a_signal_while_workers_start_ends_it_without_a_word(tmp_path):
    with serving(tmp_path, "--workers", 16) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 128 + signal.SIGTERM
    assert (tmp_path / "errors.log").read_text() == f"cmow: english at {server.address}\n"


def test_workers_end_with_their_parent(tmp_path):
    with serving(tmp_path, "--workers", 2) as server:
        until(lambda: len(server.workers()) == 2)
        workers = server.workers()
        server.process.kill()
        until(lambda: not any(os.path.exists(f"/proc/{each}") for each in workers))  # noqa: PTH110


def test_slow_clients_are_left_and_others_served(tmp_path):
    limit = 6
    with serving(tmp_path, "--time-limit", limit) as server:
        heads = [
            b"GET /health HTTP/1.1\r\nx-slow: ",  # never ends its headers
            b"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{",  # nor its content
            b"",
        ]
        slow = [connected(server) for _ in range(60)]
        for number, connection in enumerate(slow):
            connection.sendall(heads[number % 3])
        began = time.monotonic()
        assert ask(server).status_code == 200
        assert time.monotonic() - began < limit  # while they are all there
        for number, connection in enumerate(slow):
            try:
                answer = connection.recv(1000)
            except ConnectionResetError:
                answer = b""
            assert answer.startswith(b"HTTP/1.1 408" if number % 3 == 1 else b"")
        assert ask(server).status_code == 200


def is_held(server, connection):
    """Whether the server has not closed its end, which one that reads nothing is not told."""
    ends = f":{server.port:04X}", f":{connection.getsockname()[1]:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, state, *_ = line.split()
        if local.endswith(ends[0]) and remote.endswith(ends[1]):
            return state == "01"
    return False


def test_a_client_that_does_not_take_its_answer_is_left(tmp_path):
    with serving(tmp_path, "--time-limit", 2) as server:
        body = json.dumps({"inputs": ["the dog"] * 2048}).encode()
        with connected(server) as connection:
            head = f"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)
            until(lambda: not is_held(server, connection))
            taken = 0
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(1 << 16):
                    taken += len(piece)
        assert 0 < taken < 10_000_000  # of some 20
        assert ask(server).status_code == 200


def test_too_many_connections_are_told_to_come_back(tmp_path):
    with serving(tmp_path, "--max-connections", 3) as server:
        held = [connected(server) for _ in range(3)]
        with connected(server) as connection:
            answer = connection.recv(1000)
            assert answer.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 1" in answer
        held.pop().close()
        until(lambda: ask(server).status_code == 200)


def test_what_is_no_http_or_has_endless_headers(tmp_path):
    with serving(tmp_path) as server:
        for sent, status in (
            (b"\x16\x03\x01\x02\x00 nonsense\r\n\r\n", b"HTTP/1.1 400"),
            (b"GET / HTTP/1.1\r\n" + b"x-a: " + b"a" * 200_000, b"HTTP/1.1 431"),
        ):
            with connected(server) as connection:
                connection.sendall(sent)
                assert connection.recv(1000).startswith(status)
        assert ask(server).status_code == 200


def test_a_load_beyond_the_limit_is_told_to_come_back(tmp_path, expected):
    with serving(tmp_path, "--max-requests", 2) as server:
        held = []
        for _ in range(2):
            connection = connected(server)
            connection.sendall(b"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{")
            held.append(connection)
        until(lambda: ask(server).status_code == 503)
        refused = ask(server)
        assert refused.headers["retry-after"] == "1"
        for connection in held:
            connection.close()
        until(lambda: ask(server).status_code == 200)
        assert np.array_equal(np.array(ask(server).json(), np.float32), expected)
    assert "Traceback" not in (tmp_path / "errors.log").read_text()  # for those that went away


def test_a_port_that_is_taken_is_one_line(tmp_path):
    with serving(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, "-m", "cmow", "serve", "--port", str(server.port)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "choose another --host or --port" in done.stderr


def test_the_page_is_served(tmp_path):
    with serving(tmp_path) as server, urllib.request.urlopen(server.address) as page:
        assert "<!doctype html>" in page.read().decode().lower()
