"""What `cmow export-web` writes, in a real browser: embeddings are those of the native core."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from test_page import CHROMIUM, browser, cosine, gauge, keep, open_page  # noqa: F401 (fixtures)

import cmow
from cmow.encoder import Encoder
from cmow.serving import export_web
from cmow.text import Tokenizer, Vocabulary

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")

TEXTS = [
    "The dog bit the man.",
    "the man bit the dog",
    "",
    "Ünïcödé, 犬 and embeddings: it's e-mail@example.org 🐕 [SEP] don't",
    "word " * 600,
    "\tlines\nand\u00a0blanks ",
]
EMBED = """async (texts) => {
  const { open } = await import(new URL("backend.js", document.baseURI).href);
  return (await open()).embed(texts);
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def hosted(tmp_path):
    """Hosts the folder of an exported encoder."""
    running = []

    def host(encoder, name="exported"):
        folder = export_web(encoder, tmp_path / name, name=name)
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield host
    for server in running:
        server.shutdown()


def test_the_model_that_ships_embeds_as_natively(hosted, open_page):  # noqa: F811
    encoder = cmow.load()
    page = open_page(hosted(encoder))
    theirs = np.array(page.evaluate(EMBED, TEXTS), np.float32)
    ours = encoder.encode([text.replace("\n", " ") for text in TEXTS], normalize="all")
    np.testing.assert_allclose(theirs, ours, atol=2e-6)
    near = page.locator("#near button").all_inner_texts()
    assert near == [each.word for each in encoder.most_similar_words("guitar", count=12)]


@pytest.mark.parametrize("storage", ["float32", "int8", "int4"])
@pytest.mark.parametrize("raw", [False, True])
def test_models_of_any_shape_and_storage(hosted, open_page, tmp_path, storage, raw):  # noqa: F811
    words = ["the", "dog", "bit", "man", ".", "n't", "do", "guitar", "ünïcödé", "犬"]
    kind = Tokenizer.words if raw else Tokenizer.whitespace
    shape = "sum(9)+product(5)+windows(4,decay=0.7)+reversed(3)+mean(product(6))"
    made = Encoder.initialize(kind(Vocabulary(words)), shape, seed=3, sigma=0.3)
    made.save(tmp_path / "model", storage=storage)
    encoder = cmow.load(tmp_path / "model")
    page = open_page(hosted(encoder))
    rounded = encoder
    if storage == "float32":
        encoder.save(tmp_path / "rounded", storage="int8")
        rounded = cmow.load(tmp_path / "rounded")
    theirs = np.array(page.evaluate(EMBED, TEXTS), np.float32)
    ours = rounded.encode([text.replace("\n", " ") for text in TEXTS], normalize="all")
    np.testing.assert_allclose(theirs, ours, atol=2e-6)


def test_a_model_without_parts_for_the_slider_has_none(hosted, open_page):  # noqa: F811
    words = Tokenizer.whitespace(Vocabulary(["the", "dog", "bit", "man", "guitar"]))
    page = open_page(hosted(Encoder.initialize(words, "product(5)", seed=3, sigma=0.3)))
    assert page.is_hidden("#order")
    assert page.is_hidden("#search-order")
    assert page.inner_text("[data-gauge=bag] dd") == "–"
    assert gauge(page, "weighted") == gauge(page, "order")
    page.fill("#query", "dog bit")
    page.wait_for_selector("#hits mark")


def test_the_page_works_without_a_server(hosted, open_page):  # noqa: F811
    encoder = cmow.load()
    page = open_page(hosted(encoder))
    a, b = "the dog bit the man", "the man bit the dog"
    assert gauge(page, "bag") == pytest.approx(cosine(encoder.bag(), a, b), abs=0.006)
    assert gauge(page, "order") == pytest.approx(cosine(encoder.order(), a, b), abs=0.006)
    page.locator("[data-side=b] li").nth(1).focus()
    page.keyboard.press("Shift+ArrowRight")
    assert page.input_value("#b") == "the bit man the dog"
    page.click("#own-texts summary")
    page.fill("#texts", "We saw how the dog bit the man\nWe saw how the man bit the dog")
    page.fill("#query", b)
    page.focus("#search-order")
    page.keyboard.press("End")
    best = encoder.document("We saw how the man bit the dog").best_span(b, 12, order=1)
    page.wait_for_function(
        "text => document.querySelector('#hits mark')?.innerText === text", arg=best.text
    )
    assert "nothing is sent" in page.inner_text("footer")
    keep(page, "exported")
