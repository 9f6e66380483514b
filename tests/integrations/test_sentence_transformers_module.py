"""sentence-transformers opens, runs, fine-tunes and saves an encoder."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from datasets import Dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.sentence_transformer.losses import (
    CachedMultipleNegativesRankingLoss,
    MultipleNegativesRankingLoss,
)
from sentence_transformers.sentence_transformer.modules import Normalize

import cmow
from cmow.integrations.sentence_transformers import CMOW

SHIPPED = Path(cmow.__file__).parent / "models" / "english"


@pytest.mark.parametrize("name", ["hybrid", "english"])
def test_modules_encode_as_the_encoder_does(request, name, texts):
    encoder = request.getfixturevalue(name)
    some = [*texts[:50], "", "xyzzy"]
    library = SentenceTransformer(modules=[CMOW(encoder)], device="cpu")
    assert library.get_embedding_dimension() == encoder.dim
    np.testing.assert_allclose(library.encode(some), encoder.encode(some), atol=1e-6)
    with pytest.raises(TypeError, match="text 0 is of type tuple, not str"):
        library.encode([("a", "pair")])
    features = library.preprocess(some)
    with torch.enable_grad():  # so that PyTorch composes
        composed = library(features)["sentence_embedding"]
    assert composed.requires_grad
    np.testing.assert_allclose(composed.detach().numpy(), encoder.encode(some), atol=2e-4)


def test_a_model_folder_is_one_of_the_library_s(model, hybrid, texts, tmp_path):
    library = SentenceTransformer(model, trust_remote_code=True, device="cpu")
    np.testing.assert_allclose(library.encode(texts), hybrid.encode(texts), atol=1e-6)
    with pytest.raises(ValueError, match="trust_remote_code"):
        SentenceTransformer(model)
    shipped = SentenceTransformer(str(SHIPPED), trust_remote_code=True, device="cpu")
    np.testing.assert_allclose(shipped.encode(texts), cmow.load().encode(texts), atol=1e-6)
    library.append(Normalize())
    library.save(str(tmp_path / "both"))
    units = library.encode(texts)
    again = SentenceTransformer(str(tmp_path / "both"), trust_remote_code=True, device="cpu")
    np.testing.assert_allclose(again.encode(texts), units, atol=1e-6)
    ours = cmow.load(tmp_path / "both")
    np.testing.assert_array_equal(ours.encode(texts), hybrid.encode(texts))
    ours.part("cmow").save(tmp_path / "both")  # what comes behind it stays
    again = SentenceTransformer(str(tmp_path / "both"), trust_remote_code=True, device="cpu")
    np.testing.assert_allclose(np.linalg.norm(again.encode(texts), axis=1), 1, atol=1e-5)
    modules = json.loads((tmp_path / "both" / "modules.json").read_text())
    assert modules[0]["type"] == "cmow.integrations.sentence_transformers.CMOW"


@pytest.mark.parametrize("loss", [MultipleNegativesRankingLoss, CachedMultipleNegativesRankingLoss])
def test_it_is_fine_tuned_by_the_library_s_trainer(hybrid, texts, tmp_path, loss):
    pairs = {
        "anchor": texts[:128],
        "positive": [" ".join(text.split()[::-1]) for text in texts[:128]],
    }
    library = SentenceTransformer(modules=[CMOW(hybrid)], device="cpu")

    def hits(model):
        one, other = (model.encode(pairs[side]) for side in ("anchor", "positive"))
        return (model.similarity(one, other).argmax(1).numpy() == np.arange(128)).mean()

    def lost():
        return float(evaluated(library, pairs))

    def evaluated(model, columns):
        with torch.no_grad():
            one, other = (torch.tensor(model.encode(columns[side])) for side in columns)
            scores = 20 * torch.nn.functional.cosine_similarity(one[:, None], other[None], dim=2)
            return torch.nn.functional.cross_entropy(scores, torch.arange(len(scores)))

    before = lost()
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path / "run"),
        num_train_epochs=6,
        per_device_train_batch_size=32,
        learning_rate=0.02,
        report_to="none",
        save_strategy="epoch",
        save_total_limit=1,
        use_cpu=True,
        disable_tqdm=True,
    )
    settings = {"mini_batch_size": 8} if loss is CachedMultipleNegativesRankingLoss else {}
    trainer = SentenceTransformerTrainer(
        model=library,
        args=arguments,
        train_dataset=Dataset.from_dict(pairs),
        loss=loss(library, **settings),
    )
    trainer.train()
    assert lost() < 0.8 * before
    assert hits(library) > 0.9
    library.save(str(tmp_path / "tuned"))
    tuned = cmow.load(tmp_path / "tuned")
    np.testing.assert_allclose(tuned.encode(texts), library.encode(texts), atol=1e-6)
    assert np.abs(tuned.encode(texts) - hybrid.encode(texts)).max() > 0.1
    (checkpoint,) = Path(tmp_path / "run").glob("checkpoint-*")
    np.testing.assert_allclose(cmow.load(checkpoint).encode(texts), tuned.encode(texts), atol=1e-6)
