from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.knowledge.identifiers import whole_names
from corpora.models import DocumentSentence, Study
from foundation.errors import UserError

DECISIONS = ("clear", "mask", "drop")
BATCH = 1000


@audited
@transaction.atomic
def decide_flags(*, study: Study, sentences: Iterable[DocumentSentence], decision: str, by: Any = None) -> int:
    """Decide on held sentences of a study: they are clear as they stand, their flags are masked, or they are dropped.

    A mask is [**Kind**], as MIMIC-III writes its own. Sentences that are not held are passed over; answers how many
    were decided.
    """
    if decision not in DECISIONS:
        raise UserError(
            "'{decision}' is not a decision on a flag; the decisions are clear, mask and drop.",
            decision=decision,
            where="decision",
        )
    keys = [sentence.pk for sentence in sentences]
    rows = (
        DocumentSentence.objects.select_for_update(of=["self"])
        .filter(document__study=study, pk__in=keys, held=True)
        .order_by("pk")
    )
    held = list(rows)
    for one in held:
        one.held, one.decided_at = False, timezone.now()
        one.dropped = decision == "drop"
        if decision == "mask":
            one.text, one.flags = masked(one.text, one.flags), []
            one.concepts = None  # they stood at places of the text as it was
            one.translation = ""  # it says the same names in other words
    DocumentSentence.objects.bulk_update(
        held, ["held", "dropped", "decided_at", "text", "flags", "concepts", "translation"], batch_size=BATCH
    )
    return len(held)


def masked(text: str, flags: Sequence[dict[str, Any]]) -> str:
    """The text with each flag replaced by its kind; flags that overlap become one, named by the first."""
    parts, at = [], 0
    for flag in sorted(whole_names(text, flags), key=lambda flag: (flag["start"], -flag["end"])):
        if flag["start"] >= at:
            parts += [text[at : flag["start"]], f"[**{flag['kind'].capitalize()}**]"]
        at = max(at, flag["end"])
    return "".join(parts) + text[at:]
