"""Work in a campaign: its items, their assignments, drafts and answers, and the decisions of reviewers."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Item(models.Model):
    """One piece of work, as its task type built it; `content` is a snapshot and never changes.

    It is about a sentence, a group, a document or a question. In a later stage it comes from the answer `parent`, and
    `people` are all who had a hand in it before; nobody of these gets it. `part` counts the products of one answer from
    0. A control item has the answer that is `expected`, which never leaves the server; in a training it is shown with
    its `explanation` once the person's own answer is stored.

    `authors` wrote one of the texts that it gives to be judged, and do not get it either.

    `settled` is how all answers of the item together ended, where its kind of work settles by item: `verdict`,
    `products`, the `answer` that decided and the `people`. `withdrawn`: the work that it was made from does not stand
    any more.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.PROTECT, null=True, related_name="items")
    group = models.ForeignKey("corpora.Group", on_delete=models.PROTECT, null=True, related_name="items")
    document = models.ForeignKey("corpora.Document", on_delete=models.PROTECT, null=True, related_name="items")
    question = models.ForeignKey("corpora.Question", on_delete=models.PROTECT, null=True, related_name="items")
    parent = models.ForeignKey("annotation.Answer", on_delete=models.CASCADE, null=True, related_name="items_made")
    part = models.PositiveSmallIntegerField(default=0, db_default=0)
    people = ArrayField(models.IntegerField(), default=list, db_default=[])
    authors = ArrayField(models.IntegerField(), default=list, db_default=[])
    topic = models.CharField(max_length=100, blank=True, default="", db_default="")
    control = models.BooleanField(default=False, db_default=False)
    expected = models.JSONField(null=True)
    explanation = models.TextField(blank=True, default="", db_default="")
    settled = models.JSONField(null=True)
    withdrawn = models.BooleanField(default=False, db_default=False)
    content = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_item_a_number"),
            models.UniqueConstraint(
                fields=["campaign", "parent", "part"], condition=Q(parent__isnull=False), name="one_item_a_product"
            ),
        ]
        indexes = [models.Index(fields=["campaign"], condition=Q(control=True), name="item_control")]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.number}"


class Assignment(models.Model):
    """A place for one annotator at an item. The two unique constraints make over-assignment impossible.

    An assignment is leased until `lease_expires_at`; `lease` changes with every lease, so that work done under an older
    one is recognised. A lease is `ahead` while its item waits behind the person's current one. `order` is the order in
    which the item's candidates are presented in this assignment. `position` repeats the item's number, `barred` its
    people and `topic` its topic, so that the next free assignment is one step in one index. Every submission writes to
    all indexes of two assignments, so a key with which another index begins has no index of its own.
    """

    class State(models.IntegerChoices):
        FREE = 0
        LEASED = 1
        DONE = 2
        HELD = 3  # a problem was reported: nobody gets it until a reviewer decides
        DROPPED = 4

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="assignments")
    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="assignments", db_index=False)
    number = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField()
    pilot = models.BooleanField(default=False)
    state = models.PositiveSmallIntegerField(choices=State, default=State.FREE)
    annotator = models.ForeignKey(
        "accounts.Person", on_delete=models.PROTECT, null=True, related_name="assignments", db_index=False
    )
    lease = models.UUIDField(null=True)
    leased_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    ahead = models.BooleanField(default=False, db_default=False)
    barred = ArrayField(models.IntegerField(), default=list, db_default=[])
    topic = models.CharField(max_length=100, blank=True, default="", db_default="")
    order = ArrayField(models.PositiveSmallIntegerField(), default=list)

    class Meta:
        ordering = ["position", "number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "pilot", "number"], name="one_assignment_a_number"),
            models.UniqueConstraint(fields=["item", "pilot", "annotator"], name="one_assignment_a_person"),
            models.UniqueConstraint(
                fields=["campaign", "annotator"],
                condition=Q(state=1, ahead=False),
                name="one_lease_a_person_and_campaign",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "pilot", "position", "number"], condition=Q(state=0), name="assignment_free"
            ),
            models.Index(fields=["lease_expires_at"], condition=Q(state=1), name="assignment_leased"),
            models.Index(fields=["campaign", "annotator"], condition=Q(state=1, ahead=True), name="assignment_ahead"),
        ]

    def __str__(self) -> str:
        return f"{self.item} assignment {self.number}"


class CampaignMembership(models.Model):
    """A person's place in a campaign: how far they have come through its items, and how many they have answered.

    Every act of the person in the campaign locks its row, so that two tabs act one after the other. `today` counts the
    answers of `day`. `accepted` and `rejected` count the newest verdicts on their answers, `rejected_in_row` the
    rejections since the last acceptance; `accepted_at_first` and `rejected_at_first` count the verdicts on the first
    judged revision of each, whatever became of it. In training and qualification `score` is the part of the items
    answered as expected in the current attempt, and `attempts` counts those begun. `apart` are the people who came in
    the same browser as this one, and are kept off the same items. `goal` is the number of items that the person wants
    to do in a day, if they chose one. `recent_seconds`, `paid_seconds`, `answered` and `summed_done` are running sums
    (`engine/running_sums.py`); `answered` counts the items that are paid unless they were rejected.
    """

    class State(models.TextChoices):
        WORKING = "working", _("Working")
        PAUSED = "paused", _("Paused")

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="campaign_memberships")
    position = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.WORKING, db_default=State.WORKING.value)
    reason = models.TextField(blank=True, default="", db_default="")
    day = models.DateField(null=True)
    today = models.PositiveIntegerField(default=0, db_default=0)
    goal = models.PositiveSmallIntegerField(null=True)
    accepted = models.PositiveIntegerField(default=0, db_default=0)
    rejected = models.PositiveIntegerField(default=0, db_default=0)
    accepted_at_first = models.PositiveIntegerField(default=0, db_default=0)
    rejected_at_first = models.PositiveIntegerField(default=0, db_default=0)
    rejected_in_row = models.PositiveSmallIntegerField(default=0, db_default=0)
    score = models.FloatField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0, db_column="tries")
    apart = ArrayField(models.IntegerField(), default=list, db_default=[])
    guideline_read = models.PositiveSmallIntegerField(default=0, db_default=0)
    recent_seconds = ArrayField(models.FloatField(), default=list, db_default=[])
    paid_seconds = models.FloatField(default=0.0, db_default=0.0)
    answered = models.PositiveIntegerField(null=True)
    summed_done = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="one_campaign_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.person} in {self.campaign}"


class Draft(models.Model):
    """An annotator's unfinished answer to an item, or change of an answer; `writer` is the page that saved it.

    `seconds` is the time that they were active on it so far, which counts on wherever they go on, also on another
    machine.

    It stays while the item is passed by or reported, and goes once the item, or the change, is handed in.
    """

    assignment = models.ForeignKey(
        "annotation.Assignment", on_delete=models.CASCADE, related_name="drafts", db_column="slot_id"
    )
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="drafts")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    writer = models.CharField(max_length=40, blank=True, default="", db_default="")
    seconds = models.FloatField(null=True)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "person"], name="one_draft_an_assignment_and_person")
        ]

    def __str__(self) -> str:
        return f"{self.assignment} draft {self.version}"


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

    # As its author sees it (`annotation.blinding.name_for_author`).
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
    """A reviewer's decision about an answer; the newest one stands.

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
