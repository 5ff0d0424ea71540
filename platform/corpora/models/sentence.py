from django.db import models
from django.utils.translation import gettext_lazy as _


class Sentence(models.Model):
    """A source sentence, in the order of its file (`number` counts from 1 within its direction).

    `origin` is the sentence of a document that it was selected from, if it was. `concepts` are the linked concepts,
    empty (null) before the linking.
    """

    class Split(models.TextChoices):
        TRAIN = "train", _("Train")
        TUNE = "tune", _("Tune")
        TEST = "test", _("Test")

    # Set on sentences that a page shows (`texts.queries.with_texts`): (number, text) and (system, text).
    shown_references: list[tuple[int, str]]
    shown_outputs: list[tuple[str, str]]

    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, related_name="sentences")
    number = models.PositiveIntegerField()
    text = models.TextField()
    split = models.CharField(max_length=5, choices=Split, default=Split.TEST)
    domain = models.CharField(max_length=100, blank=True)
    origin = models.ForeignKey(
        "corpora.DocumentSentence", on_delete=models.PROTECT, null=True, blank=True, related_name="selected"
    )
    concepts = models.JSONField(null=True)

    class Meta:
        ordering = ["direction__number", "number"]
        constraints = [models.UniqueConstraint(fields=["direction", "number"], name="one_sentence_a_number")]

    def __str__(self) -> str:
        return self.text[:80]
