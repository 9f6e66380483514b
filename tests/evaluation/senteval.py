"""Small files in SentEval's layout whose labels the words give away, and encoders to try them."""

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np

FILLERS = ["river", "stone", "cloud", "lamp", "road", "tree", "glass", "door", "bread", "rain"]
CLUES = ["amber", "basil", "cedar", "delta", "ember", "fjord"]
PROBING = {
    "tree_depth": ["5", "6", "7"],
    "bigram_shift": ["O", "I"],
    "subj_number": ["NN", "NNS"],
    "past_present": ["PAST", "PRES"],
    "coordination_inversion": ["O", "I"],
    "sentence_length": ["0", "1", "2"],
    "obj_number": ["NN", "NNS"],
    "top_constituents": ["NP_VP_.", "PP_NP_VP_.", "ADVP_NP_VP_."],
    "odd_man_out": ["O", "C"],
    "word_content": ["amber", "basil", "cedar", "delta"],
}
YEARS = {
    "STS12": ["MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"],
    "STS13": ["FNWN", "headlines", "OnWN"],
    "STS14": ["deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"],
    "STS15": ["answers-forums", "answers-students", "belief", "headlines", "images"],
    "STS16": ["answer-answer", "headlines", "plagiarism", "postediting", "question-question"],
}


class BagOfWords:
    """Sums of random vectors of words; counts what it is asked for."""

    def __init__(self, size: int = 24) -> None:
        self.size = size
        self.asked: list[str] = []

    def encode(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        return np.array([self._sum(text) for text in texts], np.float32)

    def _sum(self, text: str) -> np.ndarray:
        rows = [random.Random(word) for word in text.split()]
        zero = np.zeros(self.size)
        return sum((np.array([r.gauss(0, 1) for _ in range(self.size)]) for r in rows), zero)


class Lengths:
    """Embeds a text as its number of words, one-hot."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.eye(40, dtype=np.float32)[[min(39, len(text.split())) for text in texts]]


def write_senteval(folder: Path, *, seed: int = 0) -> Path:
    """Write every task's files."""
    draw = random.Random(seed)
    _write_sentences(folder / "downstream", draw)
    _write_pairs(folder / "downstream", draw)
    for file, labels in PROBING.items():
        rows = [
            f"{split}\t{label}\t{sentence(draw, labels.index(label))}"
            for split, count in (("tr", 40), ("va", 10), ("te", 10))
            for label in labels
            for _ in range(count)
        ]
        write(folder / f"probing/{file}.txt", rows)
    return folder


def sentence(draw: random.Random, label: int) -> str:
    """Some words, among them the one that stands for the label."""
    words = draw.choices(FILLERS, k=draw.randint(3, 7))
    words.insert(draw.randint(0, len(words)), CLUES[label])
    return " ".join(words)


def write(file: Path, lines: Iterable[str], encoding: str = "utf-8") -> None:
    """Write lines, and the folders above if need be."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding=encoding, newline="")


def _write_sentences(folder: Path, draw: random.Random) -> None:
    polarity = {
        "MR/rt-polarity": ("neg", "pos"),
        "CR/custrev": ("neg", "pos"),
        "SUBJ/subj": ("subjective", "objective"),
        "MPQA/mpqa": ("neg", "pos"),
    }
    for name, endings in polarity.items():
        for label, ending in enumerate(endings):
            write(folder / f"{name}.{ending}", [sentence(draw, label) for _ in range(40)])
    kinds = ["ABBR:exp", "DESC:def", "ENTY:animal", "HUM:ind", "LOC:city", "NUM:date"]
    for file, count in (("train_5500", 25), ("TREC_10", 5)):
        rows = [f"{k} Où {sentence(draw, n)} ?" for n, k in enumerate(kinds) for _ in range(count)]
        write(folder / f"TREC/{file}.label", rows, "latin-1")
    for split, count in (("train", 40), ("dev", 10), ("test", 10)):
        labels = [n for n in range(5) for _ in range(count)]
        fine = [f"{label} {sentence(draw, label)}" for label in labels]
        write(folder / f"SST/fine/sentiment-{split}", fine)
        binary = [f"{sentence(draw, label)} \t{label}" for label in labels if label < 2]
        write(folder / f"SST/binary/sentiment-{split}", binary)


def _write_pairs(folder: Path, draw: random.Random) -> None:
    head = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    for split, count in (("train", 60), ("test", 20)):
        pairs = [pair(draw, n % 2) for n in range(count)]
        rows = [f"{int(score > 2)}\t1\t2\t{one}\t{other}" for one, other, score in pairs]
        write(folder / f"MRPC/msr_paraphrase_{split}.txt", [head, *rows], "utf-8-sig")
    judgements = ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"]
    for split, count in (("train", 90), ("trial", 30), ("test_annotated", 30)):
        rows = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"]
        for n in range(count):
            one, other, score = pair(draw, n % 3 / 2)
            rows.append(f"{n}\t{one}\t{other}\t{score}\t{judgements[n % 3]}\r")
        write(folder / f"SICK/SICK_{split}.txt", rows)
    for split, count in (("train", 90), ("dev", 30), ("test", 30)):
        rows = []
        for n in range(count):
            one, other, score = pair(draw, n % 3 / 2)
            genre = ["main-captions", "main-news"][n % 2]
            rows.append(f"{genre}\tfile\t2012\t{n}\t{score}\t{one}\t{other}")
        write(folder / f"STS/STSBenchmark/sts-{split}.csv", rows)
    for year, subsets in YEARS.items():
        for subset in subsets:
            pairs = [pair(draw, n % 3 / 2) for n in range(12)]
            here = folder / f"STS/{year}-en-test"
            write(here / f"STS.input.{subset}.txt", [f"{a}\t{b}" for a, b, _ in pairs])
            scores = [f"{score}" for _, _, score in pairs]
            write(here / f"STS.gs.{subset}.txt", ["", *scores[1:]])


def pair(draw: random.Random, closeness: float) -> tuple[str, str, float]:
    """Two sentences that share as many words as their score from 1 to 5 says."""
    words = draw.sample(FILLERS, k=4)
    shared = round(4 * closeness)
    other = [*words[:shared], *draw.choices(CLUES, k=4 - shared)]
    return " ".join(words), " ".join(other), 1 + 4 * closeness
