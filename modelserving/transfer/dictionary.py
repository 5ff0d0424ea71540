"""Each located term replaced by one of its full forms, and nothing else (Luo et al. 2022, section 5.1 and appendix C).

The paper's words: "randomly select one full-term expression for each located token by the locator and directly replace
the terms in the sentence". Its locator is a part of DECLARE: with `locator`, a checkpoint of `declare`, the words that
this finds are looked up; without, every word is. A term is an entry of the dictionary, as `full_forms` looks it up (an
everyday word is none). A full form is spelt as in the dictionary, also at the beginning of a sentence.
"""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge import abbreviations
from corpora.knowledge.abbreviations import Abbreviations
from corpora.knowledge.brackets import bracketed
from foundation.base_folder import CONFIG, OURS, TOKENIZER, BaseFolder, read_base_folder
from foundation.errors import UserError
from foundation.options import option
from foundation.papers import MEDLANE
from foundation.seeds import generator
from foundation.text_keys import DEIDENTIFIED
from modelserving.interface import Direction, Model, Transfer
from modelserving.lexical_simplification.options import ARCHITECTURES
from modelserving.lexical_simplification.word_pieces import FullForms, Word, WordPieces, words_of
from modelserving.neural_transfer.kind import start_file
from modelserving.pretrained.folder_list import most_pieces
from modelserving.pretrained.subwords import read_subwords
from modelserving.training.callbacks import Callbacks
from modelserving.training.checkpoint import unpack
from modelserving.training.dataset import Pairs, TrainingData, write_lines

if TYPE_CHECKING:
    from modelserving.lexical_simplification.locator import Locator

# A trained DECLARE's locator by itself, which finds the terms of a text. Saved and loaded without the other parts.
#
# Its files are those of a saved DECLARE; it keeps and reads only its own weights (`locator. ...`).

PART = "locator."
NO_FORMS = FullForms(Abbreviations({}), frozenset())
MODEL = "declare"


class WordLocator:
    """A locator with its tokenizer, on its device."""

    def __init__(self, net: "Locator", folder: BaseFolder, device: str) -> None:
        self.net, self.folder, self.device = net, folder, device
        self.pieces = WordPieces(read_subwords(folder), NO_FORMS, 0)

    def locate(self, words: Sequence[Word]) -> list[bool]:
        """Whether each word of a text is a term; words that the encoder does not read are none."""
        import torch

        sentence = self.pieces.sentence([word.text for word in words])
        read = self.pieces.sentence([word.text for word in words[: sentence.fitting(most_pieces(self.folder))]])
        if not read.words:
            return [False] * len(words)
        begin, end, _, padding = self.pieces.special
        (found,) = self.net.words([read], torch.tensor([[begin, *read.pieces, end]], device=self.device), padding)
        return found + [False] * (len(words) - len(found))

    def save(self, folder: Path) -> None:
        """Write its files into the folder."""
        from modelserving.training import weights

        weights.write(folder / OURS, {PART + name: one for name, one in weights.tensors_of(self.net).items()})
        for name in (CONFIG, TOKENIZER):
            shutil.copyfile(self.folder.path / name, folder / name)


def read_locator(folder: Path, device: str = "cpu") -> WordLocator:
    """The locator of a saved DECLARE, or one saved alone; a UserError where a file is missing or broken."""
    from modelserving.lexical_simplification.locator import Locator
    from modelserving.pretrained.loading import new_encoder
    from modelserving.training import weights

    found = read_base_folder(folder, ARCHITECTURES)
    net: Any = Locator(new_encoder(found))
    weights.read_network(folder / OURS, net, PART)
    return WordLocator(net.to(device).eval(), found, device)


def locator_of_checkpoint(path: Path, folder: Path, device: str = "cpu") -> WordLocator:
    """The locator of the checkpoint, which is unpacked into the folder; a UserError where it is no DECLARE's."""
    manifest = unpack(path, folder, "locator")
    if manifest.model != MODEL:
        raise UserError(
            "This is a checkpoint of {model}, and a locator is a part of {expected}.",
            model=manifest.model,
            expected=MODEL,
            where="locator",
        )
    return read_locator(folder, device)


VERSION = 1
TERMS, ABOUT, BETWEEN = "dictionary.tsv", "dictionary.json", " | "
RANDOM, MOST_FREQUENT = "random", "most_frequent"
SAID_EVERY = 500
Counts = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class DictionaryOptions:
    locator: str = option(
        "", "Checkpoint of declare; its locator chooses the words to look up. Give its name in the study, or its "
        "file below RESTYLE_MODELS; without one, every word is looked up", suggestions="locators",
    )  # fmt: skip


@dataclass(frozen=True)
class Decoding:
    """How a full form is chosen; the seed is that of the random choice."""

    choice: str = option(
        RANDOM,
        "Which full form: any, as in the paper, or the most frequent one of the training references",
        choices=(RANDOM, MOST_FREQUENT),
    )
    seed: int = option(1, "Seed of the random choice", low=0)


