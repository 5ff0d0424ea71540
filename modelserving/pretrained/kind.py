"""A kind of model that is a pretrained encoder and decoder: how it is trained and loaded.

A file of such a model says its paper, which architectures it takes, and its settings:

    class Pegasus(PretrainedTransfer):
        label, paper, architectures, Options = "PEGASUS", PLABA, ("pegasus",), PegasusOptions

Only functions that train or rewrite import torch or transformers.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.base_folder import BaseFolder, base_folder, read_base_folder, read_json
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.interface import Direction, LengthLimit, Model, Needs, Transfer
from modelserving.pretrained.folder_list import KEPT, TRAINED, check_memory, why_none
from modelserving.pretrained.model import ABOUT, BESIDE, PretrainedModel, check_engine
from modelserving.pretrained.options import (
    PREFERENCES_ALONE,
    PREFERRED,
    REWARDED,
    REWARDS_ALONE,
    PretrainedOptions,
    SidesGenerationOptions,
    learns_from,
    rewards_named,
)
from modelserving.pretrained.rewards import check_rewards, needs_judgements, source_texts
from modelserving.pretrained.subwords import can_count_tokens, token_lengths
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenized_dataset import Places

if TYPE_CHECKING:
    from modelserving.pretrained.token_rows import PairRows
    from modelserving.training.process_group import ProcessGroup


class LearnsOtherwise(Transfer):
    """A kind of `PreferringOptions`."""

    def other_ways(self) -> Sequence[Mapping[str, Any]]:
        return PREFERENCES_ALONE, REWARDS_ALONE

    def prefers(self, options: Any) -> bool:
        """Whether it learns which of two texts is the better one."""
        return learns_from(options) == PREFERRED

    def wants_preferences(self, options: Any) -> bool:
        return self.prefers(options) or (self.wants_texts(options) and needs_judgements(rewards_named(options)))

    def wants_texts(self, options: Any) -> bool:
        return learns_from(options) == REWARDED

    def check_learnt(self, options: Mapping[str, Any]) -> None:
        """Check what it is rewarded for; raises as `check_options`."""
        if self.wants_texts(options):
            check_rewards(rewards_named(options))

    def count_learnt(self, data: TrainingData, options: Any) -> int:
        """The number of texts, or pairs, that it learns from."""
        if self.wants_texts(options):
            return len(source_texts(data))
        return len(data.preferences if self.prefers(options) else data.train)


class PretrainedTransfer(LearnsOtherwise):
    """A kind of model that is trained from a folder of one of the `architectures` (transformers' model_type)."""

    needs: ClassVar[Needs] = "parallel"
    device = "gpu"
    architectures: ClassVar[Sequence[str]]
    Options: ClassVar[type] = PretrainedOptions
    Decoding: ClassVar[type] = SidesGenerationOptions

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    def length_limit(self, options: Any) -> LengthLimit | None:
        """The limit of options and folder; None without such a folder, which is said elsewhere, or tokenizers."""
        if not can_count_tokens():
            return None
        try:
            positions = base_folder(options.folder, self.architectures).positions
        except UserError:
            return None
        read, write = (min(most, positions or most) for most in (options.read, options.write))
        count = partial(token_lengths, options.folder)
        return LengthLimit(read, write, count, "tokens", cuts=True, prefix=options.prefix)

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        from modelserving.pretrained.sides import SidesTrainer, collator_of, mean_loss_of, prefer, restore, reward
        from modelserving.pretrained.trainer import Bridge, train
        from modelserving.pretrained.tune_scores import tune_score
        from modelserving.training.process_group import join_process_group, local_device

        if not self.count_learnt(data, options):
            raise UserError("{label} is trained on pairs, and there are none.", label=self.label, where="train")
        device = local_device(callbacks.device)
        group = join_process_group(device)
        model = self._begun(data, options, callbacks, device, group)
        collate = collator_of(model)
        decoding = SidesGenerationOptions(beam=1, longest=options.write, precision=options.precision)
        loss = partial(mean_loss_of, model, options, collate)
        sharded = options.sharded and group.size > 1
        score = tune_score(model, data, options, decoding, loss, marked=options.marked, parted=sharded)
        by_metric = score if options.tune_by != "loss" else None
        if self.prefers(options):
            prefer(model, data, callbacks, group, collate, decoding, by_metric)
        elif self.wants_texts(options):
            reward(model, data, callbacks, group, collate, by_metric)
        else:
            rows = self._rows(data, options, callbacks, model, group)
            bridge = Bridge(options, callbacks, model.save, score, group, sharded=sharded)
            train(SidesTrainer, model.net, rows, collate, bridge)
            if sharded:
                return self.load(callbacks.kept("best")) if group.first else model  # nobody asks the others for it
        if best := callbacks.kept("best"):
            restore(model, best)
        model.net.eval()
        return model

    def _begun(
        self, data: TrainingData, options: Any, callbacks: Callbacks, device: str, group: "ProcessGroup"
    ) -> PretrainedModel:
        """The model in its last kept state, else as in the checkpoint that it starts from, or in its folder."""
        from modelserving.neural_transfer.kind import naming_start, starting_point

        last = callbacks.kept("last")
        saved = last or starting_point(data, options, callbacks, group)
        with nullcontext() if last or not saved else naming_start():
            base = about_model(saved, self.name)["base"] if saved else {}
            folder = (
                read_base_folder(saved, self.architectures)
                if saved
                else base_folder(options.folder, self.architectures)
            )
        parts = group.size if options.sharded else 1
        check_memory(folder.numbers, TRAINED / parts, device, "folder")
        model = self._ready(folder, options, (data.direction,), device if parts == 1 else "cpu")
        if saved:
            model.base = base
        if not last:
            callbacks.say(f"{folder.path.name}: {folder.architecture}, {folder.numbers:,} numbers, "
                          f"digest {folder.digest}.")  # fmt: skip
        return model

    def _rows(
        self, data: TrainingData, options: Any, callbacks: Callbacks, model: PretrainedModel, group: "ProcessGroup"
    ) -> "PairRows":
        """The ids of the training data, which the first process writes into the training's folder."""
        from modelserving.pretrained.token_rows import PairRows, write_pairs

        folder = callbacks.folder / "ids"
        if group.first:
            write = min(options.write, model.folder.positions or options.write)
            targets = data.train.marked if options.marked else data.train.targets
            sources = Prefixed(data.train.sources, model.prefix)
            write_pairs(folder, sources, targets, model.subwords, model.read, write, callbacks)
        group.wait()
        return PairRows(folder)

    def why_unavailable(self) -> str:
        return why_none(self.label, self.architectures)

    def check_options(self, options: Mapping[str, Any]) -> None:
        if not options["start_from"]:
            base_folder(str(options["folder"]), self.architectures)
        self.check_learnt(options)

    def least_memory(self, options: Mapping[str, Any]) -> int | None:
        try:
            return TRAINED * base_folder(str(options["folder"]), self.architectures).numbers
        except UserError:
            return None

    def check_decoding(self, decoding: Any) -> None:
        check_engine(decoding)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        if folder is None:
            raise UserError("{label} has to be trained first.", label=self.label)
        about = about_model(folder, self.name)
        options: Any = validate_options(self.Options, about["options"], f"{ABOUT}: ")
        for name in BESIDE:
            if (folder / name).exists():
                read_json(folder / name)
        found = read_base_folder(folder, self.architectures)
        check_memory(found.numbers, KEPT, device)
        model = self._ready(found, options, about["directions"], device)
        model.base = about["base"]
        model.hold()
        return model

    def _ready(
        self, folder: BaseFolder, options: Any, directions: tuple[Direction, ...], device: str
    ) -> PretrainedModel:
        from modelserving.pretrained.loading import load_network

        return PretrainedModel(
            self.name, load_network(folder, device=device), folder, prefix=options.prefix, read=options.read,
            marked=options.marked, options=options, directions=directions,
        )  # fmt: skip


class Prefixed(Places[str]):
    """Texts with something before each that is not empty."""

    def __init__(self, texts: Sequence[str], prefix: str) -> None:
        self.texts, self.prefix = texts, prefix

    def __len__(self) -> int:
        return len(self.texts)

    def _at(self, place: int) -> str:
        text = self.texts[place]
        return f"{self.prefix}{text}" if text.strip() else ""


def about_model(folder: Path, kind: str = "") -> dict[str, Any]:
    """The checked facts of a saved model's file: its kind, options, directions and base.

    A UserError where they are missing, or where it is of another kind than `kind`.
    """
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        base = {name: str(about["base"][name])[:200] for name in ("folder", "digest", "architecture")}
        directions = tuple((str(source), str(target)) for source, target in about["directions"])
        model, options = str(about["model"]), dict(about["options"])
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        raise UserError("The file that describes the model is missing or broken.", where=ABOUT) from None
    if kind and model != kind:
        raise UserError("This is a model of another kind, {model}.", model=model, where=ABOUT)
    return {"model": model, "options": options, "directions": directions, "base": base}
