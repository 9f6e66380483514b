import numpy as np
import pytest

from cmow.evaluation import early_stopping
from cmow.evaluation.early_stopping import Split, _Stack, train_stopped
from cmow.evaluation.protocols import Samples


def samples(number, *, classes=3, apart=0.6, size=12, seed=0):
    random = np.random.default_rng(seed)
    centers = apart * np.random.default_rng(99).standard_normal((classes, size))
    labels = random.integers(0, classes, number)
    features = centers[labels] + random.standard_normal((number, size))
    return Samples(features.astype(np.float32), labels)


def parts(number, *, checking):
    return Split(np.arange(checking, number), np.arange(checking))


@pytest.mark.parametrize("penalty", [1e-5, 1e-2])
def test_steps_are_those_of_torch(penalty):
    torch = pytest.importorskip("torch")
    known, split = samples(150), parts(150, checking=10)
    stack = _Stack(known, [split], np.array([[1e-3, penalty]]), np.random.default_rng(1))
    layer = torch.nn.Linear(12, 3)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(stack.weights[0, :, 1].T))
        layer.bias.copy_(torch.tensor(stack.bias[0, 0, 1]))
    optimizer = torch.optim.Adam(layer.parameters(), weight_decay=penalty)
    same = np.random.default_rng(1)
    for rows in (12, 1):
        same.uniform(size=(rows, 1, 3))
    for _ in range(6):
        stack.epoch()
        order = same.permutation(split.training)
        for start in range(0, len(order), 64):
            features, labels = (torch.tensor(a[order[start : start + 64]]) for a in known)
            loss = torch.nn.functional.cross_entropy(layer(features), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    np.testing.assert_allclose(stack.weights[0, :, 1].T, layer.weight.detach(), atol=2e-6)
    np.testing.assert_allclose(stack.bias[0, 0, 1], layer.bias.detach(), atol=2e-6)


def test_splits_do_not_disturb_each_other():
    """Sizes differ, so that batches do, in number and in size: 129 samples are three batches."""
    known = samples(140)
    splits = [parts(140, checking=number) for number in (12, 11, 40, 13)]

    class InOrder:
        def __init__(self):
            self.random = np.random.default_rng(3)

        def uniform(self, *bounds):
            return self.random.uniform(*bounds)

        def permutation(self, rows):
            return rows

    penalties = [[1e-5, 1e-2]] * 4
    together = train_stopped(known, known, splits, penalties, InOrder())
    for number, split in enumerate(splits):
        alone = train_stopped(known, known, [split], penalties[:1], InOrder())
        np.testing.assert_allclose(together.weights[number], alone.weights[0], atol=1e-5)
        np.testing.assert_array_equal(together.accuracy[number], alone.accuracy[0])


def checks(accuracies, monkeypatch):
    """How often a classifier is checked whose accuracy on 100 samples is as given."""
    monkeypatch.setattr(early_stopping, "EPOCHS_BETWEEN_CHECKS", 1)
    known, split = samples(110), parts(110, checking=100)
    told = iter(accuracies)
    asked = []

    def decide(*_):
        asked.append(next(told))
        labels = known.labels[:100, None]
        return np.where(np.arange(100)[:, None] < asked[-1], labels, labels + 1)

    monkeypatch.setattr(_Stack, "decide", decide)
    found = train_stopped(known, known, [split], [[1e-3]], np.random.default_rng(0))
    return len(asked), found.accuracy[0, 0], bool(found.stopped[0, 0])


def test_the_sixth_check_that_is_no_better_ends_it(monkeypatch):
    """Better ones in between do not make up for them, and no worse is no better."""
    accuracies = [50, 50, 60, 55, 60, 58, 59, 61, 60, 99]
    assert checks(accuracies, monkeypatch) == (9, 61.0, True)


def test_it_ends_after_204_epochs(monkeypatch):
    assert checks(range(100), monkeypatch) == (51, 50.0, False)


def test_the_best_weights_are_kept():
    known, split = samples(300), parts(300, checking=100)
    found = train_stopped(known, known, [split], [[1e-5, 1e-2]], np.random.default_rng(0))
    for penalty in range(2):
        said = found.predict(known.features[:100], 0, penalty)
        assert 100 * np.mean(said == known.labels[:100]) == found.accuracy[0, penalty]
    assert found.stopped.all()
