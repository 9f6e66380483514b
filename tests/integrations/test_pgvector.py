"""What the page says of pgvector is done with a server, if there is one, or else by the adapter."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from pgvector import Vector

sys.path.append(str(Path(__file__).parents[1] / "documentation"))
from blocks import blocks_of

ROOT = Path(__file__).parents[2]
SERVER = os.environ.get("CMOW_TEST_POSTGRES")  # such as "host=/run/postgresql user=me dbname=test"


def test_vectors_travel_as_text_and_in_binary(english):
    vector = english.encode("a wonderful film", normalize="all")
    for back in (
        Vector.from_text(Vector(vector).to_text()),
        Vector.from_binary(Vector(vector).to_binary()),
    ):
        np.testing.assert_array_equal(back.to_numpy(), vector)


@pytest.mark.skipif(SERVER is None, reason="CMOW_TEST_POSTGRES names no server")
def test_texts_are_found_by_a_server(english):
    import psycopg

    (block,) = [
        block
        for block in blocks_of(ROOT / "docs/integrations.md")
        if block.code.startswith("from pgvector")
    ]
    names = {"encoder": english.comparable()}
    exec(block.code, names)
    texts = ["quarterly tax returns", "a wonderful film", "flights from Berlin to Amsterdam"]
    with psycopg.connect(SERVER) as connection:
        names["store"](connection, texts)
        found = names["nearest"](connection, "a great movie", count=2)
        assert found[0][0] == "a wonderful film"
        cosines = english.similarity("a great movie", [text for text, _ in found])
        np.testing.assert_allclose([score for _, score in found], cosines, atol=1e-5)
        connection.rollback()  # nothing is left
