// The page: sentences, words and texts in, what a model makes of them out. backend.js asks a server
// or WebAssembly.

import * as backend from "./backend.js";

const EXAMPLES = [
  ["Who bit whom", "the dog bit the man", "the man bit the dog"],
  ["There and back", "flights from Berlin to Amsterdam", "flights from Amsterdam to Berlin"],
  ["Not", "it is not good, it is great", "it is good, it is not great"],
  ["Other words", "a boy is playing the guitar", "a kid plays a guitar"],
  ["Something else", "a boy is playing the guitar", "the stock market fell sharply"],
];
const TEXTS = `Flights from Berlin to Amsterdam leave every morning.
Flights from Amsterdam to Berlin leave every evening.
The dog chased the cat across the street.
The cat chased the dog across the street.
She prefers tea to coffee, and he prefers coffee to tea.
The company bought its largest rival last year.
The largest rival bought the company last year.
A boy is playing the guitar in front of the station.
Rain fell all night, and the river rose by a meter.
The museum is closed on Mondays.`;
const QUERY = "flights from Amsterdam to Berlin";
const LONGEST_PASSAGE = 12; // words
const HITS = 8, NEAR = 12;

const $ = (selector, root = document) => root.querySelector(selector);
const make = (name, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(name), fields);
  element.append(...children);
  return element;
};
const shown = (number) => (number === null ? "–" : number.toFixed(2).replace("-", "−"));
const count = (number) => number.toLocaleString("en");

// Does a task one at a time: what is asked for meanwhile is done once, when it is over.
function inTurn(task) {
  let running = false, again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    for (; again; await task()) again = false;
    running = false;
  };
}

let model;

// ---- opening ------------------------------------------------------------------------------------

async function open() {
  $("#load").hidden = true;
  $("#key-form").hidden = true;
  $("#progress").textContent = "Opening the model …";
  try {
    model = await backend.open((share) => {
      $("#loaded").hidden = false;
      $("#loaded").value = share;
    });
  } catch (error) {
    $("#progress").textContent = error.message;
    $("#key-form").hidden = !backend.needsKey(error);
    if (backend.needsKey(error)) $("#key").focus();
    return;
  }
  show();
}

function begin() {
  $("#key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    backend.remember($("#key").value);
    open();
  });
  // Inside of another page nobody has asked for so much to be loaded.
  if (backend.size && window.self !== window.top) {
    $("#progress").textContent = "The model runs in this page, without a server.";
    $("#load").textContent = `Load it (${Math.round(backend.size / 1e6)} MB)`;
    $("#load").hidden = false;
    $("#load").addEventListener("click", open);
  } else open();
}

