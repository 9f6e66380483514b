"""Real clients of `cmow serve`: OpenAI's, LangChain's, curl and schemathesis."""

import json
import os
import shutil
import subprocess
import sys
import time
from base64 import b64decode

import numpy as np
import pytest
from served_process import serving

import cmow
from cmow.search import Index

openai = pytest.importorskip("openai")
TEXTS = ["The dog bit the man.", "The man bit the dog.", "Flights from Berlin to Rome."]


@pytest.fixture(scope="module")
def encoder():
    return cmow.load()


@pytest.fixture(scope="module")
def index(encoder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "index"
    Index.build(encoder, TEXTS, folder)
    return folder


@pytest.fixture(scope="module")
def server(index, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, "english", "--index", index, CMOW_API_KEY="secret") as running:
        yield running


@pytest.fixture(scope="module")
def client(server):
    return openai.OpenAI(base_url=f"{server.address}/v1", api_key="secret", max_retries=0)


def test_openai_s_client(client, encoder):
    expected = encoder.encode(TEXTS, normalize="all")
    for encoding in ({}, {"encoding_format": "float"}, {"encoding_format": "base64"}):
        answer = client.embeddings.create(model="english", input=TEXTS, **encoding)
        rows = [each.embedding for each in answer.data]
        if encoding.get("encoding_format") == "base64":  # which the client leaves to its user
            rows = [np.frombuffer(b64decode(row), "<f4") for row in rows]
        np.testing.assert_array_equal(np.array(rows, np.float32), expected)
        assert answer.usage.total_tokens == len(encoder.tokenizer.ids(TEXTS).flat)
    short = client.embeddings.create(model="english", input=TEXTS[0], dimensions=256)
    assert len(short.data[0].embedding) == 256
    ids = encoder.tokenizer.ids(TEXTS[:1]).flat.tolist()
    for given in (ids, [ids]):
        (row,) = client.embeddings.create(model="english", input=given).data
        np.testing.assert_array_equal(np.array(row.embedding, np.float32), expected[0])
    assert [model.id for model in client.models.list()] == ["english"]
    assert client.models.retrieve("english").owned_by == "cmow"


def test_openai_s_errors(server, client):
    with pytest.raises(openai.BadRequestError, match="dimensions must be 1 to 784, not 1000"):
        client.embeddings.create(model="english", input="a", dimensions=1000)
    with pytest.raises(openai.NotFoundError, match="there is no model 'gpt'"):
        client.embeddings.create(model="gpt", input="a")
    with pytest.raises(openai.AuthenticationError, match="API key"):
        openai.OpenAI(base_url=f"{server.address}/v1", api_key="wrong").models.list()


def test_langchain(server, encoder):
    library = pytest.importorskip("langchain_openai")
    embeddings = library.OpenAIEmbeddings(
        model="english",
        base_url=f"{server.address}/v1",
        api_key="secret",
        check_embedding_ctx_length=False,  # else it sends the ids of OpenAI's own tokenizer
    )
    expected = encoder.encode(TEXTS, normalize="all")
    np.testing.assert_allclose(embeddings.embed_documents(TEXTS), expected, atol=1e-6)
    np.testing.assert_allclose(embeddings.embed_query(TEXTS[0]), expected[0], atol=1e-6)


def test_curl(server):
    if not shutil.which("curl"):
        pytest.skip("no curl")
    asked = '{"query": "from Berlin to Rome", "k": 1, "order": 0.5, "spans": 4}'
    command = ["curl", "-s", "-H", "Authorization: Bearer secret", "-d", asked]
    answer = subprocess.run(
        [*command, f"{server.address}/search"], capture_output=True, check=True
    ).stdout
    ((hit,),) = json.loads(answer)["results"]
    assert hit["text"] == TEXTS[2]
    assert "Berlin to Rome" in hit["span"]["text"]


def test_schemathesis_finds_nothing_wrong_by_the_server_s_own_description(server, tmp_path):
    pytest.importorskip("schemathesis")
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{server.address}/openapi.json"),
        *("-H", "Authorization: Bearer secret", "--max-examples", "60", "--seed", "1"),
        *("--workers", "1", "--suppress-health-check", "too_slow"),
    ]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_log_is_json_without_texts_or_keys(server, client):
    asked = {"model": "english", "input": "something private"}
    name = client.embeddings.with_raw_response.create(**asked).headers["x-request-id"]
    deadline = time.monotonic() + 60  # the line is written when the answer is on its way
    while f'"request":"{name}"' not in (log := server.log.read_text()):
        assert time.monotonic() < deadline, log
        time.sleep(0.01)
    assert "private" not in log
    assert "secret" not in log
    (line,) = (line for line in map(json.loads, log.splitlines()) if line["request"] == name)
    assert (line["path"], line["status"], line["texts"]) == ("/v1/embeddings", 200, 1)
