"""What tells one encoder from another."""

import hashlib
import json

from cmow.encoder.base import EncoderBase


def fingerprint(encoder: EncoderBase) -> str:
    """A hash of all that decides on embeddings; the tables are read for it."""
    content = hashlib.blake2b(encoder.tokenizer.to_json().encode(), digest_size=16)
    for part in encoder.parts:
        content.update(json.dumps([part.name, part.shape.settings()]).encode())
        content.update(part.table.data)
        if part.scales is not None:
            content.update(part.scales.data)
    if encoder.projection is not None:
        content.update(json.dumps(encoder.projection.settings()).encode())
        for tensor in encoder.projection.tensors().values():
            content.update(tensor.tobytes())
    return content.hexdigest()
