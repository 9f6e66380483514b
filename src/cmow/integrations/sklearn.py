"""scikit-learn: embeddings as features, in a `Pipeline`."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Embeddings
from cmow.choices import Normalization
from cmow.encoder import SHIPPED, Encoder, fingerprint
from cmow.errors import ConfigError, MissingExtraError
from cmow.integrations.opening import path_of

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise MissingExtraError("scikit-learn", "sklearn") from error

__all__ = ["EncoderTransformer"]


class EncoderTransformer(TransformerMixin, BaseEstimator):
    """Texts to embeddings; pickled as the path of the model and its fingerprint, without tables.

    :param model: a model folder or a name of the hub.
    :param normalize: as in `Encoder.encode`.
    :param dimensions: the first numbers only.
    :param threads: all cores of the process unless given.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = SHIPPED,
        *,
        normalize: Normalization | None = None,
        dimensions: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.model = model
        self.normalize = normalize
        self.dimensions = dimensions
        self.threads = threads

    def fit(self, X: Iterable[str], y: Any = None) -> "EncoderTransformer":  # noqa: N803
        """Open the model, and check the settings; nothing is learned of the texts."""
        del X, y
        self._encoder = self._opened()
        self.fingerprint_ = fingerprint(self._encoder)
        self.n_features_out_ = self._encoded([]).shape[1]
        return self

    def transform(self, X: Iterable[str]) -> Embeddings:  # noqa: N803
        """The embeddings of texts."""
        check_is_fitted(self)
        if isinstance(X, str):
            raise TypeError("expected a list of texts, not a single str: [text]")
        return self._encoded(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The columns' names: cmow0, cmow1 and so on."""
        del input_features
        check_is_fitted(self)
        return np.array([f"cmow{number}" for number in range(self.n_features_out_)], object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def __getstate__(self) -> Any:
        return {name: value for name, value in super().__getstate__().items() if name != "_encoder"}

    def _opened(self) -> Encoder:
        return Encoder.from_pretrained(path_of(self.model))

    def _encoded(self, texts: Iterable[str]) -> Embeddings:
        return self._fitted().encode(
            texts, normalize=self.normalize, dimensions=self.dimensions, threads=self.threads
        )

    def _fitted(self) -> Encoder:
        """The encoder of the fit, opened again after a pickle if it still is the same."""
        if not hasattr(self, "_encoder"):
            encoder = self._opened()
            if fingerprint(encoder) != self.fingerprint_:
                raise ConfigError(
                    f"{self.model}: not the model that the transformer was fitted with: "
                    "bring that one back, or fit again"
                )
            self._encoder = encoder
        return self._encoder
