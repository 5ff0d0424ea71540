from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from corpora.models.sentence import Sentence


class Document(models.Model):
    """A text of one style with its sentences in order: an abstract, a note, one version of an article.

    `code` is its own (a PMID, a row of NOTEEVENTS), `codes` are those of its subjects (ICD). `chosen` is empty until
    somebody screened it. `split` is empty until the documents are split.
    """

    # Set on documents that a page or the API shows (`corpora.documents.with_counts`).
    sentence_count: int
    held_count: int
    dropped_count: int
    in_order: "models.QuerySet[DocumentSentence]"

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="documents")
    number = models.PositiveIntegerField()
    style = models.CharField(max_length=60)
    code = models.CharField(max_length=100, blank=True)
    title = models.CharField(max_length=500, blank=True)
    topic = models.CharField(max_length=100, blank=True)
    domain = models.CharField(max_length=100, blank=True)
    codes = ArrayField(models.CharField(max_length=40), default=list)
    question = models.ForeignKey(
        "corpora.Question", on_delete=models.PROTECT, null=True, blank=True, related_name="documents"
    )
    split = models.CharField(max_length=5, choices=Sentence.Split, blank=True)
    chosen = models.BooleanField(null=True)
    origin = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="one_document_a_number"),
            models.UniqueConstraint(
                fields=["study", "style", "code"], condition=~Q(code=""), name="one_document_a_code"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.code or f"Document {self.number}"


class DocumentSentence(models.Model):
    """A sentence in its document; `number` counts from 1 (PLABA's SID).

    `flags` are likely identifiers found in it, `[{"start", "end", "kind"}]` in characters. While it is `held` nobody
    gets it to work on: somebody must say first that it is clear, mask it or drop it (`dropped`); `decided_at` is when
    they did. `concepts` are the linked concepts, empty (null) before the linking. `translation` is an assistive one.
    """

    # Set on sentences that a page shows: the text around flags, the section where it begins, and whether it is hidden.
    pieces: list[Any]
    heading: str
    hidden: bool

    document = models.ForeignKey("corpora.Document", on_delete=models.CASCADE, related_name="sentences")
    number = models.PositiveIntegerField()
    section = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    translation = models.TextField(blank=True)
    flags = models.JSONField(default=list, db_default=[])
    held = models.BooleanField(default=False, db_default=False)
    dropped = models.BooleanField(default=False, db_default=False)
    decided_at = models.DateTimeField(null=True)
    concepts = models.JSONField(null=True)

    class Meta:
        ordering = ["document__number", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_sentence_a_place")]
        indexes = [models.Index(fields=["document"], condition=Q(held=True), name="sentence_held")]

    def __str__(self) -> str:
        return self.text[:80]
