"""The tables of recruiting: accounts at crowd sites, what was put up there, who submitted, and what was ordered."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.models import RecruitmentLink
from foundation.translation import translated


class Account(models.Model):
    """A study's account at a crowd site. `token` and `hook_secret` are sealed.

    In a `sandbox` nothing is paid: Prolific publishes to test participants, Mechanical Turk has a site for it.
    `details` are of the site: workspace, currency, whether its hooks come here.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="crowd_accounts")
    site = models.CharField(max_length=10, choices=RecruitmentLink.Site)
    token = models.TextField()
    hook_secret = models.TextField(blank=True, default="")
    sandbox = models.BooleanField(default=True)
    details = models.JSONField(default=dict)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="crowd_accounts")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "crowd account"
        constraints = [models.UniqueConstraint(fields=["study", "site"], name="one_crowd_account_a_site")]

    def __str__(self) -> str:
        return f"{self.get_site_display()} of {self.study}"


class Recruitment(models.Model):
    """A study or task at a crowd site for a recruitment link: `external_id` is its name there, "" until it has one.

    `reward` and `screen_out_reward` are for a person, in minor units (cents) of `currency`. `status` is as the site
    calls it. The ledger says what people are due; what was paid follows from submissions and orders.
    """

    recruitment_link = models.OneToOneField(
        "annotation.RecruitmentLink", on_delete=models.CASCADE, related_name="recruitment"
    )
    account = models.ForeignKey("recruiting.Account", on_delete=models.CASCADE, related_name="recruitments")
    external_id = models.CharField(max_length=100, blank=True, default="")
    status = models.CharField(max_length=40, blank=True, default="")
    name = models.CharField(max_length=120)
    description = models.TextField()
    places = models.PositiveIntegerField()
    minutes = models.PositiveIntegerField()
    reward = models.PositiveIntegerField()
    screen_out_reward = models.PositiveIntegerField(default=0)
    screen_out_pay_code = models.CharField(max_length=40, blank=True, default="")
    currency = models.CharField(max_length=3)
    sandbox = models.BooleanField()
    seen_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="recruitments")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class Submission(models.Model):
    """Somebody's turn at a crowd site, called a submission or an assignment there; erased people have no ids."""

    class State(models.TextChoices):
        ACTIVE = "running", _("At work")
        AWAITING = "queued", _("Awaits review")
        APPROVED = "accepted", _("Approved")
        REJECTED = "rejected", _("Rejected")
        SCREENED_OUT = "paused", _("Screened out")
        RETURNED = "cancelled", _("Returned")
        TIMED_OUT = "closed", _("Timed out")

    recruitment = models.ForeignKey("recruiting.Recruitment", on_delete=models.CASCADE, related_name="submissions")
    participant = models.ForeignKey(
        "annotation.CrowdParticipant", on_delete=models.SET_NULL, null=True, related_name="submissions"
    )
    external_id = models.CharField(max_length=100, blank=True)
    person_id_there = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["recruitment", "external_id"], condition=~Q(external_id=""), name="one_submission_an_id"
            )
        ]

    def __str__(self) -> str:
        return f"{self.external_id} of {self.recruitment}"


class Order(models.Model):
    """Something that a person's press, or the clock, asks of a crowd site; a worker does it once.

    `arguments` name submissions by our keys, and amounts in minor units. An order whose answer was lost, and which the
    site might do twice, is `unsure`: a person looks there, and says whether it happened.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Under way")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        UNSURE = "warning", _("Unsure")

    account = models.ForeignKey("recruiting.Account", on_delete=models.CASCADE, related_name="orders")
    recruitment = models.ForeignKey(
        "recruiting.Recruitment", on_delete=models.CASCADE, null=True, related_name="orders"
    )
    kind = models.CharField(max_length=20)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    result = models.JSONField(default=dict)
    error = models.CharField(max_length=500, blank=True, default="")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="crowd_orders")
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "crowd order"
        indexes = [
            models.Index(fields=["next_at"], condition=Q(state__in=["queued", "running"]), name="order_unfinished")
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.account.site}"

    @property
    def shown_error(self) -> str:
        return translated(self.error)
