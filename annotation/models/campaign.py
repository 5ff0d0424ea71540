"""The work that a study asks people for: campaigns with their guidelines, criteria, scales, and runs about them."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.permissions import Role
from corpora.models import Sentence
from foundation.options import declared, each_once

LARGEST_INTEGER = 2**31 - 1


def every_role() -> list[str]:
    return [role.value for role in Role if role != Role.ADMIN]


class PeoplesCampaigns(models.Manager["Campaign"]):
    """The campaigns that people work in: what counts raters, or lists campaigns, sees no machine unless it asks."""

    def get_queryset(self) -> models.QuerySet["Campaign"]:
        return super().get_queryset().filter(machine_of=None)


class Campaign(models.Model):
    """Work of one kind on the texts of a study, by `overlap` different people an item.

    A language model that rates works on items of its own, which are copies: its campaign is `machine_of` that of the
    people, and no person works there (`MachineRater`). Such campaigns are found through `everything` alone.

    `settings` are the task type's; for ratings they hold a copy of the criteria as they were when the items were made.
    Where `direction` is empty the campaign covers all directions, where `splits` is empty all splits. `size` is the
    number of its items; a draft of size 0 gets them when it starts.

    A campaign `after` another is the next stage: the products of that one become its items, as `takes` says. Where it
    `needs_review`, only work that a reviewer accepted counts and is passed on. `eligibility` has the rules of who may
    work (`annotation/eligibility_rules`), `checks` the settings of the quality checks (`annotation/quality`), `reasons`
    the guideline's reasons for a rejection. `pay` says how much an item and an hour earn, whether rejected items are
    paid, and how many minutes of one item at most. One of `control_every` items is a control item; 0 is none. Where it
    is `mixed`, items come in a drawn order and people see their own count, since some of what they get checks on their
    work.

    `examples` stand beside the guideline: good and bad ones with why, each about a criterion or a step. Where it
    `submits_at_once` the last answer hands an item in, unless the person chose otherwise.
    The page of an annotator leases up to `prefetch` items ahead of the one it shows.
    """

    # For the campaigns that a person's page lists (`studies.progress.work_of`): the items they did, and the work there.
    own_done: int
    verb: str

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PILOT = "pilot", _("Pilot")
        OPEN = "open", _("Open")
        PAUSED = "paused", _("Paused")
        CLOSED = "closed", _("Closed")

    class Takes(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted answers")
        REJECTED = "rejected", _("Rejected answers")
        FARTHEST = "farthest", _("The rewrite farthest from its source")

    class Purpose(models.TextChoices):
        WORK = "work", _("Work")
        TRAINING = "training", pgettext_lazy("of annotators", "Training")
        QUALIFICATION = "qualification", _("Qualification")

    gives_controls: bool | None = None  # asked once an object (`annotation.blinding.has_control_items`)

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="campaigns")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    task_type = models.CharField(max_length=60)
    direction = models.ForeignKey("corpora.Direction", on_delete=models.PROTECT, null=True, blank=True)
    settings = models.JSONField(default=dict)
    overlap = models.PositiveSmallIntegerField(default=1)
    roles = ArrayField(models.CharField(max_length=20), default=every_role)
    submits_at_once = declared(
        models.BooleanField(default=False, db_default=False),
        "The last choice submits an item; Enter submits a rewrite. Each person may choose otherwise.",
        label="Submit on the last answer", group="more",
    )  # fmt: skip
    purpose = declared(
        models.CharField(max_length=15, choices=Purpose, default=Purpose.WORK),
        "Training and qualification need an expected answer for each item; they make no data.",
        label="Purpose", group="more", changes="while empty",
    )  # fmt: skip
    after = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="followers")
    takes = models.CharField(max_length=10, choices=Takes, default=Takes.ACCEPTED)
    splits = declared(
        ArrayField(models.CharField(max_length=5), default=list, blank=True), "None ticked means all.",
        label="Splits", choices=Sentence.Split.choices, group="more", changes="while empty",
    )  # fmt: skip
    needs_review = declared(
        models.BooleanField(default=False), "Only accepted answers count and go on to the next stage.",
        label="Review each answer", group="review",
    )  # fmt: skip
    eligibility = models.JSONField(default=dict, db_column="crew")
    checks = models.JSONField(default=dict)
    reasons = declared(
        ArrayField(models.CharField(max_length=200), default=list, blank=True),
        "One per line, as in the guideline. The annotator reads the reason that the reviewer chooses.",
        label="Reasons for a rejection", group="review", clean=each_once,
    )  # fmt: skip
    control_every = declared(
        models.PositiveSmallIntegerField(default=0),
        "One item in this many is a control item: it has an expected answer and checks the work; 0 for none.",
        label="Items per control item", low=0, high=1000, group="review",
    )  # fmt: skip
    lease_minutes = declared(
        models.PositiveSmallIntegerField(default=60),
        "An item may go to somebody else if its annotator is inactive for this long.",
        label="Minutes for an item", low=1, high=7 * 24 * 60, group="more",
    )  # fmt: skip
    prefetch = declared(
        models.PositiveSmallIntegerField(default=0, db_default=0),
        "Number of items that the annotator's page loads ahead, for work without a network; 0 for none. "
        "Trainings, qualifications and campaigns with control items load none.",
        label="Items fetched ahead", low=0, high=20, group="more",
    )  # fmt: skip
    mixed = models.BooleanField(default=False, db_default=False)
    pay = models.JSONField(default=dict)
    examples = models.JSONField(default=list, blank=True, db_default=[])
    notes = declared(
        models.TextField(default="", blank=True, db_default=""),
        "For the people who run the study; those who work do not see them.",
        label="Notes", characters=10_000, lines=True, group="more", clean=str.strip,
    )  # fmt: skip
    seed = declared(
        models.IntegerField(default=1), "", label="Seed", low=-LARGEST_INTEGER - 1, high=LARGEST_INTEGER,
        group="more", changes="while empty",
    )  # fmt: skip
    size = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    guideline_version = models.PositiveSmallIntegerField(default=1)
    machine_of = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="campaigns_made")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = PeoplesCampaigns()
    everything = models.Manager["Campaign"]()

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["study", "slug"], name="one_campaign_a_slug")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_pilot(self) -> bool:
        return self.state == self.State.PILOT

    @property
    def takes_work(self) -> bool:
        return self.state in {self.State.PILOT, self.State.OPEN}


class Guideline(models.Model):
    """The guideline of a campaign in one of its versions; a version is never changed."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="guidelines")
    version = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="one_guideline_a_version")]

    def __str__(self) -> str:
        return f"{self.campaign} guideline {self.version}"


