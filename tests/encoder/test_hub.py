"""A model goes to a hub and comes back: the real client, and a stand-in for its server."""

import base64
import hashlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from cmow.encoder import Encoder
from cmow.errors import ConfigError

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAME = "someone/small-model"
ROUND_TRIP = f"""
import sys
from cmow import Encoder
encoder = Encoder.load(sys.argv[1])
print(encoder.push_to_hub("{NAME}", token="hf_test", private=True))
again = Encoder.from_pretrained("{NAME}", cache_dir=sys.argv[2])
again.save(sys.argv[3])
"""


class StandIn(BaseHTTPRequestHandler):
    """As much of a hub as one small model needs."""

    files: dict[str, bytes] = {}  # noqa: RUF012

    def do_POST(self):
        request = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.headers["Authorization"] == "Bearer hf_test"
        if self.path == "/api/repos/create":
            assert b"private" in request
            return self.answer({"url": f"{self.base}/{NAME}", "name": NAME})
        if self.path.endswith("/preupload/main"):
            asked = json.loads(request)["files"]
            modes = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                for file in asked
            ]
            return self.answer({"files": modes})
        if self.path == "/api/validate-yaml":  # of the model card
            return self.answer({"errors": [], "warnings": []})
        assert self.path == f"/api/models/{NAME}/commit/main", self.path
        for line in request.decode().splitlines():
            entry = json.loads(line)
            if entry["key"] == "file":
                content = base64.b64decode(entry["value"]["content"])
                self.files[entry["value"]["path"]] = content
        commit = {"commitUrl": f"{self.base}/{NAME}/commit/{COMMIT}", "commitOid": COMMIT}
        return self.answer(commit)

    def do_GET(self):
        if self.path.startswith("/api/models/"):
            if "/tree/" in self.path:
                listed = [
                    {"type": "file", "path": name, "size": len(data), "oid": "0" * 40}
                    for name, data in self.files.items()
                ]
                return self.answer(listed)
            siblings = [{"rfilename": name} for name in self.files]
            return self.answer({"id": NAME, "sha": COMMIT, "siblings": siblings})
        name = self.path.rpartition("/")[2]
        return self.answer(self.files[name]) if name in self.files else self.send_error(404)

    def do_HEAD(self):
        self.answer(self.files[self.path.rpartition("/")[2]])

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, content):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def hub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    StandIn.files.clear()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_model_goes_to_the_hub_and_comes_back(hybrid, hub, tmp_path, monkeypatch):
    hybrid.save(tmp_path / "model")
    monkeypatch.setenv("HF_ENDPOINT", hub)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    folders = [tmp_path / name for name in ("model", "cache", "again")]
    done = subprocess.run(
        [sys.executable, "-c", ROUND_TRIP, *map(str, folders)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert COMMIT in done.stdout
    texts = ["the dog bit the man", ""]
    np.testing.assert_array_equal(
        Encoder.from_pretrained(folders[2]).encode(texts), hybrid.encode(texts)
    )
    card = StandIn.files["README.md"].decode()
    for line in ("library_name: cmow", "pipeline_tag: sentence-similarity", "- cmow"):
        assert line in card.splitlines()
    assert json.loads(StandIn.files["config.json"])["model_type"] == "cmow"
    assert card.count(f"cmow.Encoder.from_pretrained({NAME!r})") == 1


def test_a_folder_needs_no_hub(hybrid, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert hybrid.save_pretrained(tmp_path / "model") is None
    assert Encoder.from_pretrained(tmp_path / "model").dim == hybrid.dim


@pytest.mark.parametrize("name", ["./models/mine", "/models/mine", "a/b/c", "not a name"])
def test_what_can_be_no_name_of_the_hub_is_a_path(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match=f"^{name}: no folder, .*: check the path$"):
        Encoder.from_pretrained(name)


@pytest.mark.parametrize("name", ["someone/no-such-model", "trailing-"])
def test_a_hub_that_cannot_be_reached_is_one_line(name, tmp_path):
    with pytest.raises(ConfigError, match=f"^{name}: no folder, and the hub") as caught:
        Encoder.from_pretrained(name, cache_dir=tmp_path, local_files_only=True)
    assert "\n" not in str(caught.value)
