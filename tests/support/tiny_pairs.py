"""Twenty short pairs that a small network learns by heart, with all else that a model may be trained on."""

from pathlib import Path
from typing import Any

from foundation.options import list_options, validate_options
from modelserving.training.dataset import DevSet, Pairs, TrainingData

WAY = ("informal", "formal")
SOURCES = [
    f"{who} {what} {where}" for who in ("u guys", "my bro", "she", "all ppl", "pt") for what, where in (
        ("r goin", "2 town"), ("luv", "that song"), ("saw", "a dr"), ("wanna eat", "pizza 4 dinner"),
    )
]  # fmt: skip
SAID = {
    "u guys": "You all", "my bro": "My brother", "she": "She", "all ppl": "All people", "pt": "The patient",
    "r goin 2 town": "will go to town", "luv that song": "liked that song", "saw a dr": "saw a doctor",
    "wanna eat pizza 4 dinner": "would like pizza for dinner",
}  # fmt: skip
SMALL: dict[str, Any] = {
    "hidden": 64, "embedding": 32, "dropout": 0.0, "rate": 0.01, "batch": 5, "epochs": 40, "tune_every": 10_000,
    "write": 32,  # tokens of a reference, and of a sample: a pretrained model that has learnt little goes on to the end
}  # fmt: skip


def _said(source: str) -> str:
    return next(
        f"{SAID[start]} {SAID[source.removeprefix(f'{start} ')]}." for start in SAID if source.startswith(f"{start} ")
    )


TARGETS = [_said(source) for source in SOURCES]


def twenty(folder: Path) -> TrainingData:
    """The pairs, as tune set too, as texts of two styles, and a small dictionary."""
    return TrainingData(
        *WAY,
        train=Pairs(SOURCES, TARGETS),
        dev=DevSet(SOURCES, [TARGETS]),
        texts={WAY[0]: SOURCES, WAY[1]: TARGETS},
        dev_texts={WAY[0]: SOURCES, WAY[1]: TARGETS},
        dictionary={"pt": ("patient", "physical therapy"), "dr": ("doctor",)},
    ).write(folder)


def small(kind: type, **given: Any) -> Any:
    """Options for a quick training: those of SMALL and `given` that the kind has."""
    known = {one.name for one in list_options(kind)}
    return validate_options(kind, {key: value for key, value in (SMALL | given).items() if key in known})
