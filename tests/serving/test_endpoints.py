"""What the endpoints answer, against the encoder itself."""

import base64

import numpy as np
import pytest
from served import TEXTS, WORDS

PAIR = ["the dog chased the cat", "a boat"]


def unit(encoder, texts):
    return encoder.encode(texts, normalize="all")


def vectors(answer):
    assert answer.status_code == 200, answer.text
    return np.array([each["embedding"] for each in answer.json()["data"]], np.float32)


def test_openai_s_embeddings_are_the_encoder_s_of_length_1(client, encoder):
    answer = client.post("/v1/embeddings", json={"input": PAIR, "model": "small"})
    assert np.array_equal(vectors(answer), unit(encoder, PAIR))
    content = answer.json()
    assert content["object"] == "list"
    assert content["model"] == "small"
    assert [each["index"] for each in content["data"]] == [0, 1]
    assert content["usage"] == {"prompt_tokens": 7, "total_tokens": 7}


def test_base64_is_float32(client, encoder):
    asked = {"input": PAIR, "encoding_format": "base64"}
    data = client.post("/v1/embeddings", json=asked).json()["data"]
    rows = [np.frombuffer(base64.b64decode(each["embedding"]), "<f4") for each in data]
    assert np.array_equal(rows, unit(encoder, PAIR))


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ("the cat", ["the cat"]),
        ([0, 1], ["the cat"]),
        ([0.0, 1], ["the cat"]),  # the same in JSON
        ([[0, 1], [5], []], ["the cat", "a", ""]),
        (["the", "", "unknown"], ["the", "", ""]),
    ],
)
def test_input_may_be_a_text_texts_or_ids(client, encoder, given, texts):
    answer = client.post("/v1/embeddings", json={"input": given})
    assert np.array_equal(vectors(answer), unit(encoder, texts))


def test_unknown_words_count_as_tokens(client):
    answer = client.post("/v1/embeddings", json={"input": "the unknown"})
    assert answer.json()["usage"]["total_tokens"] == 2
    counted = client.get("/metrics").text
    assert "cmow_unknown_tokens_total 1\n" in counted


def test_dimensions_are_the_first_ones_of_length_1(client, encoder):
    answer = client.post("/v1/embeddings", json={"input": PAIR, "dimensions": 4})
    assert np.array_equal(vectors(answer), encoder.encode(PAIR, normalize="all", dimensions=4))
    refused = client.post("/v1/embeddings", json={"input": PAIR, "dimensions": 35})
    assert refused.status_code == 400
    error = refused.json()["error"]
    assert error["message"] == "dimensions must be 1 to 34, not 35"
    assert (error["type"], error["param"]) == ("invalid_request_error", "dimensions")


def test_models(client):
    (model,) = client.get("/v1/models").json()["data"]
    assert model["id"] == "small"
    assert client.get("/v1/models/small").json() == model
    assert client.get("/v1/models/large").status_code == 404
    refused = client.post("/v1/embeddings", json={"input": "a", "model": "large"})
    assert refused.status_code == 404
    assert refused.json()["error"]["message"] == "there is no model 'large': this is 'small'"


def test_embed_normalises_unless_told_otherwise(client, encoder):
    answer = client.post("/embed", json={"inputs": PAIR})
    assert np.array_equal(np.array(answer.json(), np.float32), unit(encoder, PAIR))
    answer = client.post("/embed", json={"inputs": PAIR, "normalize": False})
    assert np.array_equal(np.array(answer.json(), np.float32), encoder.encode(PAIR))


@pytest.mark.parametrize("order", [None, 0, 0.3, 1])
def test_similarity_weighs_word_order(client, encoder, order):
    inputs = {"source_sentence": TEXTS[0], "sentences": list(TEXTS)}
    answer = client.post("/similarity", json={"inputs": inputs, "parameters": {"order": order}})
    expected = encoder.similarity(TEXTS[0], list(TEXTS), order=order)
    np.testing.assert_allclose(answer.json(), expected, atol=1e-6)


def test_search_finds_what_the_index_finds(client, index):
    asked = {"query": TEXTS[1], "k": 2, "order": 1, "spans": 4}
    ((first, second),) = client.post("/search", json=asked).json()["results"]
    theirs = index.search(TEXTS[1], 2, order=1, spans=4)
    assert [first["row"], second["row"]] == [hit.row for hit in theirs]
    assert first["metadata"] == {"year": 2005}
    assert first["span"]["text"] == theirs[0].span.text
    begin, end = first["span"]["place"]
    assert first["text"][begin:end] == first["span"]["text"]


