"""Servers whose workers are killed, whose clients are slow, and that are asked to end."""

import contextlib
import json
import os
import signal
import socket
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

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


def until(holds, seconds=20.0):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_worker_that_is_killed_loses_only_its_own_requests(tmp_path, expected):
    with serving(tmp_path, "--workers", 2) as server:
        until(lambda: len(server.workers()) == 2)
        before = server.workers()
        answered, lost, stop = [], [], threading.Event()

        def load():
            while not stop.is_set():
                try:
                    rows = np.array(ask(server).json(), np.float32)
                except httpx.TransportError:
                    lost.append(time.monotonic())
                else:
                    answered.append(np.array_equal(rows, expected))

        with ThreadPoolExecutor(4) as pool:
            for _ in range(4):
                pool.submit(load)
            try:
                until(lambda: len(answered) > 20)
                os.kill(before[0], signal.SIGKILL)
                killed, so_far = time.monotonic(), len(answered)
                until(lambda: len(set(server.workers()) - set(before)) == 1)
                until(lambda: len(answered) > so_far + 50)
            finally:
                stop.set()
        assert all(answered)
        assert len(lost) <= 4  # no more than were open
        assert all(when - killed < 1 for when in lost)
        counts = httpx.get(f"{server.address}/metrics").text
        assert "cmow_worker_restarts_total 1\n" in counts
        total = next(
            line for line in counts.splitlines() if line.startswith("cmow_requests_total{")
        )
        assert int(total.split()[-1]) >= len(answered)  # nothing is forgotten with a worker


def test_open_requests_are_finished_when_it_ends(tmp_path, expected):
    with serving(tmp_path, "--workers", 2) as server:
        body = json.dumps(ASKED).encode()
        half = socket.create_connection(("127.0.0.1", server.port))
        head = f"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
        half.sendall(head.encode() + body[:10])
        until(lambda: b"cmow_requests_open 2\n" in metrics(server))  # this one and the question
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", server.port), timeout=1)
        half.sendall(body[10:])
        answer = half.makefile("rb").read()
        rows = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert np.array_equal(np.array(rows, np.float32), expected)
        assert server.process.wait(20) == 128 + signal.SIGTERM


def test_workers_end_with_their_parent(tmp_path):
    with serving(tmp_path, "--workers", 2) as server:
        until(lambda: len(server.workers()) == 2)
        workers = server.workers()
        server.process.kill()
        until(lambda: not any(os.path.exists(f"/proc/{each}") for each in workers))  # noqa: PTH110


def test_slow_clients_are_left_and_others_served(tmp_path):
    with serving(tmp_path, "--time-limit", 1.5) as server:
        heads = [
            b"GET /health HTTP/1.1\r\nx-slow: ",  # never ends its headers
            b"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{",  # nor its content
            b"",
        ]
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        for number, connection in enumerate(slow):
            connection.sendall(heads[number % 3])
        began = time.monotonic()
        assert ask(server).status_code == 200
        assert time.monotonic() - began < 1.5
        for number, connection in enumerate(slow):
            connection.settimeout(10)
            try:
                answer = connection.recv(1000)
            except ConnectionResetError:
                answer = b""
            assert answer.startswith(b"HTTP/1.1 408" if number % 3 == 1 else b"")
        assert time.monotonic() - began < 8
        assert ask(server).status_code == 200


def test_a_client_that_does_not_take_its_answer_is_left(tmp_path):
    with serving(tmp_path, "--time-limit", 2) as server:
        body = json.dumps({"inputs": ["the dog"] * 2048}).encode()
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            head = f"POST /embed HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)
            time.sleep(5)
            taken = 0
            connection.settimeout(5)
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(1 << 16):
                    taken += len(piece)
        assert 0 < taken < 10_000_000  # of some 20
        assert ask(server).status_code == 200


def test_too_many_connections_are_told_to_come_back(tmp_path):
    with serving(tmp_path, "--max-connections", 3) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
        time.sleep(0.3)
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
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
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.settimeout(10)
                connection.sendall(sent)
                assert connection.recv(1000).startswith(status)
        assert ask(server).status_code == 200


def test_a_load_beyond_the_limit_is_told_to_come_back(tmp_path, expected):
    with serving(tmp_path, "--max-requests", 2) as server:
        held = []
        for _ in range(2):
            connection = socket.create_connection(("127.0.0.1", server.port))
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
    import subprocess
    import sys

    with serving(tmp_path) as server:
        done = subprocess.run(
            [sys.executable, "-m", "cmow", "serve", "--port", str(server.port)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "choose another --port" in done.stderr


def test_the_page_is_served(tmp_path):
    with serving(tmp_path) as server, urllib.request.urlopen(server.address) as page:
        assert "<!doctype html>" in page.read().decode().lower()