class Criterion(models.Model):
    """A question of a study about an output, and its scale; `beside` says what is shown with the output."""

    class Beside(models.TextChoices):
        NOTHING = "nothing"
        SOURCE = "source"
        SOURCE_AND_REFERENCE = "source_and_reference"

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="criteria")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    scale = models.CharField(max_length=1000)
    aspect = models.CharField(max_length=60, blank=True)
    beside = models.CharField(max_length=20, choices=Beside, default=Beside.NOTHING)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "criteria"
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_criterion_a_name")]

    def __str__(self) -> str:
        return self.name


class StudyScale(models.Model):
    """A scale that a study made for itself; `line` says the whole of it (`annotation/rating_scales.py`).

    Criteria keep the line, so a scale that is taken off the list stays what it was where it is used.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="scales")
    name = models.CharField(max_length=40)
    line = models.CharField(max_length=1000)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_scale_a_name")]

    def __str__(self) -> str:
        return self.name


class AgreementRun(models.Model):
    """A job that measures how far the people of a campaign agree; `result` is empty until it is there."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="agreement_run")
    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="agreement_runs")
    result = models.JSONField(null=True)
    made_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.job} of {self.campaign}"


class TranslationRun(models.Model):
    """A job that puts an assistive translation beside the sentences of one style, where they have none yet."""

    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="translation_run")
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="translation_runs")
    style = models.CharField(max_length=60)
    source_language = models.CharField(max_length=35)
    target_language = models.CharField(max_length=35)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.style}: {self.source_language} to {self.target_language}"
