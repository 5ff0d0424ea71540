"""DECLARE that is ready: how it rewrites texts, and how it is saved.

A saved model is `weights.safetensors` (three encoders and what stands on them), the encoder's `config.json` and
`tokenizer.json`, `dictionary.tsv`, and `model.json`: its name, options, directions and everyday words, and the digest
of the folder that it was trained from, which is needed no more.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.base_folder import CONFIG, TOKENIZER, BaseFolder
from foundation.errors import UserError
from foundation.model_folders import signature_safe
from foundation.options import options_as_stored
from modelserving.interface.batch_model import BatchModel
from modelserving.interface.transfer_model import Direction
from modelserving.lexical_simplification.full_forms import FullForms
from modelserving.lexical_simplification.marked_sentences import Pieces, Sentence, runs
from modelserving.lexical_simplification.options import SimplifierDecoding
from modelserving.lexical_simplification.word_pieces import Word, WordPieces, words_of
from modelserving.pretrained.encoder_folder import most_pieces
from modelserving.pretrained.subwords import read_subwords
from modelserving.run_context.batchwise import batchwise
from modelserving.training.dataset import write_lines

if TYPE_CHECKING:
    from modelserving.lexical_simplification.simplifier import Simplifier

ABOUT, TERMS, BETWEEN = "model.json", "dictionary.tsv", " | "
WINDOW = 2_000  # texts that are put in order of length at a time
TEXTS, TOKENS = 32, 4_096  # that are rewritten at a time, padding counted


class SimplifierModel(BatchModel):
    """A network with its tokenizer and dictionary, on its device."""

    net: "Simplifier"

    def __init__(self, kind: Any, folder: BaseFolder, forms: FullForms, options: Any, device: str) -> None:
        super().__init__()
        self.kind, self.folder, self.options, self.device = kind, folder, options, device
        self.vocabularies = WordPieces(read_subwords(folder), forms, options.forms)
        self.base = {"folder": folder.path.name, "digest": folder.digest, "architecture": folder.architecture}

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: SimplifierDecoding) -> Iterator[str]:
        if direction not in self.directions:
            served = ", ".join(" to ".join(each) for each in self.directions)
            raise UserError(
                "This model was trained for {served}, not for {direction}.",
                served=served,
                direction=" to ".join(direction),
            )
        return self._transfer(texts, decoding)

    def _transfer(self, texts: Sequence[str], decoding: SimplifierDecoding) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            part = texts[start : start + WINDOW]
            yield from self._rewritten(part, [self._read(text) for text in part], decoding)

    def _read(self, text: str) -> list[Word]:
        """The words of a text that the encoder reads; those behind them are copied."""
        words = words_of(text)
        return words[: self.vocabularies.sentence([word.text for word in words]).fitting(most_pieces(self.folder))]

    def _rewritten(
        self, texts: Sequence[str], words: Sequence[list[Word]], decoding: SimplifierDecoding
    ) -> Iterator[str]:
        """Those of about one length together."""
        from modelserving.nets.beam_search import length_batches

        there = [place for place, found in enumerate(words) if found]
        self.net.eval()

        def write(places: list[int]) -> list[tuple[int, str]]:
            sentences = [self.vocabularies.sentence([word.text for word in words[place]]) for place in places]
            located, rewrites = self._changes(sentences, decoding)
            return [
                (place, self._text(texts[place], words[place], *changed))
                for place, changed in zip(places, zip(located, rewrites, strict=True), strict=True)
            ]

        groups = length_batches([len(words[place]) for place in there], TEXTS, TOKENS)
        batches = ([there[i] for i in group] for group in groups)
        written = dict(batchwise(write, batches, lambda place: self._too_large(words[place]), self.context))
        yield from (written.get(place, text) for place, text in enumerate(texts))

    def _changes(
        self, sentences: Sequence[Sentence], decoding: SimplifierDecoding
    ) -> tuple[list[list[bool]], list[list[Pieces]]]:
        """Which words of each sentence are located, and what is written for each run of them."""
        located = self.net.locate(sentences)
        choices = self.net.interpret(sentences, located)
        return located, self.net.polish(sentences, located, choices, decoding.longest)

    def _text(self, text: str, words: Sequence[Word], located: Sequence[bool], rewrites: Sequence[Pieces]) -> str:
        """The text with each run replaced; where nothing takes its place, a space goes too."""
        found, at = "", 0
        for (start, end), pieces in zip(runs(located), rewrites, strict=True):
            said, copied = self.vocabularies.text(pieces), text[at : words[start].start]
            found += copied + said if said else copied.rstrip()
            at = words[end - 1].end
        return (found + text[at:]) if found else text[at:].lstrip()

    def _too_large(self, words: Sequence[Word]) -> UserError:
        return UserError(
            "A single text of {words_count:,} words does not fit into the memory of {device}.",
            words_count=len(words),
            device=self.device,
        )

    def signature(self, direction: Direction, decoding: SimplifierDecoding) -> str:
        parts = {"model": self.kind.name, "direction": "-".join(direction), "base": self.base["digest"],
                 **options_as_stored(decoding)}  # fmt: skip
        return "|".join(f"{key}:{signature_safe(str(value))}" for key, value in parts.items())

    def save(self, folder: Path) -> None:
        from modelserving.training import weights

        weights.write_network(folder / weights.FILE, self.net)
        for name in (CONFIG, TOKENIZER):
            shutil.copyfile(self.folder.path / name, folder / name)
        forms = self.vocabularies.dictionary
        write_lines(folder / TERMS, (f"{short}\t{BETWEEN.join(full)}" for short, full in forms.known.forms.items()))
        about = {"model": self.kind.name, "directions": self.directions, "options": options_as_stored(self.options),
                 "base": self.base, "everyday": sorted(forms.everyday)}  # fmt: skip
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
