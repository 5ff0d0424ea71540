from functools import cache

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, FilteredRelation, Q

from accounts.permissions import Can, may
from accounts.prepared import columns, fetch_one, made

LARGE = frozenset({"declared", "terms"})  # fetched only where it is asked for


class StudyQuerySet(models.QuerySet["Study"]):
    def of(self, person) -> "StudyQuerySet":
        """The studies that `person` may enter."""
        return self if person.is_admin else self.filter(memberships__person=person)

    def with_role_of(self, person) -> "StudyQuerySet":
        """Each study with the role of `person` in it, in the same query."""
        own = FilteredRelation("memberships", condition=Q(memberships__person=person.pk))
        return self.annotate(own=own, own_role=F("own__role"), own_person=models.Value(person.pk))


class Study(models.Model):
    """A pair (or more) of styles and all that belongs to it.

    `declared` holds what a study file declared when it was applied, so that the next application can state the
    difference. `template` names the study template it began from. Nobody sees its texts who has not accepted its
    `terms` in their newest version, or lacks one of the verified `required_credentials`. Texts that are `restricted`
    are sent to no service outside.
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=300)
    styles = ArrayField(models.CharField(max_length=60))
    license = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    template = models.CharField(max_length=60, blank=True)
    terms = models.TextField(blank=True)
    terms_version = models.PositiveSmallIntegerField(default=0)
    required_credentials = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    restricted = models.BooleanField(default=False)
    declared = models.JSONField(default=dict)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="studies_made")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = StudyQuerySet.as_manager()

    class Meta:
        ordering = ["title"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.title

    def role_of(self, person) -> str | None:
        """The role of `person` in this study; asked at most once for an object of this study."""
        if getattr(self, "own_person", None) == person.pk:
            return self.own_role
        roles = self.__dict__.setdefault("_roles", {})
        if person.pk not in roles:
            roles[person.pk] = self.memberships.filter(person=person).values_list("role", flat=True).first()
        return roles[person.pk]

    @classmethod
    def with_role(cls, slug: str, person) -> "Study | None":
        """The study of that slug with the role of `person` in it, by one prepared statement."""
        row = fetch_one(_with_role(), {"slug": slug, "person": person.pk})
        if row is None:
            return None
        study = made(cls, row[:-1], without=LARGE)
        study.own_person, study.own_role = person.pk, row[-1]
        return study

    def can(self, person, capability: Can) -> bool:
        return may(person, capability, self)


@cache
def _with_role() -> str:
    return f"""
        SELECT {columns(Study, "s", without=LARGE)}, m.role FROM corpora_study s
        LEFT JOIN corpora_membership m ON m.study_id = s.id AND m.person_id = %(person)s WHERE s.slug = %(slug)s
    """  # noqa: S608
