"""The tables of this room."""

import uuid

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.permissions import ROLE_CHOICES, Role


class AccessLink(models.Model):
    """A link that lets its bearer in once: to join by invitation, or to choose a new password.

    Only the SHA-256 of its secret is kept. A signal tells other apps when an invitation was accepted.
    """

    class Purpose(models.TextChoices):
        INVITATION = "invitation"
        PASSWORD_RESET = "password_reset"  # noqa: S105 (a purpose, not a password)

    purpose = models.CharField(max_length=20, choices=Purpose)
    digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=20, choices=ROLE_CHOICES, blank=True)
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, null=True, related_name="access_links")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="links_made")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.purpose} {self.email}".strip()


class ApiToken(models.Model):
    """A key for the API. Only its SHA-256 is kept; `prefix` lets its owner tell it from others."""

    class Scope(models.TextChoices):
        READ = "read", _("read everything its owner may read")
        WRITE = "write", _("change what its owner may change")
        ANNOTATE = "annotate", _("work on campaigns")

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}...)"

    @property
    def scope_labels(self) -> list[str]:
        """Its scopes, in words."""
        return [str(self.Scope(scope).label) for scope in self.scopes]


class KeptAnswer(models.Model):
    """The answer to a request of the API that named an `Idempotency-Key`, kept for a day.

    `act` is its method and path. `status` is 0 while the request is being done, which no other transaction sees. `body`
    is None where the answer held a secret.
    """

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    act = models.CharField(max_length=500)
    status = models.PositiveSmallIntegerField(default=0, db_default=0)
    body = models.TextField(null=True)  # noqa: DJ001 (an answer without a body is "")
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.act} ({self.key})"


class AuditEntry(models.Model):
    """A record of who did what, and when. Rows are only ever added: the database refuses everything else.

    The one exception: in the transaction that erases a person, words of `target`, `details` and `changes` may become
    `[erased]`.

    `study_slug` is empty for actions on the whole site. `details` hold the action's arguments, without texts, and
    `changes` hold `[before, after]` by field, or null where the values are private or long. Actions that are done
    thousands of times set `day`: they have one row a person, study and day.
    """

    class Kind(models.TextChoices):
        CHANGE = "change", _("Change")
        SIGN_IN = "sign_in", _("Sign-in")
        EXPORT = "export", _("Export or download")
        READ = "read", _("Texts under terms")
        TOKEN = "token", _("Use of a token")

    at = models.DateTimeField(auto_now_add=True)
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, null=True, related_name="audit_entries")
    study_slug = models.CharField(max_length=80, blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.CHANGE, db_default=Kind.CHANGE.value)
    action = models.CharField(max_length=80)
    target = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)
    changes = models.JSONField(default=dict, db_default={})
    day = models.DateField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "study_slug", "action", "target", "day"], condition=Q(day__isnull=False),
                name="one_row_a_day",
            )
        ]  # fmt: skip
        indexes = [
            models.Index(fields=["study_slug", "-id"], name="audit_of_study"),
            models.Index(fields=["at"], name="audit_at"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"


class Credential(models.Model):
    """Something a person may show (a degree, a data use agreement); it counts once somebody verified it.

    `name` is a short name that studies and campaigns ask for, such as `md` or `mimic-iii`.
    """

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="credentials")
    name = models.SlugField(max_length=60)
    evidence = models.TextField(blank=True)
    verified_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="verified")
    verified_at = models.DateTimeField(null=True)
    expires_on = models.DateField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="one_credential_a_name")]

    def __str__(self) -> str:
        return f"{self.person}: {self.name}"


MACHINES = "@machine.invalid"  # the end of the address of each language model that rates
CROWD = "@crowd.invalid"  # that of each person of a crowd site, who has no address here


class PersonManager(BaseUserManager["Person"]):
    def people(self) -> "models.QuerySet[Person]":
        """Everybody but the language models that rate."""
        return self.exclude(email__endswith=MACHINES)

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "Person":
        person = self.model(email=self.normalize_email(email).lower(), **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "Person":
        return self.create_user(email, password, **{**fields, "role": Role.ADMIN})


class Person(AbstractBaseUser):
    """Somebody who signs in. `pseudonym` stands for them wherever data leave the site.

    `languages` are language tags ("en", "pt-BR"), `topics` what they know well; both in their own words.
    `interface_language` is the language of pages and mail that they chose, "" where it is their browser's. Only the
    pseudonym is left of a person who was erased.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=20, choices=ROLE_CHOICES)
    pseudonym = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    languages = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    topics = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    interface_language = models.CharField(max_length=20, blank=True, default="", db_default="")
    is_active = models.BooleanField(default=True)
    erased_at = models.DateTimeField(null=True, editable=False)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["role"]

    class Meta:
        ordering = ["email"]

    def __str__(self) -> str:
        if self.from_crowd_site and not self.name:
            return f"crowd-{self.pseudonym.hex[:8]}"
        return self.name or self.email

    @property
    def is_machine(self) -> bool:
        """Whether it is a language model that rates; it never signs in."""
        return self.email.endswith(MACHINES)

    @property
    def from_crowd_site(self) -> bool:
        """Whether they came by a recruitment link, with an id of a crowd site and without an address."""
        return self.email.endswith(CROWD)

    @property
    def is_admin(self) -> bool:
        return self.role == Role.ADMIN


class SiteKey(models.Model):
    """The digest of the site's SECRET_KEY, so that a process with another one is told from the site's own.

    There is one row at most. PBKDF2 with a salt of its own: the key cannot be had from it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    digest = models.CharField(_("digest"), max_length=200)
    set_at = models.DateTimeField(_("set at"), auto_now=True)

    class Meta:
        verbose_name = _("digest of the secret key")
        verbose_name_plural = _("digests of the secret key")
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_site_key")]

    def __str__(self) -> str:
        return "secret key"


class TableView(models.Model):
    """How somebody has chosen to see a table of the pages, in every study: what `keep_table_view` takes, but its name.

    There is no row where nothing was chosen.
    """

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="table_views")
    table = models.CharField(max_length=80)
    chosen = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "table"], name="one_view_a_table")]

    def __str__(self) -> str:
        return f"{self.person}: {self.table}"
