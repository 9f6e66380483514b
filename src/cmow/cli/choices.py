"""What the options of commands let one choose from, known without importing anything heavy."""

from enum import Enum

# They are strings as well, because the older Typer asks that of a default.


class Format(str, Enum):
    """A format of embeddings, called like the suffix of its files."""

    NPY = "npy"
    TSV = "tsv"
    JSONL = "jsonl"


class Normalization(str, Enum):
    """What is divided by its norm."""

    ALL = "all"
    PARTS = "parts"


class Invalid(str, Enum):
    """What becomes of lines that are not UTF-8."""

    FAIL = "fail"
    REPLACE = "replace"
    SKIP = "skip"


class Splitting(str, Enum):
    """What splits texts into words."""

    WORDS = "words"
    WHITESPACE = "whitespace"


class Initialisation(str, Enum):
    """How the matrices of an untrained model are drawn."""

    IDENTITY = "identity"
    GLOROT = "glorot"
    NORMAL = "normal"


class Storage(str, Enum):
    """The type of a model's numbers on disk."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    INT8 = "int8"
