"""MTEB 2: an encoder as one of its models, and SentEval's STS files as its tasks.

`mteb.evaluate(CMOWModel("model"), senteval_sts("senteval"))` needs no network.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Embeddings
from cmow.encoder import SHIPPED, Encoder, fingerprint
from cmow.errors import MissingExtraError
from cmow.evaluation import TASKS, DataFolder
from cmow.integrations.opening import Model, opened

try:
    from datasets import Dataset, DatasetDict
    from mteb.abstasks.sts import AbsTaskSTS
    from mteb.abstasks.task_metadata import TaskMetadata
    from mteb.models.abs_encoder import AbsEncoder
    from mteb.models.model_meta import ModelMeta, ScoringFunction
except ImportError as error:
    raise MissingExtraError("mteb", "mteb") from error

__all__ = ["CMOWModel", "senteval_sts"]

STS = {name: task for name, task in TASKS.items() if task.group == "unsupervised"}


class CMOWModel(AbsEncoder):
    """What `mteb.evaluate` takes.

    :param model: an encoder, a model folder or a name of the hub.
    """

    def __init__(self, model: Model = SHIPPED, **_: Any) -> None:
        encoder = opened(model)
        name = "encoder" if isinstance(model, Encoder) else Path(model).name
        self.model = encoder.comparable()
        self.mteb_model_meta = ModelMeta(
            loader=CMOWModel,
            name=f"cmow/{name}",
            revision=fingerprint(encoder),
            release_date=None,
            languages=None,
            n_parameters=sum(len(part.table) * part.monoid.row_width for part in encoder.parts),
            memory_usage_mb=sum(part.table.nbytes for part in encoder.parts) / 2**20,
            max_tokens=None,
            embed_dim=encoder.dim,
            license=None,
            open_weights=True,
            public_training_code=None,
            public_training_data=None,
            framework=["NumPy", "safetensors"],
            similarity_fn_name=ScoringFunction.COSINE,
            use_instructions=False,
            training_datasets=None,
        )

    def encode(self, inputs: Any, **_: Any) -> Embeddings:
        """The embeddings of all texts of its batches."""
        return self.model.encode(text for batch in inputs for text in batch["text"])


def senteval_sts(
    folder: str | os.PathLike[str], names: tuple[str, ...] = tuple(STS)
) -> list[AbsTaskSTS]:
    """Tasks of MTEB that read their pairs from a SentEval folder.

    :param names: of the tasks, as `cmow evaluate` calls them.
    """
    data = DataFolder([Path(folder)])
    return [_local_task(name, data) for name in names]


def _local_task(name: str, data: DataFolder) -> AbsTaskSTS:
    def load_data(self: Any, *_: Any, **__: Any) -> None:
        subsets = STS[name].read(data).values()
        columns = {
            "sentence1": [text for pairs in subsets for text in pairs.first],
            "sentence2": [text for pairs in subsets for text in pairs.second],
            "score": np.concatenate([pairs.values for pairs in subsets]).tolist(),
        }
        self.dataset = DatasetDict(test=Dataset.from_dict(columns))
        self.data_loaded = True

    metadata = TaskMetadata(
        name=f"SentEval-{name}",
        description=f"{name} as SentEval's files have it.",
        dataset={"path": "local", "revision": "senteval"},
        type="STS",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="cosine_pearson",
    )
    kind = type(f"SentEval{name}", (AbsTaskSTS,), {"metadata": metadata, "load_data": load_data})
    return kind()
