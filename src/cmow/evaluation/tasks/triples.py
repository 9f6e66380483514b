"""Which of two sentences of the same words means what a third one does."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from cmow.arrays import Booleans, Doubles, Floats
from cmow.evaluation.data import DataFolder
from cmow.evaluation.protocols import Samples, cross_validated_then_tested
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.tasks.order import ROUNDING, unit
from cmow.evaluation.triples import KINDS, Triple, triples

KEPT, TURNED = "order kept", "order turned"


class TriplesTask(Task[list[Triple]]):
    """What both tasks have in common."""

    group = "order"

    def texts(self, material: list[Triple]) -> chain[str]:
        """All three sentences of each."""
        return chain.from_iterable(triple.sentences for triple in material)


class Triples(TriplesTask):
    """Is a sentence nearer to its rewording than to a reordering of that? Ties count half.

    A bag of words scores exactly 50. The score is the mean of twelve kinds.
    """

    name = "Triples"

    def read(self, data: DataFolder) -> list[Triple]:  # noqa: ARG002
        """Those of the test split, which need no file."""
        return triples("test")

    def score(self, material: list[Triple], model: Model, *, seed: int) -> Result:  # noqa: ARG002
        """Accuracy by cosines."""
        anchors, rewordings, reorderings = (unit(side) for side in _embedded(material, model))
        # A distance tells what is nearer more exactly than a cosine, where all are close to 1.
        near, far = (np.linalg.norm(anchors - side, axis=1) for side in (rewordings, reorderings))
        right = np.where(np.abs(near - far) < ROUNDING, 0.5, near < far)
        return _result(material, right)


class TriplesProbe(TriplesTask):
    """Can a linear classifier tell rewordings from their reorderings, of words it has not seen?

    It knows |u − v| and u · v of a sentence u and another one v. A bag of words scores exactly 50.
    """

    name, effort = "TriplesProbe", 20.0

    def read(self, data: DataFolder) -> list[Triple]:  # noqa: ARG002
        """Those to train on, then those to test with."""
        return [*triples("train"), *triples("test")]

    def score(self, material: list[Triple], model: Model, *, seed: int) -> Result:
        """The accuracy of a classifier for each kind."""
        train, test = material[: len(material) // 2], material[len(material) // 2 :]
        right = np.empty(len(test))
        for kind in KINDS:
            samples = _samples([triple for triple in train if triple.kind == kind], model)
            chosen = np.array([triple.kind == kind for triple in test])
            tested = _samples([triple for triple in test if triple.kind == kind], model)
            said = cross_validated_then_tested(samples, tested, seed=seed).predictions
            right[chosen] = (said == tested.labels).reshape(2, -1).mean(axis=0)
        return _result(test, right)


def _embedded(material: Sequence[Triple], model: Model) -> list[Floats]:
    """The embeddings of anchors, of rewordings and of reorderings."""
    sides = zip(*(triple.sentences for triple in material), strict=True)
    return [model.embed(side) for side in sides]


def _samples(material: Sequence[Triple], model: Model) -> Samples:
    """Anchors with rewordings (class 1), then with reorderings (class 0)."""
    anchors, *others = (unit(side).astype(np.float32) for side in _embedded(material, model))
    features = [np.hstack([np.abs(anchors - other), anchors * other]) for other in others]
    labels = np.repeat([1, 0], len(anchors))
    return Samples(np.concatenate(features), labels)


def _result(material: Sequence[Triple], right: Doubles) -> Result:
    """The mean of kinds, each kind, and apart those rewordings that keep the order of things."""
    kinds = {kind: _points(right, [t.kind == kind for t in material]) for kind in KINDS}
    ways = {
        name: _points(right, [t.kept is kept for t in material])
        for name, kept in ((KEPT, True), (TURNED, False))
    }
    mean = float(np.mean(list(kinds.values())))
    return Result(mean, {**kinds, **ways}, {"triples": len(material)})


def _points(right: Doubles, chosen: Sequence[bool] | Booleans) -> float:
    return 100 * float(right[np.asarray(chosen)].mean())
