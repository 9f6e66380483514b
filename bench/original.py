"""The original research code's formulation of a training update, as the baseline to beat."""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import logsigmoid

from cmow import _core
from cmow.encoder import Part


class Original:
    """Look-ups of whole matrices, one ``bmm`` a word, autograd, dense Adam."""

    def __init__(self, parts: Sequence[Part], *, window: int) -> None:
        words = len(parts[0].table)
        self.parts = parts
        self.length = 2 * window
        self.padding = words
        self.tables = []
        for part in parts:
            rows = np.vstack([part.table, part.monoid.neutral()])
            table = torch.nn.Embedding.from_pretrained(
                torch.tensor(rows, dtype=torch.float32), freeze=False
            )
            self.tables.append(table)
        width = sum(part.width for part in parts)
        self.output = torch.nn.Embedding(words, width)
        weights = [table.weight for table in (*self.tables, self.output)]
        self.optimiser = torch.optim.Adam(weights, lr=3e-4)

    def tensors(self, batch: _core.Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Contexts, targets and noise words, which the original makes in other processes."""
        windows = torch.tensor(batch.windows, dtype=torch.long)
        targets = torch.tensor(batch.ids, dtype=torch.long)[windows[:, 2]]
        return self._contexts(batch), targets, torch.tensor(batch.negatives, dtype=torch.long)

    def step(self, contexts: torch.Tensor, targets: torch.Tensor, noise: torch.Tensor) -> float:
        """One update; the mean loss of a window."""
        encoded = torch.cat(
            [
                self._encode(part, table, contexts)
                for part, table in zip(self.parts, self.tables, strict=True)
            ],
            dim=1,
        )
        positive = (self.output(targets) * encoded).sum(dim=1)
        negative = torch.bmm(self.output(noise), encoded.unsqueeze(2)).squeeze(2)
        loss = -(logsigmoid(positive) + logsigmoid(-negative).sum(dim=1)).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return loss.item()

    def _contexts(self, batch: _core.Batch) -> torch.Tensor:
        """The windows' words but the target, padded to the same length."""
        contexts = np.full((len(batch), self.length), self.padding)
        for row, (_, low, target, high) in zip(contexts, batch.windows, strict=True):
            words = np.concatenate([batch.ids[low:target], batch.ids[target + 1 : high]])
            row[: len(words)] = words
        return torch.as_tensor(contexts)

    def _encode(
        self, part: Part, table: torch.nn.Embedding, contexts: torch.Tensor
    ) -> torch.Tensor:
        rows = table(contexts)
        if part.monoid.has_vectors:
            return rows.sum(dim=1)
        matrices = rows.view(*contexts.shape, part.monoid.size, part.monoid.size)
        product = matrices[:, 0]
        for position in range(1, self.length):
            product = torch.bmm(product, matrices[:, position])
        return product.flatten(1)
