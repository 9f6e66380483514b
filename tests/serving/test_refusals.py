"""Requests that are wrong get one sentence, and the server stays up."""

import time

import orjson
import pytest

OPENAI, TEI = "/v1/embeddings", "/embed"


def sentence(answer):
    error = answer.json()["error"]
    return error["message"] if isinstance(error, dict) else error


@pytest.mark.parametrize(
    ("path", "content", "status", "said"),
    [
        (OPENAI, b"", 400, "not JSON"),
        (OPENAI, b"{", 400, "not JSON"),
        (OPENAI, b'{"input": "\xff\xfe"}', 400, "UTF-8"),
        (OPENAI, b'{"input": "\\ud800"}', 400, "not JSON"),
        (OPENAI, b"[]", 400, "Expected `object`"),
        (OPENAI, b"{}", 400, "input"),
        (OPENAI, b'{"input": []}', 400, "input is an empty list"),
        (OPENAI, b'{"input": ["a", 1]}', 400, "mixes texts and token ids"),
        (OPENAI, b'{"input": [[1, "a"]]}', 400, "input"),
        (OPENAI, b'{"input": [9]}', 400, "there is no token 9: ids are below 9"),
        (OPENAI, b'{"input": [-1]}', 400, "there is no token -1"),
        (OPENAI, b'{"input": [99999999999999999999]}', 400, ""),
        (OPENAI, b'{"input": "a", "encoding_format": "hex"}', 400, "encoding_format"),
        (OPENAI, b'{"input": "a", "dimensions": 0}', 400, "dimensions"),
        (OPENAI, b'{"input": "a", "dimensions": 1.5}', 400, "dimensions"),
        (OPENAI, b'{"input": ' + b"[" * 100_000, 400, ""),
        (TEI, b"{", 400, "not JSON"),
        (TEI, b'{"inputs": "a", "prompt_name": "query"}', 422, "prompt_name"),
        (TEI, b'{"inputs": null}', 422, "inputs"),
        ("/similarity", b'{"inputs": {"source_sentence": "a", "sentences": []}}', 422, "sentences"),
        ("/search", b'{"query": "a", "order": 2}', 422, "order"),
        ("/search", b'{"query": "a", "k": 0}', 422, "k"),
        ("/compare", b'{"a": "the"}', 422, "b"),
    ],
)
def test_malformed_requests(client, path, content, status, said):
    answer = client.post(path, content=content)
    assert answer.status_code == status, answer.text
    assert said in sentence(answer)
    assert "\n" not in sentence(answer)
    assert client.get("/health").status_code == 200


def test_too_many_texts_tokens_or_bytes(client_of):
    client = client_of(max_texts=3, max_tokens=10, max_bytes=400)
    assert client.post(OPENAI, json={"input": ["a"] * 3}).status_code == 200
    for given, said in (
        (["a"] * 4, "4 texts in a request, and 3 are allowed"),
        ([[1]] * 4, "4 texts in a request, and 3 are allowed"),
        ("a " * 11, "11 tokens in a request, and 10 are allowed"),
        ([1] * 11, "11 tokens in a request, and 10 are allowed"),
        ("a " * 201, "more than 400 bytes"),
    ):
        answer = client.post(OPENAI, json={"input": given})
        assert answer.status_code == 413
        assert said in sentence(answer)

    def unannounced():
        yield orjson.dumps({"input": "a" * 500})

    assert client.post(OPENAI, content=unannounced()).status_code == 413


def test_a_search_whose_answer_would_be_too_long(client_of):
    client = client_of(max_texts=3)
    assert client.post("/search", json={"query": ["a"] * 3, "k": 10}).status_code == 200
    assert client.post("/search", json={"query": "a", "k": 1000}).status_code == 200
    refused = client.post("/search", json={"query": ["a"] * 3, "k": 11})
    assert refused.status_code == 413
    assert "3 queries for 11 texts each may find 33, and 30 are allowed" in sentence(refused)


def test_a_search_ends_when_nobody_waits_for_it(encoder, index, monkeypatch):
    from cmow.search import Index
    from cmow.serving import Service
    from cmow.serving.exploring import search
    from cmow.serving.schemas import SearchRequest
    from cmow.serving.service import Tally

    tally, seen = Tally(), []

    def slowly(_, queries, *__, **___):
        seen.extend(queries)
        tally.over = len(seen) == 2  # as the gate has it when the time is over
        return [[] for _ in queries]

    monkeypatch.setattr(Index, "search", slowly)
    search(Service(encoder, index=index), SearchRequest(query=["a"] * 5, spans=3), tally)
    assert len(seen) == 2


def test_the_gate_says_that_a_request_is_over(client_of, monkeypatch):
    from cmow.serving import service

    kept = []
    original = service.Service.check_count

    def slow(self, *_):
        end = time.monotonic() + 60
        while not kept[0].over and time.monotonic() < end:
            time.sleep(0.01)
        return original(self, *_)

    monkeypatch.setattr(service.Service, "check_count", slow)
    monkeypatch.setattr("cmow.serving.gate.Tally", lambda: kept.append(service.Tally()) or kept[-1])
    refused = client_of(time_limit=0.1).post("/search", json={"query": "a"})
    assert refused.status_code == 408
    assert kept[0].over


def test_a_key_is_asked_for(client_of):
    client = client_of(api_key="s€cret")
    for headers in ({}, {"authorization": "Bearer secret"}, {"authorization": "s"}):
        refused = client.post(OPENAI, json={"input": "a"}, headers=headers)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert "API key" in sentence(refused)
    allowed = {"authorization": "Bearer s€cret".encode()}
    assert client.post(OPENAI, json={"input": "a"}, headers=allowed).status_code == 200
    for path in ("/", "/health", "/openapi.json", "/page.js"):
        assert client.get(path).status_code == 200
    assert client.get("/metrics").status_code == 401


def test_no_more_requests_than_are_allowed_are_open(client_of):
    client = client_of(max_requests=1)
    client.app._metrics.opened()  # one that is being worked on
    refused = client.post(OPENAI, json={"input": "a"})
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "1"
    assert client.get("/health").status_code == 200


def test_paths_and_methods_that_there_are_not(client):
    assert client.get("/v2").status_code == 404
    refused = client.delete("/embed")
    assert refused.status_code == 405
    assert refused.headers["allow"] == "POST"


def test_a_failure_of_ours_is_no_traceback(client, monkeypatch):
    from cmow.encoder import Encoder

    monkeypatch.setattr(Encoder, "encode_ids", lambda *_, **__: 1 / 0)
    failed = client.post(OPENAI, json={"input": "a"})
    assert failed.status_code == 500
    assert sentence(failed) == "the server failed at this: its log says why"
    assert client.get("/health").status_code == 200
