"""DECLARE (Luo et al. 2022, section 4): finds terms, puts full forms in their place, and polishes what is changed.

Settings are the paper's: 64 tokens, 8 full forms, 10 epochs at 5e-5, early stop. Batches and warm-up, which it leaves
open, are those of MedLane's other pretrained models here. The authors' program trains the locator first and by itself,
then the interpreter for six epochs, then the polisher, which it has write its own input instead of the rewrite; here
all three learn at once from one sum of losses, and the polisher learns the rewrite, as the paper says.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora.knowledge import abbreviations
from foundation.base_folder import BaseFolder, base_folder, read_base_folder
from foundation.errors import UserError
from foundation.options import validate_options
from foundation.papers import MEDLANE
from modelserving.interface.length_limit import LengthLimit
from modelserving.interface.transfer_model import Direction, Model, Transfer
from modelserving.lexical_simplification.full_forms import FullForms
from modelserving.lexical_simplification.model import ABOUT, TERMS, SimplifierModel
from modelserving.lexical_simplification.options import ARCHITECTURES, SimplifierDecoding, SimplifierOptions
from modelserving.neural_transfer.starting_point import naming_start, read_start, starting_point
from modelserving.pretrained.folder_list import why_none
from modelserving.pretrained.memory import KEPT, TRAINED, check_memory
from modelserving.pretrained.subwords import can_count_tokens, token_lengths
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.tune_metrics import LOSS

if TYPE_CHECKING:
    from modelserving.lexical_simplification.example_batches import ExampleBatches
    from modelserving.lexical_simplification.word_pieces import WordPieces
    from modelserving.training.process_group import ProcessGroup
    from modelserving.training.validation import Validation

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
        """None where there is no such folder, which is said elsewhere, and where nothing counts tokens."""
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
        from modelserving.lexical_simplification.example_batches import example_batches

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
        """The model, its encoders those of the folder where they are `pretrained`, else with weights by chance."""
        from modelserving.lexical_simplification.simplifier import Simplifier
        from modelserving.pretrained.encoder_loading import load_encoder, new_encoder

        encoder = load_encoder(folder) if pretrained else new_encoder(folder)
        model = SimplifierModel(self, folder, forms, options, device)
        net = Simplifier([deepcopy(encoder) for _ in range(PARTS)], model.vocabularies.special, options.forms)
        model.net, model.directions = net.to(device).eval(), directions
        return model

    def _about(self, folder: Path) -> dict[str, Any]:
        """What a saved model says of itself, looked at."""
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
