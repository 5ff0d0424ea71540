"""The aspects on which people judge texts; a criterion can stand for one.

An aspect is a row here: forms, the API and study files offer what `ASPECTS` holds.
"""

from dataclasses import dataclass
from typing import Literal

Beside = Literal["nothing", "source", "source_and_reference"]
BESIDE: tuple[Beside, ...] = ("nothing", "source", "source_and_reference")
"""What may stand beside a text while it is rated, in the order of the page."""


@dataclass(frozen=True)
class Aspect:
    """An aspect of a text.

    Raters agree with the `statement` on a scale of agreement. `beside` is shown beside the text where neither the
    criterion nor its scale names something else. A criterion with one of the `names` has this aspect unless it names
    another.
    """

    statement: str
    beside: Beside = "source"
    names: tuple[str, ...] = ()


NO_ASPECT = Aspect("The text is good in this respect.")
ASPECTS = {
    "style": Aspect("The text is written in the style that is wanted.", "nothing", ("style", "formality")),
    "fluency": Aspect("The text is fluent and without mistakes.", "nothing", ("fluency", "grammaticality")),
    "meaning": Aspect("The text says the same as the source.", names=("meaning",)),
    "content": Aspect("The text keeps the content of the source.", "source_and_reference", ("content",)),
    "overall": Aspect("The text is a good rewrite of the source.", names=("overall", "mqm")),
    "simplicity": Aspect("The text is easy to understand.", names=("simplicity",)),
}


def aspect_named(name: str) -> str:
    """The aspect of a criterion of this name that names none; "" where the name does not tell."""
    return next((key for key, aspect in ASPECTS.items() if name in aspect.names), "")


def beside_of(aspect: str) -> Beside:
    """The text to show beside one that is rated on an aspect; "" is no aspect."""
    return ASPECTS.get(aspect, NO_ASPECT).beside
