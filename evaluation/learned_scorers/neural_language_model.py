"""A masked or causal language model from a folder of this machine: its tuning, and its probability of texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.learned_scorers.encoders import longest
from evaluation.learned_scorers.training_material import Floats
from evaluation.learned_scorers.words import all_tokens, chunks, windows
from foundation.base_folder import check_sizes
from foundation.errors import UserError
from foundation.seeds import generator

MASKED_HEADS = ("ForMaskedLM", "ForPreTraining")
RATE = 5e-5
TUNED_AT_ONCE = 16
ROWS = 64  # of a pass, so that memory stays bounded however long a text is
SHARE = 0.15  # of the tokens that are foretold while tuning: 8 of 10 masked, 1 replaced, 1 left (Devlin et al. 2019)
IGNORED = -100


class LanguageModel:
    """The model and its tokenizer; `masked` says which kind it is, as its configuration does."""

    def __init__(self, folder: Path, where: str) -> None:
        check_sizes(folder)
        import transformers

        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        self.masked = is_masked(getattr(config, "architectures", None) or [])
        self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        kind: Any = transformers.AutoModelForMaskedLM if self.masked else transformers.AutoModelForCausalLM
        self.model: Any = kind.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model.eval()
        self.longest = longest(self.tokenizer, config)
        self._special = set(self.tokenizer.all_special_ids) - {self.tokenizer.unk_token_id}
        if self.masked and self.tokenizer.mask_token_id is None:
            raise UserError("The tokenizer of this masked language model has no mask.", where=where)

    def tune(self, texts: Sequence[str], epochs: int, seed: int) -> None:
        """Continue the training on texts, by the model's own task; the state of other random generators is left alone.

        Args:
            texts: The texts to tune on.
            epochs: How often each text is seen.
            seed: Sets the order and what is masked.
        """
        import torch

        encoded = [
            ids for text in texts for ids in chunks(self._encode(text), self._special, self.longest) if len(ids) > 2
        ]
        step = torch.optim.AdamW(self.model.parameters(), lr=RATE)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.model.train()
            for epoch in range(epochs):
                draw = generator(seed, "language model", epoch)
                for part in _parts(draw.permutation(len(encoded)).tolist(), TUNED_AT_ONCE):
                    step.zero_grad()
                    loss = self._loss([encoded[i] for i in part], draw)
                    if loss is not None:
                        loss.backward()
                        step.step()
            self.model.eval()

    def surprise(self, text: str) -> tuple[float, int]:
        """The negative log-probability of a text.

        A masked model predicts each token from all others (Salazar et al. 2020), a causal one from those before it.
        Special tokens are not counted; a text that is too long is read in windows.

        Args:
            text: The text.

        Returns:
            The sum over its tokens, and how many there are.
        """
        total, count = 0.0, 0
        for ids, first, last in windows(self._encode(text), self._special, self.longest, forward=not self.masked):
            places = [i for i in range(first, last) if ids[i] not in self._special and (self.masked or i > 0)]
            if places:
                logprobs = self._masked(ids, places) if self.masked else self._causal(ids, places)
                total, count = total - float(logprobs.sum()), count + len(places)
        return total, count

    def too_long(self, text: str) -> bool:
        """Whether a text has more tokens than the model reads at once."""
        return len(self._encode(text)) > self.longest

    def _masked(self, ids: list[int], places: list[int]) -> Floats:
        import torch

        pieces = []
        for part in _parts(places, ROWS):
            rows = torch.tensor([ids] * len(part))
            rows_at = torch.arange(len(part))
            rows[rows_at, part] = self.tokenizer.mask_token_id
            with torch.inference_mode():
                logits = self.model(rows, attention_mask=torch.ones_like(rows)).logits[rows_at, part]
            logprobs = torch.log_softmax(logits.double(), dim=-1)
            pieces.append(logprobs[rows_at, torch.tensor(ids)[part]].numpy())
        return np.concatenate(pieces)

    def _causal(self, ids: list[int], places: list[int]) -> Floats:
        import torch

        rows = torch.tensor([ids])
        with torch.inference_mode():
            logits = self.model(rows, attention_mask=torch.ones_like(rows)).logits[0]
        logprobs = torch.log_softmax(logits.double(), dim=-1)
        before = torch.tensor(places) - 1
        chosen: Floats = logprobs[before, torch.tensor(ids)[places]].numpy()
        return chosen

    def _encode(self, text: str) -> list[int]:
        """With a beginning to foretell the first token from, where a causal model's tokenizer has one but sets none."""
        ids = all_tokens(self.tokenizer, text)
        begin = self.tokenizer.bos_token_id
        return [begin, *ids] if not self.masked and begin is not None and ids[:1] != [begin] else ids

    def _loss(self, encoded: Sequence[list[int]], draw: np.random.Generator) -> Any:
        """None where no token was drawn to be foretold."""
        import torch

        width = max(map(len, encoded))
        pad = self.tokenizer.pad_token_id or 0
        ids = np.array([tokens + [pad] * (width - len(tokens)) for tokens in encoded])
        mask = np.array([[1] * len(tokens) + [0] * (width - len(tokens)) for tokens in encoded])
        labels = np.where(mask == 1, ids, IGNORED)
        if self.masked:
            ids, labels = self._hide(ids, mask, draw)
        if (labels == IGNORED).all():
            return None
        return self.model(torch.tensor(ids), attention_mask=torch.tensor(mask), labels=torch.tensor(labels)).loss

    def _hide(self, ids: Any, mask: Any, draw: np.random.Generator) -> tuple[Any, Any]:
        """The tokens as the model sees them, and those that it must foretell."""
        words = (mask == 1) & ~np.isin(ids, self.tokenizer.all_special_ids)
        chosen = words & (draw.random(ids.shape) < SHARE)
        fate = draw.random(ids.shape)
        shown = np.where(chosen & (fate < 0.8), self.tokenizer.mask_token_id, ids)
        others = draw.integers(0, len(self.tokenizer), ids.shape)
        return np.where(chosen & (fate >= 0.9), others, shown), np.where(chosen, ids, IGNORED)


def is_masked(architectures: Sequence[str]) -> bool:
    return any(name.endswith(MASKED_HEADS) for name in architectures)


def _parts(places: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]