function show() {
  $("#start").hidden = true;
  $("#content").hidden = false;
  $("#model").replaceChildren(
    make("b", { textContent: model.name }),
    ` · ${count(model.dimensions)} numbers · ${count(model.words)} words`,
  );
  $("#where").append(model.where);
  if (model.link) $("#where").append(make("a", { href: model.link, textContent: "its endpoints" }));
  showExamples();
  showSearch();
  for (const side of ["a", "b"]) $(`#${side}`).addEventListener("input", () => refresh());
  for (const slider of [$("#order"), $("#search-order")])
    slider.addEventListener("input", () => setOrder(slider.value));
  $("#word-form").addEventListener("submit", (event) => {
    event.preventDefault();
    showNear();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => compared && paint());
  for (const slider of document.querySelectorAll(".slider")) slider.hidden = !hasBoth();
  setOrder($("#order").value);
  $("#examples button").click();
  showNear();
}

// ---- two sentences ------------------------------------------------------------------------------

let compared;

// Whether there is something to be weighed: parts that see word order, and parts that do not.
const hasBoth = () => new Set(model.parts.map((part) => part.seesOrder)).size === 2;

function showExamples() {
  for (const [name, a, b] of EXAMPLES) {
    const button = make("button", { type: "button", textContent: name });
    button.addEventListener("click", () => {
      $("#a").value = a;
      $("#b").value = b;
      refresh();
    });
    $("#examples").append(button);
  }
}

const refresh = inTurn(async () => {
  const a = $("#a").value, b = $("#b").value;
  [...$("#examples").children].forEach((button, place) => {
    const [, ...texts] = EXAMPLES[place];
    button.setAttribute("aria-pressed", texts[0] === a && texts[1] === b);
  });
  try {
    compared = { ...(await model.compare(a, b)), texts: { a, b } };
    $("#verdict").textContent = verdict(a, b);
    paint();
  } catch (error) {
    $("#verdict").textContent = error.message;
  }
});

const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

function verdict(a, b) {
  const [first, second] = [a, b].map((text) => wordsOf(text.toLowerCase()));
  const same = first.join(" ") === second.join(" ");
  const shuffled = [...first].sort().join(" ") === [...second].sort().join(" ");
  if (!first.length || !second.length || same || !shuffled || compared.order === null) return "";
  return compared.bag === null
    ? "The same words in another order."
    : `The same words in another order: alone they are ${shown(compared.bag)} alike, ` +
        `in their order ${shown(compared.order)}.`;
}

function paint() {
  paintGauges();
  for (const side of ["a", "b"]) paintWords(side);
  paintParts();
}

function weighted(order) {
  const { bag, order: ordered, all } = compared;
  return bag === null || ordered === null ? all : (1 - order) * bag + order * ordered;
}

function paintGauges() {
  const values = { ...compared, weighted: weighted(Number($("#order").value)) };
  for (const gauge of document.querySelectorAll("[data-gauge]")) {
    const value = values[gauge.dataset.gauge];
    $("dd", gauge).textContent = shown(value);
    gauge.style.setProperty("--value", Math.max(0, value ?? 0));
  }
}

function setOrder(value) {
  for (const id of ["#order", "#search-order"]) {
    $(id).value = value;
    $(`${id}-value`).textContent = shown(Number(value));
  }
  if (compared) paintGauges();
  search();
}

// ---- words that can be moved --------------------------------------------------------------------

function paintWords(side) {
  // Words that were moved meanwhile stay where they are: the next answer is on its way.
  if (compared.texts[side] !== $(`#${side}`).value) return;
  const list = $(`[data-side=${side}] .words`);
  const tokens = compared[side].tokens;
  const largest = Math.max(...tokens.flatMap((token) => token.row ?? []).map(Math.abs), 1e-9);
  const dragged = $(".dragged", list);
  if (dragged && list.children.length === tokens.length) return; // in the hand: left as it is
  const focused = [...list.children].indexOf(document.activeElement);
  list.replaceChildren(...tokens.map((token, place) => chip(side, token, place, largest)));
  if (focused >= 0) list.children[Math.min(focused, tokens.length - 1)]?.focus();
}

function chip(side, token, place, largest) {
  const element = make("li", { tabIndex: 0, className: token.known ? "" : "unknown" }, token.text);
  element.dataset.word = token.text;
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  element.setAttribute("aria-roledescription", "word that can be moved");
  element.title = token.known ? "" : "This word is not in the vocabulary.";
  if (token.row) {
    const columns = Math.round(Math.sqrt(token.row.length));
    const square = columns ** 2 === token.row.length;
    element.append(heatMap(token.row, square ? columns : token.row.length, largest));
  }
  element.addEventListener("keydown", (event) => moveByKey(event, side, element));
  element.addEventListener("pointerdown", (event) => drag(event, side, element));
  return element;
}

function moveByKey(event, side, element) {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const list = element.parentElement;
  const place = [...list.children].indexOf(element) + (step ?? 0);
  if (!step || place < 0 || place >= list.children.length) return;
  event.preventDefault();
  if (event.shiftKey || event.altKey || event.ctrlKey) {
    putAt(list, element, place);
    read(side, list);
  } else list.children[place].focus();
}

function drag(event, side, element) {
  if (event.button) return;
  const list = element.parentElement;
  element.focus();
  element.setPointerCapture(event.pointerId);
  const move = ({ clientX, clientY }) => {
    element.classList.add("dragged");
    const under = document
      .elementsFromPoint(clientX, clientY)
      .map((each) => each.closest(".words li"))
      .find((each) => each && each !== element && each.parentElement === list);
    if (!under || !isPast(clientX, element, under)) return;
    putAt(list, element, [...list.children].indexOf(under));
    read(side, list);
  };
  const drop = () => {
    element.removeEventListener("pointermove", move);
    element.classList.remove("dragged");
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", drop, { once: true });
  element.addEventListener("pointercancel", drop, { once: true });
}

// Whether the pointer is beyond the middle of another word: else a wide one would jump to and fro.
function isPast(x, element, under) {
  const own = element.getBoundingClientRect(), other = under.getBoundingClientRect();
  if (Math.abs(own.top - other.top) > 4) return true; // in another line
  const middle = other.left + other.width / 2;
  return other.left > own.left ? x > middle : x < middle;
}

// The others make room: an element that was taken out would lose the pointer, and the focus.
function putAt(list, element, place) {
  const others = [...list.children].filter((each) => each !== element);
  for (const other of others.slice(0, place)) list.insertBefore(other, element);
  list.append(...others.slice(place));
}

// The words as they stand become the sentence.
function read(side, list) {
  $(`#${side}`).value = [...list.children].map((each) => each.dataset.word).join(" ");
  refresh();
}

// ---- heat maps ----------------------------------------------------------------------------------

function color(name) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
}

function heatMap(numbers, columns, largest, name) {
  const rows = Math.ceil(numbers.length / columns);
  const canvas = make("canvas", { width: columns, height: rows });
  const [zero, plus, minus] = ["--zero", "--plus", "--minus"].map(color);
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  numbers.forEach((number, place) => {
    const strength = Math.min(Math.abs(number) / largest, 1) ** 0.7;
    const end = number > 0 ? plus : minus;
    for (let i = 0; i < 3; ++i) image.data[4 * place + i] = zero[i] + (end[i] - zero[i]) * strength;
    image.data[4 * place + 3] = 255;
  });
  context.putImageData(image, 0, 0);
  canvas.style.setProperty("--shape", `${columns} / ${rows}`);
  if (name) {
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", name);
  } else canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

const KINDS = { sum: "sum", product: "product", windows: "all runs of words", reversed: "reversed" };

function paintParts() {
  $("#parts").replaceChildren(...model.parts.map(partCard));
}

function partCard(part) {
  const [a, b] = [compared.a.parts[part.name], compared.b.parts[part.name]];
  const difference = a.map((number, place) => number - b[place]);
  const largest = Math.max(...[...a, ...b].map(Math.abs), 1e-9);
  const columns = part.rows > 1 ? part.columns : Math.ceil(Math.sqrt(a.length));
  const maps = [["first", a], ["second", b], ["difference", difference]].map(([name, numbers]) =>
    make("figure", {}, heatMap(numbers, columns, largest, `${part.name}, ${name}`),
      make("figcaption", { textContent: name })));
  const size = part.rows > 1 ? `${part.rows} × ${part.columns}` : count(part.columns);
  return make("article", { className: "part" },
    make("h3", {},
      make("span", {}, `${part.name} `, make("small", {
        textContent: `${KINDS[part.composition] ?? part.composition}, ${size}` })),
      make("output", { textContent: shown(compared.parts[part.name]) })),
    make("div", { className: "maps" }, ...maps));
}

// ---- search -------------------------------------------------------------------------------------

function showSearch() {
  const indexed = model.indexed !== null;
  $("#own-texts").hidden = indexed;
  $("#search-hint").textContent = indexed
    ? `In ${count(model.indexed)} texts; the best passage is marked.`
    : "In some texts, which you may change; the best passage is marked.";
  $("#texts").value = TEXTS;
  $("#query").value = QUERY;
  $("#texts").addEventListener("input", search);
  $("#query").addEventListener("input", search);
  $("#search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
}

const search = inTurn(async () => {
  const query = $("#query").value.trim(), list = $("#hits");
  const texts = model.indexed === null
    ? $("#texts").value.split("\n").map((text) => text.trim()).filter(Boolean)
    : undefined;
  if (!query || texts?.length === 0) return list.replaceChildren();
  if (!list.children.length) list.replaceChildren(note("Searching …"));
  list.setAttribute("aria-busy", true);
  try {
    const order = hasBoth() ? Number($("#search-order").value) : undefined;
    const hits = await model.search(query, { order, k: HITS, spans: LONGEST_PASSAGE, texts });
    list.replaceChildren(...(hits.length ? hits.map(hitItem) : [note("No word of the query is known.")]));
  } catch (error) {
    list.replaceChildren(note(error.message));
  }
  list.setAttribute("aria-busy", false);
});

const note = (text) => make("li", { className: "none", textContent: text });

function hitItem({ text, score, metadata, span }) {
  const line = make("span", { className: "text" });
  if (span) {
    // Places count characters as Python does, not the halves that JavaScript has for some.
    const characters = [...text], [begin, end] = span.place;
    line.append(characters.slice(0, begin).join(""),
      make("mark", { textContent: characters.slice(begin, end).join("") }),
      characters.slice(end).join(""));
  } else line.append(text);
  const bar = make("span", { className: "bar" });
  bar.style.setProperty("--value", Math.max(0, score));
  const place = metadata?.file ? [make("span", { className: "place", textContent: `${metadata.file}:${metadata.line}` })] : [];
  return make("li", {}, line, make("span", { className: "score", textContent: shown(score) }), bar, ...place);
}

// ---- words --------------------------------------------------------------------------------------

async function showNear() {
  const list = $("#near"), word = $("#word").value.trim();
  try {
    const near = await model.neighbors(word, NEAR);
    list.replaceChildren(...near.map(({ word: other, similarity }) => {
      const button = make("button", { type: "button", textContent: other });
      button.addEventListener("click", () => {
        $("#word").value = other;
        showNear();
      });
      const bar = make("i", { className: "bar" });
      bar.style.setProperty("--value", Math.max(0, similarity));
      return make("li", {}, button, make("span", { textContent: shown(similarity) }), bar);
    }));
  } catch (error) {
    list.replaceChildren(note(error.message));
  }
}

begin();