def test_search_in_texts_that_come_along(client, encoder):
    asked = {"query": "the dog chased", "texts": [*TEXTS, "unknown"], "order": 0.5, "spans": 3}
    (hits,) = client.post("/search", json=asked).json()["results"]
    cosines = {text: encoder.similarity("the dog chased", text, order=0.5) for text in TEXTS}
    assert [hit["text"] for hit in hits] == sorted(TEXTS, key=cosines.get, reverse=True)
    np.testing.assert_allclose(
        [hit["score"] for hit in hits], sorted(cosines.values(), reverse=True), atol=1e-6
    )
    first = next(hit for hit in hits if hit["text"] == TEXTS[0])
    assert first["span"]["text"] == "the dog chased"
    assert client.post("/search", json={**asked, "query": "what"}).json()["results"] == [[]]


def test_a_query_without_known_words_finds_nothing(client):
    asked = {"query": ["nonsense", "a boat"]}
    assert [len(hits) for hits in client.post("/search", json=asked).json()["results"]] == [0, 4]


def test_without_an_index_there_is_no_search(client_of):
    refused = client_of(with_index=False).post("/search", json={"query": "a"})
    assert refused.status_code == 404
    assert "--index" in refused.json()["error"]


def test_compare_shows_what_a_text_is_made_of(client, encoder):
    a, b = TEXTS[:2]
    shown = client.post("/compare", json={"a": a, "b": b}).json()
    assert shown["bag"] == pytest.approx(1, abs=1e-6)
    assert shown["order"] == pytest.approx(encoder.order().similarity(a, b), abs=1e-6)
    assert [token["text"] for token in shown["a"]["tokens"]] == a.split()
    matrix = np.eye(5)
    for token in shown["b"]["tokens"]:
        matrix = matrix @ (np.eye(5) + np.reshape(token["row"], (5, 5)))
    np.testing.assert_allclose(
        np.reshape(shown["b"]["parts"]["cmow"], (5, 5)), matrix - np.eye(5), atol=1e-5
    )


def test_neighbors(client, encoder):
    asked = {"word": "cat", "count": 3}
    found = client.post("/neighbors", json=asked).json()["neighbors"]
    theirs = encoder.most_similar_words("cat", count=3)
    assert [near["word"] for near in found] == [near.word for near in theirs]
    assert client.post("/neighbors", json={"word": "cst"}).status_code == 404


def test_info_and_health(client):
    told = client.get("/info").json()
    assert told["dimensions"] == 34
    assert told["vocabulary_size"] == len(WORDS)
    assert told["texts_in_index"] == len(TEXTS)
    assert [part["sees_order"] for part in told["parts"]] == [False, True]
    assert client.get("/health").status_code == 200


def test_metrics_count(client):
    client.post("/embed", json={"inputs": PAIR})
    client.post("/embed", json={"inputs": 3})
    client.get("/v1/models/small")
    client.get("/made-up")
    lines = client.get("/metrics").text.splitlines()
    for line in (
        'cmow_requests_total{endpoint="/embed",status="200"} 1',
        'cmow_requests_total{endpoint="/embed",status="422"} 1',
        'cmow_requests_total{endpoint="/v1/models/{name}",status="200"} 1',
        'cmow_requests_total{endpoint="other",status="404"} 1',
        'cmow_request_seconds_bucket{le="+Inf"} 4',
        "cmow_requests_open 1",
        "cmow_texts_total 2",
        "cmow_tokens_total 7",
    ):
        assert line in lines


def test_a_page_that_has_not_changed_is_no_failure(client):
    tag = client.get("/page.js").headers["etag"]
    assert client.get("/page.js", headers={"if-none-match": tag}).status_code == 304
    lines = client.get("/metrics").text.splitlines()
    assert 'cmow_requests_total{endpoint="/page.js",status="304"} 1' in lines


def test_the_description_names_all_endpoints_and_the_limits_of_this_server(client_of):
    told = client_of(max_texts=7).get("/openapi.json").json()
    assert {"/v1/embeddings", "/embed", "/similarity", "/search", "/metrics"} < set(told["paths"])
    request = told["components"]["schemas"]["EmbeddingsRequest"]["properties"]
    assert request["input"]["anyOf"][1]["maxItems"] == 7
    assert request["dimensions"]["anyOf"][0]["maximum"] == 34
