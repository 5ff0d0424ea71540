"""People of crowd sites: the links by which they come, the people themselves, and their browsers."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RecruitmentLink(models.Model):
    """A link by which people of a crowd site enter a campaign. `secret` is part of its address.

    Ids of a site can be forged, so an id alone opens nothing: see `CrowdParticipant`. The text of `consent` is never
    changed, so that it is known what each participant agreed to. A `training` comes before the work, if there is one.
    `completion_code` and `screen_out_code` are codes that the site was told beforehand; where one is "", each person
    gets a code of their own.
    """

    class Site(models.TextChoices):
        PROLIFIC = "prolific", _("Prolific")
        MTURK = "mturk", _("Mechanical Turk")
        OTHER = "other", _("Another site")

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="recruitment_links")
    site = models.CharField(max_length=10, choices=Site)
    secret = models.CharField(max_length=64, unique=True)
    consent = models.TextField(blank=True)
    training = models.ForeignKey(
        "annotation.Campaign", on_delete=models.SET_NULL, null=True, related_name="recruitment_links_before"
    )
    completion_code = models.CharField(max_length=40, blank=True, default="", db_default="")
    screen_out_code = models.CharField(max_length=40, blank=True, default="", db_default="")
    is_open = models.BooleanField(default=True)
    made_by = models.ForeignKey(
        "accounts.Person", on_delete=models.SET_NULL, null=True, related_name="recruitment_links_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.campaign} from {self.site}"

    @property
    def takes_people(self) -> bool:
        """Whether somebody new may come: it is open, and there is work behind it."""
        return self.is_open and self.campaign.takes_work


class CrowdParticipant(models.Model):
    """Somebody of a crowd site, and the one browser in which their work goes on.

    `browser` is the digest of a secret that only that browser has; it is "" where a researcher released them for
    another one. `attempts` counts the visits with their id from other browsers, which were refused. `code` is theirs
    alone and drawn at random, unless it is the link's (`has_fixed_code`); `state` says whether it stands for having
    finished or for having been screened out. They read `reason`, which says why they were screened out.
    """

    class State(models.TextChoices):
        ENTERED = "entered", _("Entered")
        CONSENTED = "consented", _("Consented")
        DECLINED = "declined", _("Declined")
        FINISHED = "finished", _("Finished")
        SCREENED_OUT = "screened_out", _("Screened out")

    recruitment_link = models.ForeignKey(
        "annotation.RecruitmentLink", on_delete=models.CASCADE, related_name="participants", db_column="entrance_id"
    )
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="entered")
    external_id = models.CharField(max_length=200)
    session_id = models.CharField(max_length=200, blank=True)
    browser = models.CharField(max_length=64)
    attempts = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=15, choices=State, default=State.ENTERED)
    code = models.CharField(max_length=40, blank=True)
    has_fixed_code = models.BooleanField(default=False, db_default=False)
    reason = models.TextField(blank=True, default="", db_default="")
    entered_at = models.DateTimeField(auto_now_add=True)
    consented_at = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["entered_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["recruitment_link", "external_id"], condition=~Q(external_id=""), name="one_participant_an_id"
            ),
            models.UniqueConstraint(
                fields=["code"], condition=~Q(code="") & Q(has_fixed_code=False), name="one_participant_a_code"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} by {self.recruitment_link}"


class DeviceUse(models.Model):
    """Somebody of a crowd site came in a browser. All who came in the same one are taken for the same person.

    `device` is the digest of the secret that only that browser has. `address` and `agent` are keyed digests of the
    network address (of IPv6 its first half) and of what the browser calls itself, which cannot be turned back and are
    other ones in each study; "" where nothing is known. Many people share these, so they only support a suspicion.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="device_uses")
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="device_uses")
    device = models.CharField(max_length=64)
    address = models.CharField(max_length=16, blank=True)
    agent = models.CharField(max_length=16, blank=True)
    visits = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["first_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "person", "device", "address", "agent"], name="one_use_of_a_device"
            )
        ]
        indexes = [
            models.Index(fields=["study", "device"], name="use_of_device"),
            models.Index(fields=["study", "address", "agent"], name="use_of_address"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.device[:8]}"
