"""The endpoints of text-embeddings-inference."""

from importlib.metadata import version

from cmow.arrays import Floats
from cmow.serving.schemas import EmbedRequest, Info, PartInfo, SimilarityRequest
from cmow.serving.service import Service, Tally
from cmow.serving.shapes import rows_and_columns


def embed(service: Service, asked: EmbedRequest, tally: Tally) -> Floats:
    """The embeddings of texts."""
    embeddings: Floats = service.embed(
        asked.inputs,
        tally,
        field="inputs",
        dimensions=asked.dimensions,
        normalize=asked.normalize,
    )
    return embeddings


def similarity(service: Service, asked: SimilarityRequest, tally: Tally) -> Floats:
    """How alike a text and others are."""
    order = asked.parameters.order if asked.parameters else None
    return service.cosines(asked.inputs.source_sentence, asked.inputs.sentences, order, tally)


def info(service: Service, _: None, __: Tally) -> Info:
    """What is served, and how much it takes."""
    encoder, settings = service.encoder, service.settings
    parts = [
        PartInfo(part.name, part.monoid.kind, *rows_and_columns(part), not part.monoid.commutes)
        for part in encoder.parts
    ]
    return Info(
        model_id=service.name,
        model_dtype=encoder.parts[0].storage,
        model_type={"embedding": {"pooling": str(encoder.shape)}},
        dimensions=encoder.dim,
        vocabulary_size=len(encoder.vocabulary),
        parts=parts,
        texts_in_index=None if service.index is None else len(service.index),
        max_client_batch_size=settings.max_texts,
        max_input_length=settings.max_tokens,
        max_batch_tokens=settings.max_tokens,
        max_concurrent_requests=settings.max_requests,
        version=version("cmow"),
    )


def health(_: Service, __: None, ___: Tally) -> None:
    """Whether it is up."""
