from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class CampaignMembership(models.Model):
    """A person's place in a campaign: how far they have come through its items, and how many they have answered.

    Its row is locked by whatever the person does in the campaign, so that two tabs act one after the other. `today`
    counts the answers of `day`. `accepted` and `rejected` count the newest verdicts on their answers, `rejected_in_row`
    the rejections since the last acceptance; `accepted_at_first` and `rejected_at_first` count what was said of the
    first revision of each that was judged, whatever became of it. In training and qualification `score` is the part of
    the items answered as expected in the attempt that is going on, and `attempts` how many were begun. `apart` are the
    people who came in the same browser as this one, and are kept off the same items. `goal` is how many items the
    person wants to do in a day, if they chose one. `recent_seconds`, `paid_seconds` and `summed_done` are running sums
    (`engine/running_sums.py`).
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
    summed_done = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "annotation_seat"
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="one_seat_a_person")]

    def __str__(self) -> str:
        return f"{self.person} in {self.campaign}"
