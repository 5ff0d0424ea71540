"""A network that is ready: how it rewrites texts, and how it is saved. `kind.py` trains it.

A saved model is `weights.safetensors`, `model.json` (its name, options, directions) and its words, a line each, or the
merges that make its subwords.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from foundation.errors import UserError
from foundation.options import options_as_stored
from modelserving.interface import BatchModel, Direction
from modelserving.run_context import batchwise
from modelserving.training import subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import UNKNOWN, Vocabularies

if TYPE_CHECKING:
    from modelserving.nets.beam_search import Hypothesis
    from modelserving.training.batches import Batch, Batches
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup

ABOUT, SOURCE_WORDS, TARGET_WORDS = "model.json", "source-words.txt", "target-words.txt"
WINDOW = 2_000  # texts that are put in order of length at a time
TEXTS, WORDS = 64, 4_096  # that are rewritten at a time, padding counted


class Architecture(Protocol):
    """The attributes and methods of a kind that a ready model needs."""

    @property
    def name(self) -> str:
        """The name of its entry."""

    @property
    def copies(self) -> bool:
        """Whether it needs ids of the extended vocabulary."""

    def source_batch(self, model: "NetworkModel", texts: Sequence[list[str]], direction: Direction) -> "Batch":
        """The batch of sources, none of them empty, for the search."""

    def batches(
        self, data: TrainingData, vocabularies: Vocabularies, options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "Batches":
        """The data's pairs as batches, their ids on disk in the training's folder."""


class NetworkModel(BatchModel):
    """A network with its words, on its device."""

    def __init__(
        self, kind: Architecture, net: "Network", vocabularies: Vocabularies, options: Any, device: str
    ) -> None:
        super().__init__()
        self.kind, self.net, self.vocabularies, self.options, self.device = kind, net, vocabularies, options, device

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        self.check_direction(direction)
        return self._transfer(texts, direction, decoding)

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: BeamSearchOptions) -> Iterator[str]:
        tokenizer = self.vocabularies.tokenizer
        for start in range(0, len(texts), WINDOW):
            cut = [tokenizer.tokenize(text)[: self.options.read] for text in texts[start : start + WINDOW]]
            yield from map(tokenizer.detokenize, self.rewrite(cut, direction, decoding))

    def rewrite(self, texts: Sequence[list[str]], direction: Direction, decoding: BeamSearchOptions) -> list[list[str]]:
        """The words of each text's output; texts of about one length are taken together."""
        from modelserving.nets.beam_search import beam_search, length_batches
        from modelserving.nets.sampling import sample

        not_empty = [place for place, words in enumerate(texts) if words]
        search = sample if decoding.sample else beam_search
        self.net.eval()

        def write(places: list[int]) -> list[tuple[int, list[str]]]:
            batch = self.kind.source_batch(self, [texts[place] for place in places], direction).to(self.device)
            found = zip(places, search(self.net, batch, decoding), strict=True)
            return [(place, self._written(one, texts[place], decoding)) for place, one in found]

        groups = length_batches([len(texts[place]) for place in not_empty], TEXTS, WORDS)
        batches = ([not_empty[i] for i in group] for group in groups)
        written = dict(batchwise(write, batches, lambda place: self.too_large(texts[place]), self.context))
        return [written.get(place, []) for place in range(len(texts))]

    def too_large(self, words: Sequence[object]) -> UserError:
        """The error of a text that does not fit into memory alone."""
        return UserError(
            "A single text of {words_count:,} words does not fit into the memory of {device}: lower "
            "'read' or 'longest', or the beam.",
            words_count=len(words),
            device=self.device,
        )

    def _written(self, hypothesis: "Hypothesis", source: list[str], decoding: BeamSearchOptions) -> list[str]:
        """The words, with those that were copied; an unknown one gives way to the source word that it attended to."""
        known = self.vocabularies.target
        unknown = list(dict.fromkeys(word for word in source if word not in self.vocabularies.source))
        written = []
        for word_id, place in zip(hypothesis.ids, hypothesis.places, strict=True):
            if word_id >= len(known):
                written.append(unknown[word_id - len(known)])
            elif word_id == UNKNOWN and decoding.replace_unknown and place >= 0:
                written.extend(self._in_place_of_unknown(source[place], decoding))
            else:
                written.append(known.words[word_id])
        return written

    def _in_place_of_unknown(self, attended: str, decoding: BeamSearchOptions) -> Sequence[str]:
        """The words written for an unknown one: the source word that it attended to."""
        return [attended]

    def signature(self, direction: Direction, decoding: BeamSearchOptions) -> str:
        parts = {"model": self.kind.name, "direction": "-".join(direction), **options_as_stored(decoding)}
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def save(self, folder: Path) -> None:
        from modelserving.training import weights

        (folder / ABOUT).write_text(json.dumps(self._about(), ensure_ascii=False, indent=1), encoding="utf-8")
        self._save_vocabularies(folder)
        weights.write_network(folder / weights.FILE, self.net)

    def _about(self) -> dict[str, Any]:
        """The facts in a saved model's `model.json`."""
        return {"model": self.kind.name, "directions": self.directions, "options": options_as_stored(self.options)}

    def _save_vocabularies(self, folder: Path) -> None:
        if isinstance(self.vocabularies.tokenizer, subwords.SubwordTokenizer):
            self.vocabularies.tokenizer.write(folder / subwords.FILE)
            return
        self.vocabularies.source.write(folder / SOURCE_WORDS)
        if not self.vocabularies.shared:
            self.vocabularies.target.write(folder / TARGET_WORDS)
