"""Phrase-based machine translation, trained as for GYAFC (Rao and Tetreault 2018, section 4.2).

The paper's recipe is the default: between formal and informal, rules go first, and the model is trained again on its
own rewrites of other texts. `rules` off and `self_training` 0 make it MedLane's Moses (Luo et al. 2022, section 5.1).
Case stays as it is. The paper leaves open how often pairs are repeated, how much of the texts from elsewhere is taken,
and how many rounds there are: these defaults are ours.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.errors import UserError
from foundation.options import options_as_stored
from foundation.papers import GYAFC, MEDLANE
from modelserving.formality_rules.preprocessing import rules_of, version_of
from modelserving.interface import Direction, LengthLimit, Model, Preset, Transfer
from modelserving.phrase_based.phrase_table import DecoderOptions
from modelserving.phrase_based.training_options import PhraseTrainingOptions
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenization import word_lengths

if TYPE_CHECKING:
    from modelserving.phrase_based.decoder import Decoder
    from modelserving.phrase_based.self_training import PhraseModel

VERSION = 1
ABOUT = "pbmt.json"


@dataclass
class Pbmt(Model):
    """A trained model. `rules` says whether rules go first."""

    phrase_model: "PhraseModel"
    rules: bool
    directions: tuple[Direction, ...]
    _decoders: "dict[DecoderOptions, Decoder]" = field(default_factory=dict)

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: DecoderOptions) -> Iterator[str]:
        from modelserving.phrase_based.self_training import tokenize, translate_all
        from modelserving.training.tokenization import detokenize

        if direction not in self.directions:
            raise UserError(
                "This model was not trained for {source_style} to {target_style}.",
                source_style=direction[0],
                target_style=direction[1],
            )
        first = rules_of(direction, self.rules)
        words = [tokenize(first(text)) for text in texts]
        return map(detokenize, translate_all(self._decoder(decoding), words, lambda: None))

    def _decoder(self, decoding: DecoderOptions) -> "Decoder":
        if decoding not in self._decoders:
            self._decoders = {decoding: self.phrase_model.decoder(decoding)}
        return self._decoders[decoding]

    def signature(self, direction: Direction, decoding: DecoderOptions) -> str:
        chosen = "|".join(f"{key}:{value}" for key, value in options_as_stored(decoding).items())
        rules = version_of(direction, self.rules)
        return f"pbmt|{'-'.join(direction)}|version:{VERSION}|rules:{rules}|{chosen}"

    def save(self, folder: Path) -> None:
        self.phrase_model.save(folder)
        about = {
            "direction": self.directions[0],
            "rules": self.rules,
            "order": self.phrase_model.model.order,
            "weights": self.phrase_model.weights.tolist(),
        }
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")


class PhraseBased(Transfer):
    label = "PBMT"
    paper = GYAFC
    needs = "parallel"
    Options = PhraseTrainingOptions
    presets = {
        "medlane": Preset(
            "MedLane's Moses", MEDLANE, {"rules": False, "self_training": 0, "order": 3, "longest": 80}
        )  # as the baseline of Moses' User Manual and Code Guide, which the paper follows
    }
    Decoding = DecoderOptions

    def length_limit(self, options: Any) -> LengthLimit:
        return LengthLimit(options.longest, options.longest, word_lengths)

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        from modelserving.phrase_based.self_training import SelfTraining

        if not len(data.train):
            raise UserError("There are no pairs to train on.", where="train")
        parts = SelfTraining(data, options, callbacks, rules_of(data.direction, options.rules)).run()
        return Pbmt(parts, options.rules, (data.direction,))

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        import numpy as np

        from modelserving.phrase_based.phrase_table import FEATURES
        from modelserving.phrase_based.self_training import PhraseModel
        from modelserving.phrase_based.table_files import load_model, load_table

        if folder is None:
            raise UserError("A phrase-based model is loaded from the folder that it was saved in.")
        try:
            about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
            (source, target), rules, order = about["direction"], bool(about["rules"]), int(about["order"])
            weights = np.array(about["weights"], dtype=np.float64)
        except (OSError, KeyError, TypeError, ValueError):
            raise UserError("The file is missing, or no phrase-based model was saved in it.", where=ABOUT) from None
        if weights.shape != (len(FEATURES),) or not np.isfinite(weights).all() or not 1 <= order <= 6:
            raise UserError("Each feature needs a weight, and the order is from 1 to 6.", where=ABOUT)
        parts = PhraseModel(load_table(folder), load_model(folder, order), weights)
        return Pbmt(parts, rules, ((str(source), str(target)),))


TRANSFER = PhraseBased()
