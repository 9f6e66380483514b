"""Ray Data: a column of texts gets a column of embeddings, on all machines of a cluster."""

import os
from typing import Any

from cmow.choices import INTO, Normalization, RowStorage
from cmow.errors import MissingExtraError
from cmow.integrations.columns import ColumnEncoding

try:
    import ray
    from ray.data import ActorPoolStrategy, Dataset
except ImportError as error:
    raise MissingExtraError("ray", "ray") from error

ROWS = 4096  # of a batch


class EncodeColumn:
    """What an actor of Ray does: it maps the model once, and encodes batch after batch."""

    def __init__(self, encoding: ColumnEncoding) -> None:
        self._encode = encoding.open()

    def __call__(self, batch: Any) -> Any:
        return self._encode(batch)


def encode_dataset(
    dataset: Dataset,
    model: str | os.PathLike[str],
    *,
    column: str,
    into: str = INTO,
    part: str | None = None,
    normalize: Normalization | None = None,
    storage: RowStorage = "float32",
    workers: int | None = None,
    threads: int = 1,
) -> Dataset:
    """The dataset with the embeddings of a column of texts as its last column.

    :param model: a folder that every machine has at the same path.
    :param storage: float32, float16, or int8 with a scale for each row in a further column.
    :param workers: processes; else as many as there are CPUs for, once there is work for them.
    :param threads: of each worker. Half as many CPUs are reserved for it: reading and writing need
        some, too, and would wait for ever for those that workers hold.
    """
    encoding = ColumnEncoding.of(
        model,
        column=column,
        into=into,
        part=part,
        normalize=normalize,
        storage=storage,
        threads=threads,
    )
    if (names := dataset.columns(fetch_if_missing=False)) is not None:
        encoding.check(names)
    return dataset.map_batches(
        EncodeColumn,
        fn_constructor_args=(encoding,),
        batch_format="pyarrow",
        batch_size=ROWS,
        compute=_pool(workers, threads),
        num_cpus=threads / 2,
    )


def _pool(workers: int | None, threads: int) -> ActorPoolStrategy:
    if workers is not None:
        return ActorPoolStrategy(size=workers)
    cpus = int(ray.cluster_resources().get("CPU", 1))
    return ActorPoolStrategy(min_size=1, max_size=max(1, cpus // threads))
