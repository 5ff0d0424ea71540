"""The contents of a removal, in words."""

from django import template
from django.apps import apps

from corpora.models import Removal
from corpora.views.trash import undo_address as address_of
from foundation.translation import grouped

register = template.Library()
SHOWN = 4
# The models that people know, the most telling first; rows of other models are not mentioned.
TOLD = (
    "corpora.Direction", "corpora.Document", "corpora.Sentence", "corpora.ReferenceSet", "corpora.Reference",
    "corpora.System", "corpora.Output", "annotation.Campaign", "annotation.Item", "annotation.Answer",
    "evaluation.Judgement", "evaluation.HumanStudy", "modelserving.TrainingRun", "modelserving.Checkpoint",
)  # fmt: skip


@register.filter
def went_with(removal: Removal) -> str:
    """`40 sentences, 80 references`: the rows that went, of the first few models."""
    told = []
    for label in TOLD:
        if many := removal.counts.get(label):
            about = apps.get_model(label)._meta
            word = about.verbose_name if many == 1 else about.verbose_name_plural
            told.append(f"{grouped(many)} {word}")
    return ", ".join(told[:SHOWN])


@register.filter
def undo_address(removal: Removal) -> str:
    return address_of(removal)