@dataclass(frozen=True)
class Dictionary(Model):
    """A dictionary, the everyday words that its abbreviations may be mistaken for, and the counts of its full forms.

    `counts["abdomen | abdominal"]` has one count for each full form, in their order; it is missing if none was met.
    With a `locator` only words that it finds are terms.
    """

    known: Abbreviations
    everyday: frozenset[str]
    directions: tuple[Direction, ...]
    counts: Counts = field(default_factory=dict)
    locator: WordLocator | None = None

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Decoding) -> Iterator[str]:
        if direction not in self.directions:
            raise UserError(
                "This dictionary was not made for {source_style} to {target_style}.",
                source_style=direction[0],
                target_style=direction[1],
            )
        return (self._rewrite(text, decoding) for text in texts)

    def signature(self, direction: Direction, decoding: Decoding) -> str:
        parts = f"dictionary|{'-'.join(direction)}|version:{VERSION}|choice:{decoding.choice}"
        parts += "|locator:declare" if self.locator else ""
        return f"{parts}|seed:{decoding.seed}" if decoding.choice == RANDOM else parts

    def save(self, folder: Path) -> None:
        write_lines(folder / TERMS, (f"{short}\t{BETWEEN.join(full)}" for short, full in self.known.forms.items()))
        about = {"direction": self.directions[0], "everyday": sorted(self.everyday), "counts": self.counts,
                 "locator": self.locator is not None}  # fmt: skip
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
        if self.locator:
            self.locator.save(folder)

    def terms(self, text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """The terms in order: where each starts and ends, in characters, and its full forms."""
        words = words_of(DEIDENTIFIED.sub(lambda found: " " * len(found[0]), text))
        located = self.locator.locate(words) if self.locator else [True] * len(words)
        for word, is_located in zip(words, located, strict=True):
            if is_located and (full := self.known.full_forms(word.text, self.everyday)):
                yield word.start, word.end, full

    def _rewrite(self, text: str, decoding: Decoding) -> str:
        pieces, at = [], 0
        for number, (start, end, full) in enumerate(self.terms(text)):
            pieces += [text[at:start], self._chosen(full, text, number, decoding)]
            at = end
        return "".join(pieces) + text[at:]

    def _chosen(self, full: tuple[str, ...], text: str, number: int, decoding: Decoding) -> str:
        """One of the full forms of the text's term of that number."""
        if len(full) == 1:
            return full[0]
        if decoding.choice == RANDOM:
            return full[int(generator(decoding.seed, "dictionary", number, text).integers(len(full)))]
        counts = self.counts.get(BETWEEN.join(full), (0,) * len(full))
        return full[counts.index(max(counts))]


class DictionaryTransfer(Transfer):
    label = "Dictionary"
    paper = MEDLANE
    needs = "dictionary"
    Options = DictionaryOptions
    Decoding = Decoding

    def fit(self, data: TrainingData, options: DictionaryOptions, callbacks: Callbacks) -> Model:
        """Take over the dictionary, and count its full forms in the references of the sources that hold the term."""
        forms = FullForms.of(data.dictionary)
        locator = _locator(data, options, callbacks) if options.locator else None
        model = Dictionary(forms.known, forms.everyday, (data.direction,), locator=locator)
        return replace(model, counts=_counted(model, data.train, callbacks))

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        if folder is None:
            raise UserError("A dictionary is loaded from the folder that it was saved in.")
        known = abbreviations.load(folder / TERMS)
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            (source, target), everyday = about["direction"], frozenset(map(str, about["everyday"]))
            counts = {str(forms): tuple(map(int, found)) for forms, found in about["counts"].items()}
        except (OSError, KeyError, TypeError, ValueError, AttributeError):
            raise UserError("The file is missing, or no dictionary was saved in it.", where=ABOUT) from None
        if any(len(found) != len(forms.split(BETWEEN)) for forms, found in counts.items()):
            raise UserError("Each full form needs a count.", where=ABOUT)
        locator = read_locator(folder, device) if about.get("locator") else None
        return Dictionary(known, everyday, ((str(source), str(target)),), counts, locator)


def _locator(data: TrainingData, options: DictionaryOptions, callbacks: Callbacks) -> WordLocator:
    """The checkpoint's locator: that of the data goes before a file of the same name, which may have changed since."""
    folder = callbacks.folder / "locator"
    shutil.rmtree(folder, ignore_errors=True)
    return locator_of_checkpoint(data.start or start_file(options.locator, "locator"), folder, callbacks.device)


def _counted(model: Dictionary, train: Pairs, callbacks: Callbacks) -> Counts:
    """The number of pairs in whose target each full form of a term of the source stands, in brackets or without."""
    found: Counter[tuple[tuple[str, ...], str]] = Counter()
    for number, (source, target) in enumerate(zip(train.sources, train.targets, strict=True)):
        if number % SAID_EVERY == 0 or model.locator:
            callbacks.at(number, len(train))
        entries = {full for _, _, full in model.terms(source) if len(full) > 1}
        found.update((full, form) for full in entries for form in _standing(full, bracketed(target)[0]))
    met = {full for full, _ in found}
    return {BETWEEN.join(full): tuple(found[full, form] for form in full) for full in sorted(met)}


def _standing(full: tuple[str, ...], text: str) -> set[str]:
    """The full forms that stand in the text as whole words, whatever the case; not one that is part of another."""
    longest = sorted(full, key=len, reverse=True)
    pattern = "|".join(re.escape(form) for form in longest)
    standing = {found.lower() for found in re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)}
    return {form for form in full if form.lower() in standing}


TRANSFER = DictionaryTransfer()
