"""What can be chosen in more than one room, and what is unless one does: without heavy imports."""

from typing import Literal

Splitter = Literal["words", "whitespace"]  # of raw text, and of text that is tokenized already
Invalid = Literal["fail", "replace", "skip"]  # what becomes of lines that are not UTF-8
Initialization = Literal["identity", "glorot", "normal"]  # of untrained matrices
Storage = Literal["float32", "float16", "int8", "int4"]  # of a model's numbers on disk
RowStorage = Literal["float32", "float16", "int8"]  # of an index's numbers
Normalization = Literal["all", "parts"]  # of embeddings: what is divided by its norm
EvaluationClassifier = Literal["solved", "senteval"]  # to the optimum, or as SentEval trains it

SHIPPED = "english"  # the name of the model that comes with the package

INTO = "embedding"  # the column of embeddings

SHAPES = {
    "cbow-400": "sum(400)",
    "cbow-784": "sum(784)",
    "cmow-400": "product(20)",
    "cmow-784": "product(28)",
    "hybrid-800": "sum(400)+product(20)",
    "hybrid-1184": "sum(784)+product(20)",
}
PRESETS = ", ".join(SHAPES)

# Of an untrained encoder.
SHAPE = "hybrid-1184"
INITIALIZATION: Initialization = "identity"
SIGMA = 0.01

# Of text.
SPLITTER: Splitter = "words"
VOCABULARY_SIZE = 30_000
MINIMUM_COUNT = 1
