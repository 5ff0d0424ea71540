"""DECLARE (Luo et al. 2022, section 4): finds terms, puts full forms in their place, and polishes what is changed.

Settings are the paper's: 64 tokens, 8 full forms, 10 epochs at 5e-5, early stop. Batches and warm-up, which it leaves
open, are those of MedLane's other pretrained models here. The authors' program trains the locator first and by itself,
then the interpreter for six epochs, then the polisher, which learns to write its own input instead of the rewrite. Here
all three learn at once from one sum of losses, and the polisher learns the rewrite, as the paper says.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge import abbreviations
from foundation.base_folder import CONFIG, TOKENIZER, BaseFolder, base_folder, read_base_folder
from foundation.errors import UserError
from foundation.model_folders import signature_safe
from foundation.options import options_as_stored, validate_options
from foundation.papers import MEDLANE
from modelserving.interface import BatchModel, Direction, LengthLimit, Model, Transfer
from modelserving.lexical_simplification.options import ARCHITECTURES, SimplifierDecoding, SimplifierOptions
from modelserving.lexical_simplification.word_pieces import (
    FullForms,
    Pieces,
    Sentence,
    Word,
    WordPieces,
    runs,
    words_of,
)
from modelserving.neural_transfer.kind import naming_start, read_start, starting_point
from modelserving.pretrained.folder_list import KEPT, TRAINED, check_memory, most_pieces, why_none
from modelserving.pretrained.subwords import can_count_tokens, read_subwords, token_lengths
from modelserving.run_context import batchwise
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData, write_lines
from modelserving.training.recipe import LOSS

if TYPE_CHECKING:
    from modelserving.lexical_simplification.simplifier import ExampleBatches, Simplifier
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation

# DECLARE that is ready: how it rewrites texts, and how it is saved.
#
# A saved model is `weights.safetensors` (three encoders and the layers on them), the encoder's `config.json` and
# `tokenizer.json`, `dictionary.tsv`, and `model.json`: its name, options, directions and everyday words, and the digest
# of the folder that it was trained from, which is no longer needed.

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
        self.check_direction(direction)
        return self._transfer(texts, decoding)

    def _transfer(self, texts: Sequence[str], decoding: SimplifierDecoding) -> Iterator[str]:
        for start in range(0, len(texts), WINDOW):
            part = texts[start : start + WINDOW]
            yield from self._rewritten(part, [self._read(text) for text in part], decoding)

    def _read(self, text: str) -> list[Word]:
        """The words of a text that the encoder reads; the words behind them are copied."""
        words = words_of(text)
        return words[: self.vocabularies.sentence([word.text for word in words]).fitting(most_pieces(self.folder))]

    def _rewritten(
        self, texts: Sequence[str], words: Sequence[list[Word]], decoding: SimplifierDecoding
    ) -> Iterator[str]:
        """The rewritten texts; those of about one length are taken together."""
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
        """The located words of each sentence, and the pieces written for each run of them."""
        located = self.net.locate(sentences)
        choices = self.net.interpret(sentences, located)
        return located, self.net.polish(sentences, located, choices, decoding.longest)

    def _text(self, text: str, words: Sequence[Word], located: Sequence[bool], rewrites: Sequence[Pieces]) -> str:
        """The text with each run replaced; if nothing takes its place, a space goes too."""
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


PARTS = 3  # each with an encoder of its own


class Declare(Transfer):
    label = "DECLARE"
    paper = MEDLANE
    needs = "parallel"
    device = "gpu"
    architectures = ARCHITECTURES
    Options = SimplifierOptions
    Decoding = SimplifierDecoding
    name = "declare"

    def why_unavailable(self) -> str:
        return why_none(self.label, self.architectures)

    def check_options(self, options: Mapping[str, Any]) -> None:
        base_folder(str(options["folder"]), self.architectures)

    def length_limit(self, options: SimplifierOptions) -> LengthLimit | None:
        """The limit of the options; None without such a folder, which is said elsewhere, or tokenizers."""
        if not can_count_tokens():
            return None
        try:
            base_folder(options.folder, self.architectures)
        except UserError:
            return None
        count = partial(token_lengths, options.folder)
        return LengthLimit(options.longest, options.longest, count, "tokens", tune=options.tune_by == LOSS)

    def fit(self, data: TrainingData, options: SimplifierOptions, callbacks: Callbacks) -> Model:
        from modelserving.training.process_group import join_process_group, local_device
        from modelserving.training.trainer import Trainer

        if not len(data.train):
            raise UserError("{label} is trained on pairs, and there are none.", label=self.label, where="train")
        device = local_device(callbacks.device)
        group = join_process_group(device)
        model = self._begun(data, options, callbacks, device, group)
        batches = self.batches(data, model.vocabularies, options, callbacks, group)
        validation = self._validation(model, data, options, callbacks)
        Trainer(model.net, batches, options, callbacks, model.save, validation, group, device).run()
        return model

    def _begun(
        self, data: TrainingData, options: SimplifierOptions, callbacks: Callbacks, device: str, group: "ProcessGroup"
    ) -> SimplifierModel:
        """The model with the weights of its folder, or of the checkpoint that it starts from."""
        import torch

        from modelserving.training.gradients import seed_of

        start, forms = starting_point(data, options, callbacks, group), FullForms.of(data.dictionary)
        torch.manual_seed(seed_of(callbacks.seed, "weights"))
        if last := callbacks.kept("last"):  # whose weights the trainer reads
            model = self._ready(read_base_folder(last, self.architectures), forms, options, (data.direction,), device)
            model.base = self._about(last)["base"]
            return model
        if start is None:
            folder = base_folder(options.folder, self.architectures)
            check_memory(folder.numbers * PARTS, TRAINED, device, "folder")
            return self._ready(folder, forms, options, (data.direction,), device, pretrained=True)
        with naming_start():
            folder, trained = read_base_folder(start, self.architectures), self._about(start)["options"]
        model = self._ready(folder, forms, options, (data.direction,), device)
        read_start(model.net, start, trained, options)
        return model

    def batches(
        self, data: TrainingData, vocabularies: "WordPieces", options: Any, callbacks: Callbacks, group: "ProcessGroup"
    ) -> "ExampleBatches":
        """The training data as batches, its examples on disk in the training's folder."""
        from modelserving.lexical_simplification.simplifier import example_batches

        return example_batches(data.train, vocabularies, options, callbacks, group)

    def _validation(
        self, model: Any, data: TrainingData, options: SimplifierOptions, callbacks: Callbacks
    ) -> "Validation | None":
        from modelserving.neural_transfer.validation import by_loss, by_metric

        if options.tune_by == LOSS:
            return by_loss(model, data, options, callbacks, self.Decoding())
        return by_metric(model, data, options, self.Decoding())

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.training import weights

        if folder is None:
            raise UserError("{label} has to be trained first.", label=self.label)
        about = self._about(folder)
        found = read_base_folder(folder, self.architectures)
        check_memory(found.numbers, KEPT, device)
        forms = FullForms(abbreviations.load(folder / TERMS), about["everyday"])
        model = self._ready(found, forms, about["options"], about["directions"], device)
        weights.read_network(folder / weights.FILE, model.net)
        model.base = about["base"]
        return model

    def _ready(
        self, folder: BaseFolder, forms: FullForms, options: SimplifierOptions, directions: tuple[Direction, ...],
        device: str, *, pretrained: bool = False,
    ) -> SimplifierModel:  # fmt: skip
        """The model, with the folder's encoders if they are `pretrained`, else with random weights."""
        from modelserving.lexical_simplification.simplifier import Simplifier
        from modelserving.pretrained.loading import load_encoder, new_encoder

        encoder = load_encoder(folder) if pretrained else new_encoder(folder)
        model = SimplifierModel(self, folder, forms, options, device)
        net = Simplifier([deepcopy(encoder) for _ in range(PARTS)], model.vocabularies.special, options.forms)
        model.net, model.directions = net.to(device).eval(), directions
        return model

    def _about(self, folder: Path) -> dict[str, Any]:
        """The checked facts of a saved model's file."""
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            name, options, everyday = about["model"], dict(about["options"]), frozenset(map(str, about["everyday"]))
            base = {key: str(about["base"][key])[:200] for key in ("folder", "digest", "architecture")}
            directions = tuple((str(source), str(target)) for source, target in about["directions"])
        except (OSError, KeyError, TypeError, ValueError, RecursionError):
            raise UserError("The file that describes the model is missing or broken.", where=ABOUT) from None
        if name != self.name:
            raise UserError("This is a model of another kind, {name}.", name=name, where=ABOUT)
        checked = validate_options(self.Options, options, f"{ABOUT}: ")
        return {"options": checked, "everyday": everyday, "base": base, "directions": directions}


TRANSFER = Declare()
