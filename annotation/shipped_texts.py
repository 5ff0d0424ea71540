"""The texts that the project itself ships for annotators to read, such as default reasons, and how a page shows them.

They are stored as they are, in English, and shown in the reader's language; a researcher's own words stay as written.
"""

from collections.abc import Iterator
from functools import cache

from annotation.scales import SCALES
from annotation.span_taxonomies import TAXONOMIES
from annotation.task_types import TASK_TYPES
from annotation.task_types.label import OF
from annotation.task_types.rate import CRITERIA
from foundation.aspects import ASPECTS
from foundation.key_labels import label_of_key
from foundation.translation import translated

WORDS = ("reasons", "rules", "labels", "kinds", "types", "question")
"""The settings of kinds of work whose defaults people read."""
CRITERION_NAMES = ("similarity",)
"""Names of criteria of plan templates, beside those of aspects and defaults."""


@cache
def shipped_texts() -> frozenset[str]:
    """All of them: of a rule its first line, since its example is in the language of the texts."""
    return frozenset(_all())


def _all() -> Iterator[str]:
    for kind in TASK_TYPES.own().values():
        for key in WORDS:
            default = kind.defaults.get(key, ())
            texts = [default] if isinstance(default, str) else default
            texts = texts.values() if isinstance(texts, dict) else texts
            yield from (text.partition("\n")[0] for text in texts)
    for labels in OF.values():
        yield from labels
    names = [*CRITERIA, *CRITERION_NAMES, *(name for aspect, one in ASPECTS.items() for name in (aspect, *one.names))]
    yield from map(label_of_key, names)
    for taxonomy in TAXONOMIES.own().values():
        yield from taxonomy.words
    for scale in SCALES.own().values():
        yield from (level.label for level in scale.levels)


def shown(text: str) -> str:
    """The text as the present reader reads it: in their language if it is shipped, else as it is."""
    return translated(text) if text in shipped_texts() else text
