from functools import cache
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, FilteredRelation, Q
from django.utils.translation import gettext_lazy as _

from accounts.database.prepared_statements import fetch_one, instance_from_row, select_columns
from accounts.permissions import Can, may
from foundation.languages import LONGEST

LARGE = frozenset(
    {"declared", "terms", "style_words", "poles", "style_descriptions"}
)  # fetched only where it is asked for


class StudyQuerySet(models.QuerySet["Study"]):
    def of(self, person: Any) -> "StudyQuerySet":
        """The studies that `person` may enter."""
        return self if person.is_admin else self.filter(memberships__person=person)

    def active(self) -> "StudyQuerySet":
        """The studies that are not archived."""
        return self.filter(archived_at__isnull=True)

    def with_role_of(self, person: Any) -> "StudyQuerySet":
        """Each study with the role of `person` in it, in the same query."""
        own = FilteredRelation("memberships", condition=Q(memberships__person=person.pk))
        return self.annotate(own=own, own_role=F("own__role"), own_person=models.Value(person.pk))  # type: ignore[no-redef]


class Study(models.Model):
    """A pair (or more) of styles and all that belongs to it.

    `declared` holds the declaration of the study file that was applied last, so that the next application can state the
    difference. `template` names the study template it began from. To see its texts, people must have accepted its
    `terms` in their newest version and have all of the verified `required_credentials`. Texts that are `restricted` are
    sent to no service outside. People and metrics judge one `unit` at a time: a sentence, or all of a document's
    together. `style_words` are left out where content is compared, and put before a source to see which metric that
    fools. `poles` names the style of each end of scales and metrics that the study calls otherwise:
    {"formal": "letter"}. `style_descriptions` describes each style in a few words: {"formal": "as in a letter"}.
    The `language` of its texts is a BCP 47 tag, or "" where nobody said. Nobody can change an archived study.
    """

    class Unit(models.TextChoices):
        SENTENCE = "sentence", _("Sentence")
        DOCUMENT = "document", _("Document")

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=300)
    styles = ArrayField(models.CharField(max_length=60))
    language = models.CharField(max_length=LONGEST, blank=True, default="", db_default="")
    license = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    template = models.CharField(max_length=60, blank=True)
    terms = models.TextField(blank=True)
    terms_version = models.PositiveSmallIntegerField(default=0)
    required_credentials = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    restricted = models.BooleanField(default=False)
    unit = models.CharField(max_length=10, choices=Unit, default=Unit.SENTENCE, db_default="sentence")
    style_words = ArrayField(models.CharField(max_length=60), default=list, blank=True, db_default=[])
    poles = models.JSONField(default=dict, blank=True, db_default={})
    style_descriptions = models.JSONField(default=dict, blank=True, db_default={})
    declared = models.JSONField(default=dict)
    archived_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="studies_made")
    made_at = models.DateTimeField(auto_now_add=True)

    # The role of the person who asks, where it was fetched with the study (`with_role_of`, `with_role`).
    own_person: int | None
    own_role: str | None
    own_terms: bool
    own_lacking: list[str]
    bar: str  # what keeps that person from the texts (`bars`)

    objects = StudyQuerySet.as_manager()

    class Meta:
        ordering = ["title"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title

    def role_of(self, person: Any) -> str | None:
        """The role of `person` in this study; asked at most once for an object of this study."""
        if getattr(self, "own_person", None) == person.pk:
            return self.own_role
        roles = self.__dict__.setdefault("_roles", {})
        if person.pk not in roles:
            roles[person.pk] = self.memberships.filter(person=person).values_list("role", flat=True).first()
        return roles[person.pk]

    @classmethod
    def with_role(cls, slug: str, person: Any) -> "Study | None":
        """The study of that slug with the role of `person` in it, by one prepared statement."""
        row = fetch_one(_with_role(), {"slug": slug, "person": person.pk})
        if row is None:
            return None
        study = instance_from_row(cls, row[:-3], without=LARGE)
        study.own_person = person.pk
        study.own_role, study.own_terms, study.own_lacking = row[-3:]
        return study

    def bars(self, person: Any) -> str:
        """Why `person` may not see the texts: "terms" to accept, the first credential they lack, or ""."""
        if getattr(self, "own_lacking", None) is None or self.own_person != person.pk:
            fresh = Study.with_role(self.slug, person)
            return fresh.bars(person) if fresh else ""
        return self.own_lacking[0] if self.own_lacking else "" if self.own_terms else "terms"

    def can(self, person: Any, capability: Can) -> bool:
        return may(person, capability, self)


@cache
def _with_role() -> str:
    return f"""
        SELECT {select_columns(Study, "s", without=LARGE)}, m.role,
               s.terms_version = 0 OR EXISTS (
                   SELECT 1 FROM corpora_termsacceptance t
                   WHERE t.study_id = s.id AND t.person_id = %(person)s AND t.version = s.terms_version),
               ARRAY(SELECT unnest(s.required_credentials) EXCEPT SELECT c.name FROM accounts_credential c
                     WHERE c.person_id = %(person)s AND c.verified_at IS NOT NULL
                       AND (c.expires_on IS NULL OR c.expires_on >= CURRENT_DATE))
        FROM corpora_study s
        LEFT JOIN corpora_membership m ON m.study_id = s.id AND m.person_id = %(person)s WHERE s.slug = %(slug)s
    """  # noqa: S608
