import numpy as np
import pytest

from cmow.evaluation.correlation import pearson
from cmow.evaluation.regressor import ScoredPairs, regress, target_distributions


def test_targets_by_hand():
    targets = target_distributions(np.array([1.0, 2.25, 5.0, 3.5]))
    expected = [[1, 0, 0, 0, 0], [0, 0.75, 0.25, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0.5, 0.5, 0]]
    np.testing.assert_allclose(targets, expected)


def test_what_would_belong_to_zero_is_dropped():
    np.testing.assert_allclose(target_distributions(np.array([0.0]))[0], 0)
    np.testing.assert_allclose(target_distributions(np.array([0.4]))[0], [0.4, 0, 0, 0, 0])


def pairs(number, seed):
    random = np.random.default_rng(seed)
    features = random.standard_normal((number, 10)).astype(np.float32)
    scores = 1 + 4 / (1 + np.exp(-features @ np.linspace(-1, 1, 10)))
    return ScoredPairs(features, scores)


def test_learns_scores():
    found = regress(pairs(400, 0), pairs(100, 1), pairs(200, 2), seed=1)
    assert pearson(found.predictions, pairs(200, 2).scores) > 0.95
    assert found.development > 0.95
    assert found.predictions.min() >= 1
    assert found.predictions.max() <= 5


def test_the_seed_decides():
    splits = pairs(100, 0), pairs(50, 1), pairs(50, 2)
    one, same, other = (regress(*splits, seed=seed).predictions for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


@pytest.mark.parametrize("batch", [64, 100])
def test_steps_are_those_of_torch(batch, monkeypatch):
    torch = pytest.importorskip("torch")
    from cmow.evaluation import regressor

    monkeypatch.setattr(regressor, "BATCH", batch)
    train = pairs(150, 0)
    targets = target_distributions(train.scores)
    learner = regressor._Learner(10, np.random.default_rng(0))
    layer = torch.nn.Linear(10, 5)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(learner.weights[0].T))
        layer.bias.copy_(torch.tensor(learner.weights[1]))
    optimizer = torch.optim.Adam(layer.parameters())
    random, same = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(5):
        learner.epoch(train.features, targets, random)
        order = same.permutation(150)
        for start in range(0, 150, batch):
            chosen = order[start : start + batch]
            chances = torch.softmax(layer(torch.tensor(train.features[chosen])), 1)
            loss = torch.nn.functional.mse_loss(chances, torch.tensor(targets[chosen]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    np.testing.assert_allclose(learner.weights[0].T, layer.weight.detach(), atol=1e-5)
    np.testing.assert_allclose(learner.weights[1], layer.bias.detach(), atol=1e-5)
