// What the page asks, computed in the page: the core as WebAssembly, and a model that
// `cmow export-web` wrote beside it.

import { SIZE } from "./size.js";

const ALL = 1; // normalise the whole embedding
const BLOCK = 2048; // words that are looked at together

export const needsKey = () => false;
export const remember = () => {};
export const size = SIZE;

export async function open(progress) {
  const [told, list, core, numbers] = await Promise.all([
    fetched("model.json").then((answer) => answer.json()),
    fetched("words.txt").then((answer) => answer.text()),
    start(),
    fetched("model.bin").then((answer) => collected(answer, progress)),
  ]);
  return new Model(told, list, core, numbers).backend();
}

async function fetched(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer;
}

// The bytes of an answer, whose share is told as they arrive.
async function collected(answer, progress) {
  const bytes = new Uint8Array(SIZE), reader = answer.body.getReader();
  let filled = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes.set(piece.value, filled);
    filled += piece.value.length;
    progress?.(filled / SIZE);
  }
  if (filled !== SIZE) throw new Error("model.bin is not whole: export it again");
  return bytes;
}

async function start() {
  let memory;
  const nothing = () => 0;
  const system = {
    environ_sizes_get: (count, bytes) => {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: nothing, fd_close: nothing, fd_seek: nothing, fd_write: nothing,
    proc_exit: () => { throw new Error("the core has stopped"); },
  };
  const code = await (await fetched("cmow.wasm")).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(code, { wasi_snapshot_preview1: system });
  memory = instance.exports.memory;
  instance.exports._initialize();
  return instance.exports;
}

class Model {
  constructor(told, list, core, numbers) {
    this.told = told;
    this.core = core;
    this.words = list.split("\n").slice(0, -1);
    this.places = new Map(this.words.map((word, place) => [word, place]));
    this.numbers = this.put(numbers);
    this.useTokenizer(list);
    const ordered = told.parts.filter((part) => part.seesOrder);
    const bag = told.parts.filter((part) => !part.seesOrder);
    this.all = this.composer(told.parts, { bias: true });
    this.bag = bag.length ? this.composer(bag, { bias: true }) : null;
    this.order = ordered.length ? this.composer(ordered) : null;
    this.parts = told.parts.map((part) => ({
      ...part,
      alone: this.composer([part], { projected: false }),
      share: this.composer([part]),
    }));
  }

  // ---- the core's memory ------------------------------------------------------------------------

  put(bytes) {
    const place = this.core.allocate(bytes.length || 1);
    new Uint8Array(this.core.memory.buffer).set(bytes, place);
    return place;
  }

  putText(text) {
    const bytes = new TextEncoder().encode(text);
    return [this.put(bytes), bytes.length];
  }

  putNumbers(array) {
    return this.put(new Uint8Array(array.buffer));
  }

  // Room for some numbers while a function fills it.
  filled(count, fill) {
    const place = this.core.allocate(4 * count || 1);
    fill(place);
    const numbers = new Float32Array(this.core.memory.buffer, place, count).slice();
    this.core.release(place);
    return numbers;
  }

  // ---- making -----------------------------------------------------------------------------------

  useTokenizer(list) {
    const { tokenizer } = this.told;
    const [words, size] = this.putText(list);
    if (tokenizer.kind !== "pieces") {
      this.core.use_words(tokenizer.kind === "words", tokenizer.lowercase, words, size);
      return;
    }
    const added = this.putText(tokenizer.added.map((token) => `${token}\n`).join(""));
    const [prefix] = this.putText(`${tokenizer.prefix}\0`);
    const ids = this.putNumbers(Int32Array.from(tokenizer.added_ids));
    const length = new TextEncoder().encode(
      this.words.slice(0, tokenizer.pieces).map((word) => `${word}\n`).join("")).length;
    this.core.use_pieces(words, length, tokenizer.unknown, prefix, tokenizer.longest_word,
      ...added, ids, tokenizer.options);
  }

  composer(parts, { bias = false, projected = true } = {}) {
    const composer = this.core.new_composer();
    for (const part of parts) {
      const [kind] = this.putText(`${part.composition}\0`);
      const constants = this.putNumbers(Float32Array.from(part.constants));
      this.core.add_part(composer, kind, part.size, constants, part.constants.length, part.mean,
        this.numbers + part.table, part.scales === null ? 0 : this.numbers + part.scales,
        part.storage, this.words.length, part.rescale_every);
    }
    const { projection } = this.told;
    if (projection && projected) this.project(composer, parts, projection, bias);
    return composer;
  }

  project(composer, parts, projection, bias) {
    const names = parts.map((part) => part.name);
    const starts = parts.map((_, place) =>
      parts.slice(0, place).reduce((sum, part) => sum + part.rows * part.columns, 0));
    const placements = projection.placements.filter((each) => names.includes(each.part));
    const view = new DataView(new ArrayBuffer(28 * placements.length));
    placements.forEach((each, row) => {
      const place = names.indexOf(each.part), { rows, columns } = parts[place];
      const matrix = each.matrix === null ? 0 : this.numbers + each.matrix;
      const whole = [starts[place], rows * columns, each.begin, each.end - each.begin, matrix];
      whole.forEach((number, column) => view.setInt32(28 * row + 4 * column, number, true));
      view.setFloat32(28 * row + 20, each.factor, true);
      view.setFloat32(28 * row + 24, each.longest, true);
    });
    const zeros = this.putNumbers(new Float32Array(projection.dimensions));
    this.core.project(composer, this.put(new Uint8Array(view.buffer)), placements.length,
      bias ? this.numbers + projection.bias : zeros, projection.dimensions);
  }

  // ---- texts ------------------------------------------------------------------------------------

  // The embeddings of texts, and how many tokens of all of them are known.
  encode(composer, texts, normalize = 0) {
    const width = this.core.width(composer);
    const block = texts.map((text) => `${text.replaceAll("\n", " ")}\n`);
    const [place, size] = this.putText(block.join(""));
    let known = 0;
    const numbers = this.filled(texts.length * width, (out) => {
      known = this.core.encode(composer, place, size, normalize, out);
    });
    this.core.release(place);
    const rows = texts.map((_, row) => numbers.subarray(row * width, (row + 1) * width));
    return { rows, known };
  }

  isKnown(text) {
    return this.encode(this.all, [text]).known > 0;
  }

  cosines(composer, query, texts) {
    const [first, ...others] = this.encode(composer, [query, ...texts], ALL).rows;
    return others.map((row) => dot(first, row));
  }

  // The same by how much word order counts; without it, by all numbers.
  weighted(query, texts, order) {
    if (order === undefined) return this.cosines(this.all, query, texts);
    const [bag, ordered] = [this.bag, this.order].map((half) => this.cosines(half, query, texts));
    return bag.map((cosine, place) => (1 - order) * cosine + order * ordered[place]);
  }

  // What a part shows of texts, less what it shows of none, by rows.
  views(part, texts) {
    const rows = [...this.encode(part.alone, [...texts, ""]).rows], empty = rows.pop();
    return rows.map((row) => transposed(row.map((number, place) => number - empty[place]), part));
  }

  // ---- what the page asks -----------------------------------------------------------------------

  backend() {
    const { name, dimensions, parts } = this.told;
    return {
      name, dimensions, parts,
      words: this.words.length,
      indexed: null,
      where: "All of this runs in this page: nothing is sent anywhere.",
      embed: async (texts) => this.encode(this.all, texts, ALL).rows.map((row) => [...row]),
      compare: async (a, b) => this.compare(a, b),
      neighbors: async (word, count) => this.neighbors(word, count),
      search: async (query, options) => this.search(query, options),
    };
  }

  compare(a, b) {
    const cosine = (composer) => (composer === null ? null : this.cosines(composer, a, [b])[0]);
    const named = (value) => Object.fromEntries(this.parts.map((part) => [part.name, value(part)]));
    const composed = (text) => ({
      tokens: this.tokens(text),
      parts: named((part) => [...this.views(part, [text])[0]]),
    });
    return {
      all: cosine(this.all), bag: cosine(this.bag), order: cosine(this.order),
      parts: named((part) => cosine(part.share)),
      a: composed(a), b: composed(b),
    };
  }

  tokens(text) {
    const words = text.split(/\s+/).filter(Boolean);
    const matrices = this.parts.find((part) => part.seesOrder);
    const own = matrices && words.length ? this.views(matrices, words) : [];
    return words.map((word, place) => ({
      text: word,
      known: this.isKnown(word),
      row: own[place] ? [...own[place]] : null,
    }));
  }

  search(query, { order, k, spans, texts }) {
    if (!this.isKnown(query)) return [];
    const known = texts.map((text, row) => ({ text, row })).filter(({ text }) => this.isKnown(text));
    const scores = this.weighted(query, known.map(({ text }) => text), order);
    return known
      .map((hit, place) => ({ ...hit, score: scores[place] }))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .slice(0, k)
      .map((hit) => ({ ...hit, span: this.bestSpan(query, hit.text, spans, order) }));
  }

  bestSpan(query, text, most, order) {
    const words = [...text.matchAll(/\S+/g)];
    const spans = words.flatMap((_, begin) =>
      words.slice(begin, begin + most).map((_, more) => [begin, begin + more + 1]));
    const passages = spans.map(([begin, end]) =>
      text.slice(words[begin].index, words[end - 1].index + words[end - 1][0].length));
    const scores = this.weighted(query, passages, order);
    const longer = (a, b) => spans[a][1] - spans[a][0] - (spans[b][1] - spans[b][0]);
    const best = scores.reduce((so_far, score, place) =>
      score > scores[so_far] || (score === scores[so_far] && longer(place, so_far) < 0)
        ? place : so_far, 0);
    const start = [...text.slice(0, words[spans[best][0]].index)].length;
    return { text: passages[best], place: [start, start + [...passages[best]].length] };
  }

  neighbors(word, count) {
    const found = this.places.get(word) ?? this.places.get(word.toLowerCase());
    if (found === undefined) throw new Error(`'${word}' is not in the vocabulary`);
    const total = new Float32Array(this.words.length);
    for (const part of this.parts) {
      const width = part.rows * part.columns;
      const directions = (first, size) => {
        const numbers = this.filled(size * width, (out) =>
          this.core.encode_words(part.alone, first, size, out));
        return Array.from({ length: size }, (_, row) => {
          const own = numbers.subarray(row * width, (row + 1) * width);
          for (let i = 0; part.rows > 1 && i < width; i += part.rows + 1) own[i] -= part.identity;
          const norm = Math.sqrt(dot(own, own));
          if (norm > 0) for (let i = 0; i < width; ++i) own[i] /= norm;
          return own;
        });
      };
      const [direction] = directions(found, 1);
      for (let first = 0; first < total.length; first += BLOCK)
        directions(first, Math.min(BLOCK, total.length - first)).forEach((own, row) => {
          total[first + row] += dot(own, direction) / this.parts.length;
        });
    }
    total[found] = -Infinity;
    return [...total.keys()]
      .sort((a, b) => total[b] - total[a] || a - b)
      .slice(0, count)
      .map((place) => ({ word: this.words[place], similarity: total[place] }));
  }
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i] * b[i];
  return sum;
}

// Matrices come by columns, and are shown by rows.
function transposed(numbers, { rows, columns }) {
  return numbers.map((_, place) => numbers[(place % columns) * rows + Math.floor(place / columns)]);
}
