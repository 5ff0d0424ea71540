"""The common parts of models that use markers alone, without a network.

A saved model is `model.json` (its name, options, directions) and the files of `style_markers.py`, which include texts
of the train split: only people who may have these may have the model.
"""

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options
from foundation.papers import LI
from modelserving.attribute_markers.options import MARKER_PRESETS, MarkerOptions
from modelserving.interface import Direction, Model, Preset, Transfer
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData

if TYPE_CHECKING:
    from modelserving.attribute_markers.style_markers import StyleMarkers


ABOUT, VERSION = "model.json", 1


class MarkerModel(Model):
    """Markers and texts to retrieve, from which one of the entries makes outputs."""

    def __init__(self, kind: "MarkerTransfer", known: "StyleMarkers", options: MarkerOptions) -> None:
        self.kind, self.known, self.options = kind, known, options
        self.directions = tuple(permutations(known.styles, 2))

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Any) -> Iterator[str]:
        self.check_direction(direction)
        return (self.kind.rewrite(self.known, text, direction) if text.strip() else "" for text in texts)

    def signature(self, direction: Direction, decoding: Any) -> str:
        return f"{self.kind.name}|{'-'.join(direction)}|version:{VERSION}"

    def save(self, folder: Path) -> None:
        from modelserving.attribute_markers.style_markers import save_style_markers

        options = options_as_stored(self.options)
        about = {"model": self.kind.name, "styles": self.known.styles, "options": options}
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
        save_style_markers(self.known, folder)


class MarkerTransfer(Transfer):
    """Trained on texts of two styles; one model serves both directions."""

    paper = LI
    needs = "styles"
    Options: ClassVar[type] = MarkerOptions
    presets: ClassVar[Mapping[str, Preset]] = MARKER_PRESETS

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def rewrite(self, known: "StyleMarkers", text: str, direction: Direction) -> str:
        """The output for a text that is not white space."""

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        from modelserving.attribute_markers.style_markers import learn_style_markers

        known = learn_style_markers(data, options, self.label)
        for style in known.styles:
            callbacks.say(
                f"{style}: {len(known.markers[style]):,} markers; {len(known.texts[style]):,} texts have one."
            )
        return MarkerModel(self, known, options)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        from modelserving.attribute_markers.style_markers import load_style_markers

        if folder is None:
            raise UserError("{label} has to be trained first.", label=self.label)
        styles, options = self._about(folder / ABOUT)
        return MarkerModel(self, load_style_markers(folder, styles, options.marker_words), options)

    def _about(self, path: Path) -> tuple[tuple[str, str], Any]:
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            name, options, (one, other) = about["model"], dict(about["options"]), about["styles"]
        except (OSError, KeyError, TypeError, ValueError):
            raise UserError("The file that describes the model is missing or broken.", where=path.name) from None
        if name != self.name:
            raise UserError("This is a model of another kind, {name}.", name=name, where=path.name)
        return (str(one), str(other)), validate_options(self.Options, options, f"{path.name}: ")
