"""The page of `cmow serve` in a real browser, by clicks, keys and a mouse that drags."""

import os
import re
import shutil
from pathlib import Path

import pytest
from served_process import serving

import cmow
from cmow.search import Index

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCREENSHOTS = os.environ.get("SCREENSHOTS")  # a folder to look at them
DOG, MAN = "the dog bit the man", "the man bit the dog"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


@pytest.fixture(scope="module")
def encoder():
    return cmow.load()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as library:
        running = library.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture
def open_page(browser):
    """A page that is open and has asked nobody but its own server."""
    opened = []

    def open_at(address, *, wait="#near li", **options):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        page = context.new_page()
        faults, elsewhere = [], []
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                elsewhere.append(request.url)
                if not request.url.startswith((address, "data:"))
                else None
            ),
        )
        page.goto(address)
        page.wait_for_selector(wait)
        opened.append((context, faults, elsewhere))
        return page

    yield open_at
    for context, faults, elsewhere in opened:
        context.close()
        assert elsewhere == []
        assert [fault for fault in faults if "401" not in fault] == []


def gauge(page, name):
    return float(page.inner_text(f"[data-gauge={name}] dd").replace("−", "-"))


def cosine(encoder, a, b):
    left, right = encoder.encode([a, b], normalize="all")
    return float(left @ right)


def compare(page, a, b):
    with page.expect_response(lambda answer: answer.url.endswith("/compare")):
        page.fill("#a", a)
    with page.expect_response(lambda answer: answer.url.endswith("/compare")):
        page.fill("#b", b)
    page.wait_for_function(
        "b => [...document.querySelectorAll('[data-side=b] li')]"
        ".map(each => each.dataset.word).join(' ') === b",
        arg=b,
    )


def keep(page, name):
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png", full_page=True)


def test_two_sentences_and_the_slider(server, open_page, encoder):
    page = open_page(server.address)
    compare(page, "a boy plays the guitar", "the guitar plays a boy")
    texts = "a boy plays the guitar", "the guitar plays a boy"
    bag, order = cosine(encoder.bag(), *texts), cosine(encoder.order(), *texts)
    assert gauge(page, "bag") == pytest.approx(bag, abs=0.006)
    assert gauge(page, "order") == pytest.approx(order, abs=0.006)
    for weight in (0, 0.25, 1):
        page.evaluate(
            "value => { const slider = document.querySelector('#order');"
            "slider.value = value; slider.dispatchEvent(new Event('input')) }",
            weight,
        )
        expected = (1 - weight) * bag + weight * order
        assert gauge(page, "weighted") == pytest.approx(expected, abs=0.006)
    page.focus("#order")
    page.keyboard.press("Home")
    assert gauge(page, "weighted") == pytest.approx(bag, abs=0.006)
    assert "same words in another order" in page.inner_text("#verdict")


def test_words_are_dragged_to_another_order(server, open_page):
    page = open_page(server.address)
    compare(page, DOG, DOG)
    assert gauge(page, "order") == 1
    before = page.evaluate("document.querySelectorAll('.part canvas')[4].toDataURL()")
    words = page.locator("[data-side=b] li")
    source, target = words.nth(1).bounding_box(), words.nth(4).bounding_box()
    page.mouse.move(source["x"] + 10, source["y"] + 10)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(
            source["x"] + 10 + (target["x"] + target["width"] - source["x"] - 15) * step / 10,
            source["y"] + 12,
        )
    page.mouse.up()
    assert page.input_value("#b") == "the bit the man dog"
    page.wait_for_function(
        "() => document.querySelector('[data-gauge=order] dd').innerText !== '1.00'"
    )
    assert gauge(page, "bag") == 1
    after = page.evaluate("document.querySelectorAll('.part canvas')[4].toDataURL()")
    assert after != before
    keep(page, "dragged")


def test_words_are_dragged_by_a_finger(server, open_page):
    page = open_page(server.address, has_touch=True, viewport={"width": 390, "height": 800})
    compare(page, DOG, DOG)
    words = page.locator("[data-side=b] li")
    words.first.scroll_into_view_if_needed()
    source, target = words.nth(1).bounding_box(), words.nth(2).bounding_box()
    start = {"x": source["x"] + 10, "y": source["y"] + 10}
    end = {"x": target["x"] + target["width"] - 4, "y": start["y"]}
    touch = page.context.new_cdp_session(page)

    def at(kind, share):
        point = {axis: start[axis] + share * (end[axis] - start[axis]) for axis in start}
        points = [] if kind == "touchEnd" else [point]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    at("touchStart", 0)
    for step in range(1, 11):
        at("touchMove", step / 10)
    at("touchEnd", 1)
    assert page.input_value("#b") == "the bit dog the man"


def test_words_are_moved_by_keys(server, open_page):
    page = open_page(server.address)
    compare(page, DOG, DOG)
    page.locator("[data-side=b] li").nth(1).focus()
    for _ in range(3):
        with page.expect_response(lambda answer: answer.url.endswith("/compare")):
            page.keyboard.press("Shift+ArrowRight")
    assert page.input_value("#b") == "the bit the man dog"
    assert page.evaluate("document.activeElement.dataset.word") == "dog"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.word") == "man"


