"""The tables of webhooks and of what was sent to them."""

import uuid
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from foundation.translation import translated


class Webhook(models.Model):
    """An address that gets the events of a study, or of all studies where it has none.

    `kinds` are the names of events, all of them where it is empty. `secret` is sealed. `failing_since` is the first
    failure since the last success; one that failed for days is off, and `why` says so.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, null=True, related_name="webhooks")
    url = models.CharField(max_length=2_000)
    secret = models.TextField()
    kinds = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    is_on = models.BooleanField(default=True)
    failing_since = models.DateTimeField(null=True)
    disabled_at = models.DateTimeField(null=True)
    why = models.CharField(max_length=300, blank=True, default="")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="webhooks")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return self.host

    @property
    def shown_why(self) -> str:
        return translated(self.why)

    @property
    def host(self) -> str:
        """The address without its path, in which services have secrets of theirs."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


class Delivery(models.Model):
    """A message for a webhook: an event, or a test where there is none. `key` is its id, which retries keep.

    `next_at` is when it is tried again. `status`, `response`, `error` and `milliseconds` are of the last try.
    """

    class State(models.TextChoices):
        WAITING = "queued", _("Waiting")
        DELIVERED = "done", _("Delivered")
        FAILED = "failed", _("Failed")

    webhook = models.ForeignKey("webhooks.Webhook", on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey("events.Event", on_delete=models.CASCADE, null=True, related_name="deliveries")
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    response = models.TextField(blank=True, default="")
    error = models.CharField(max_length=300, blank=True, default="")
    milliseconds = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["next_at"], condition=models.Q(state="queued"), name="delivery_waiting"),
            models.Index(fields=["webhook", "-id"], name="delivery_of_webhook"),
        ]
        constraints = [models.UniqueConstraint(fields=["webhook", "event"], name="one_delivery_of_an_event")]

    def __str__(self) -> str:
        return f"{self.kind} to {self.webhook}"

    @property
    def kind(self) -> str:
        return self.event.kind if self.event else TEST

    @property
    def shown_error(self) -> str:
        return translated(self.error)

    @property
    def message_id(self) -> str:
        return f"msg_{self.key.hex}"


TEST = "webhook.test"
