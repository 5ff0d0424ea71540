"""The contents of a removal, in words."""

from django import template
from django.utils.translation import gettext_lazy as _

from corpora.models import Removal
from corpora.views.trash import undo_address as address_of
from foundation.translation import grouped

register = template.Library()
SHOWN = 4
# The models that people know, the most telling first, as pages call them; rows of other models are not mentioned.
TOLD = {
    "corpora.Direction": _("Directions"), "corpora.Document": _("Documents"), "corpora.Sentence": _("Sentences"),
    "corpora.ReferenceSet": _("Reference sets"), "corpora.Reference": _("References"), "corpora.System": _("Systems"),
    "corpora.Output": _("Outputs"), "annotation.Campaign": _("Campaigns"), "annotation.Item": _("Items"),
    "annotation.Answer": _("Answers"), "evaluation.Judgement": _("Judgements"),
    "evaluation.HumanStudy": _("Human studies"), "modelserving.TrainingRun": _("Trainings"),
    "modelserving.Checkpoint": _("Checkpoints"),
}  # fmt: skip


@register.filter
def went_with(removal: Removal) -> str:
    """`Sentences: 40; References: 80`: the rows that went, of the first few models."""
    told = [f"{words}: {grouped(many)}" for label, words in TOLD.items() if (many := removal.counts.get(label))]
    return "; ".join(told[:SHOWN])


@register.filter
def undo_address(removal: Removal) -> str:
    return address_of(removal)
