"""Ids to embeddings: parts, their composition, and the model folder."""

from cmow.choices import SHAPES, SHIPPED
from cmow.encoder.composer import rescale_every
from cmow.encoder.document import Document, Span
from cmow.encoder.encoder import Encoder, load
from cmow.encoder.fingerprint import fingerprint
from cmow.encoder.folder import check_replaceable
from cmow.encoder.initialization import INITIALIZATIONS
from cmow.encoder.inputs import checked_texts, listed
from cmow.encoder.neighbors import Neighbor
from cmow.encoder.part import STORAGES, Part
from cmow.encoder.projection import Placement, Projection
from cmow.encoder.shapes import PartShape, Shape
from cmow.encoder.storage import StorageLoss
from cmow.encoder.tensors import map_tensors, read_metadata, write_tensors
from cmow.encoder.tokenwise import Tokens
from cmow.encoder.vectors import WordVectors
from cmow.encoder.words import Coverage

Neighbour = Neighbor  # its former spelling

__all__ = [
    "INITIALIZATIONS",
    "SHAPES",
    "SHIPPED",
    "STORAGES",
    "Coverage",
    "Document",
    "Encoder",
    "Neighbor",
    "Part",
    "PartShape",
    "Placement",
    "Projection",
    "Shape",
    "Span",
    "StorageLoss",
    "Tokens",
    "WordVectors",
    "check_replaceable",
    "checked_texts",
    "fingerprint",
    "listed",
    "load",
    "map_tensors",
    "read_metadata",
    "rescale_every",
    "write_tensors",
]
