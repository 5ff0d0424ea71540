from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class Answer(models.Model):
    """One revision of one person's answer to an item. Rows are only ever added; the highest revision stands.

    `key` is the idempotency key: the same submission sent twice is one row. A `late` answer came after its lease was
    lost to somebody else; it is kept for a reviewer and fills no assignment. Campaign and item are those of the
    assignment, which keeps them: a constraint of their own would lock the campaign's row with each answer.
    """

    class Outcome(models.TextChoices):
        ANSWERED = "answered", _("Answered")
        SKIPPED = "skipped", _("Skipped")
        REPORTED = "reported", _("Reported")

    # As its author sees it (`blinding.own_answers.name_for_author`).
    handle: str
    number: int

    campaign = models.ForeignKey(
        "annotation.Campaign", on_delete=models.CASCADE, related_name="answers", db_index=False, db_constraint=False
    )
    item = models.ForeignKey(
        "annotation.Item", on_delete=models.CASCADE, related_name="answers", db_index=False, db_constraint=False
    )
    assignment = models.ForeignKey(
        "annotation.Assignment", on_delete=models.CASCADE, related_name="answers", db_column="slot_id"
    )
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="answers", db_index=False)
    revision = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.ANSWERED)
    late = models.BooleanField(default=False)
    pilot = models.BooleanField(default=False)
    content = models.JSONField()
    order = ArrayField(models.PositiveSmallIntegerField(), default=list)
    guideline_version = models.PositiveSmallIntegerField()
    seconds = models.FloatField(null=True)
    key = models.UUIDField(unique=True)
    submitted_at = models.DateTimeField()

    class Meta:
        ordering = ["submitted_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "person", "pilot", "revision"], name="one_answer_a_person_and_revision"
            )
        ]
        indexes = [models.Index(fields=["campaign", "person", "submitted_at"], name="answer_of_person")]

    def __str__(self) -> str:
        return f"{self.item} by {self.person} ({self.outcome}, revision {self.revision})"


class Review(models.Model):
    """What a reviewer decided about an answer; the newest decision stands.

    `fixed` accepts it as the reviewer changed it, in `content`. `returned` sends the item back into the queue,
    `dropped` takes it out of the campaign. `reason` is one of the campaign's; the author may `reply`.
    """

    class Verdict(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted")
        FIXED = "fixed", _("Fixed")
        REJECTED = "rejected", _("Rejected")
        RETURNED = "returned", _("Returned")
        DROPPED = "dropped", _("Dropped")

    answer = models.ForeignKey("annotation.Answer", on_delete=models.CASCADE, related_name="reviews")
    verdict = models.CharField(max_length=10, choices=Verdict)
    reason = models.CharField(max_length=200, blank=True)
    comment = models.TextField(blank=True)
    content = models.JSONField(null=True)
    reply = models.TextField(blank=True)
    replied_at = models.DateTimeField(null=True)
    reviewer = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="reviews")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.answer}: {self.verdict}"
