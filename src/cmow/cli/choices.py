"""What the options of commands let one choose from, known without importing anything heavy."""

from enum import Enum


class Format(Enum):
    """A format of embeddings, called like the suffix of its files."""

    npy = "npy"
    tsv = "tsv"
    jsonl = "jsonl"


class Normalization(Enum):
    """What is divided by its norm."""

    all = "all"
    parts = "parts"


class Invalid(Enum):
    """What becomes of lines that are not UTF-8."""

    fail = "fail"
    replace = "replace"
    skip = "skip"


class Splitting(Enum):
    """What splits texts into words."""

    words = "words"
    whitespace = "whitespace"


class Initialisation(Enum):
    """How the matrices of an untrained model are drawn."""

    identity = "identity"
    glorot = "glorot"
    normal = "normal"


class Storage(Enum):
    """The type of a model's numbers on disk."""

    float32 = "float32"
    float16 = "float16"
    int8 = "int8"