def test_search_marks_the_best_passage(server, open_page):
    page = open_page(server.address)
    page.click("#own-texts summary")
    page.fill(
        "#texts",
        "We saw how the dog bit the man yesterday\nWe saw how the man bit the dog yesterday",
    )
    page.fill("#query", MAN)
    page.focus("#search-order")
    page.keyboard.press("End")
    page.wait_for_function(
        "() => document.querySelector('#hits li mark')?.innerText.includes('man bit the dog')"
    )
    assert "how the man bit the dog" in page.inner_text("#hits li:first-child")
    page.fill("#query", "𓀀")
    page.wait_for_selector("#hits .none")


HELD_COMPARISONS = """() => {
  const real = window.fetch;
  window.held = [];
  window.fetch = async (path, options) => {
    if (path === "compare") await new Promise((resolve) => held.push(resolve));
    return real(path, options);
  };
}"""


def test_an_answer_that_comes_late_moves_no_word_back(server, open_page):
    page = open_page(server.address)
    compare(page, DOG, DOG)
    page.evaluate(HELD_COMPARISONS)
    page.locator("[data-side=b] li").nth(1).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate("held.shift()()")  # the answer to the first, when there is a second
    page.wait_for_function("() => held.length === 1")
    page.keyboard.press("Shift+ArrowRight")
    assert page.input_value("#b") == "the bit the man dog"
    page.evaluate("held.shift()()")
    page.wait_for_function("() => held.length === 1")
    page.evaluate("held.shift()()")
    shown = "[...document.querySelectorAll('[data-side=b] li')].map((each) => each.dataset.word)"
    assert page.evaluate(shown) == ["the", "bit", "the", "man", "dog"]
    assert page.evaluate("document.activeElement.dataset.word") == "dog"


SLOW_SEARCH = """() => {
  const real = window.fetch;
  Object.assign(window, { asked: [], open: 0, most: 0 });
  window.fetch = async (path, options) => {
    if (path !== "search") return real(path, options);
    window.asked.push(JSON.parse(options.body).query);
    window.most = Math.max(window.most, ++window.open);
    await new Promise((resolve) => setTimeout(resolve, 200));
    --window.open;
    return real(path, options);
  };
}"""


# Faster than the wire between the test and the browser may be.
TYPE = """(text) => {
  const field = document.querySelector("#query");
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new Event("input"));
  }
}"""


def test_one_search_at_a_time_and_the_last_one_counts(server, open_page):
    page = open_page(server.address, wait="#hits mark")
    page.evaluate(SLOW_SEARCH)
    page.fill("#query", "")
    page.evaluate(TYPE, "cats chased")
    page.wait_for_function(
        "() => asked.at(-1) === 'cats chased'"
        " && document.querySelector('#hits').getAttribute('aria-busy') === 'false'"
    )
    assert page.evaluate("most") == 1
    assert page.evaluate("asked.length") < len("cats chased")
    assert "chased" in page.inner_text("#hits mark >> nth=0")


def test_an_index_is_searched(tmp_path, open_page, encoder):
    texts = ["Flights from Berlin to Rome.", "Flights from Rome to Berlin.", "Nothing 🐕 at all."]
    Index.build(encoder, texts, tmp_path / "index")
    with serving(tmp_path, "--index", tmp_path / "index") as server:
        page = open_page(server.address)
        assert page.is_hidden("#own-texts")
        assert "In 3 texts" in page.inner_text("#search-hint")
        page.fill("#query", "from Rome to Berlin")
        page.focus("#search-order")
        page.keyboard.press("End")
        best = encoder.document(texts[1]).best_span("from Rome to Berlin", 12, order=1)
        page.wait_for_function(
            "text => document.querySelector('#hits mark')?.innerText === text", arg=best.text
        )
        assert page.inner_text("#hits .text") == texts[1]


def test_nearest_words_lead_to_others(server, open_page, encoder):
    page = open_page(server.address)
    page.fill("#word", "dog")
    page.click("#word-form button")
    page.wait_for_function("() => document.querySelector('#near button')?.innerText === 'dogs'")
    shown = page.locator("#near button").all_inner_texts()
    assert shown == [near.word for near in encoder.most_similar_words("dog", count=12)]
    page.click("#near button")
    page.wait_for_function("() => document.querySelector('#word').value === 'dogs'")


def test_a_key_is_asked_for(tmp_path, open_page):
    with serving(tmp_path, "--api-key", "secret") as server:
        page = open_page(server.address, wait="#key-form:not([hidden])")
        page.fill("#key", "secret")
        page.keyboard.press("Enter")
        page.wait_for_selector("#near li")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_it_fits_every_screen(server, open_page, scheme, width):
    page = open_page(server.address, color_scheme=scheme, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", ground)[:3]))
    assert (brightness > 380) == (scheme == "light")
    keep(page, f"{scheme}-{width}")
