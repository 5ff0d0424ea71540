"""The only place that says who may do what.

A person has one role on the site and, as a member, one in each study. `GRANTS` lists for every capability the roles
that hold it. A capability of the site asks the site role; a capability of a study asks the role in that study. An
admin may do everything everywhere.
"""

from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied


class Role(StrEnum):
    ADMIN = "admin"
    RESEARCHER = "researcher"
    REVIEWER = "reviewer"
    EXPERT_ANNOTATOR = "expert_annotator"
    CROWD_ANNOTATOR = "crowd_annotator"


ROLE_CHOICES = [(role.value, role.value) for role in Role]


class Can(StrEnum):
    # of the site
    MANAGE_PEOPLE = "manage people"
    CREATE_STUDY = "create a study"
    USE_TOKENS = "use API tokens"
    SEE_HEALTH = "see how the site is"
    # of a study
    ENTER_STUDY = "enter the study"
    VIEW_STUDY = "view the study's texts, systems and campaigns"
    EDIT_STUDY = "change the study"
    MANAGE_MEMBERS = "manage the study's members"
    ANNOTATE = "annotate"
    REVIEW = "review answers"
    RUN_MODELS = "run models"
    RUN_METRICS = "run metrics"
    VIEW_REPORT = "view the report"
    EXPORT = "export gold data"
    RELEASE = "release gold data"


SITE = frozenset({Can.MANAGE_PEOPLE, Can.CREATE_STUDY, Can.USE_TOKENS, Can.SEE_HEALTH})

_LEADS = frozenset({Role.RESEARCHER})
_STAFF = frozenset({Role.RESEARCHER, Role.REVIEWER})
_ANNOTATORS = frozenset({Role.EXPERT_ANNOTATOR, Role.CROWD_ANNOTATOR})
_EVERYONE = _STAFF | _ANNOTATORS

GRANTS: dict[Can, frozenset[Role]] = {
    Can.MANAGE_PEOPLE: frozenset(),
    Can.CREATE_STUDY: _LEADS,
    Can.USE_TOKENS: _EVERYONE,
    Can.SEE_HEALTH: frozenset(),
    Can.ENTER_STUDY: _EVERYONE,
    Can.VIEW_STUDY: _STAFF,
    Can.EDIT_STUDY: _LEADS,
    Can.MANAGE_MEMBERS: _LEADS,
    Can.ANNOTATE: _ANNOTATORS | _STAFF,
    Can.REVIEW: _STAFF,
    Can.RUN_MODELS: _LEADS,
    Can.RUN_METRICS: _LEADS,
    Can.VIEW_REPORT: _STAFF,
    Can.EXPORT: _LEADS,
    Can.RELEASE: _LEADS,
}


class Refused(PermissionDenied):
    """A refusal with a sentence in the person's language, which says more than that their role does not allow it."""

    @property
    def sentence(self) -> str:
        return str(self)


def may(person: Any, capability: Can, study: Any = None) -> bool:
    """Whether `person` holds `capability`; in `study`, whose `role_of(person)` gives the role, if it is a study's."""
    if not person.is_authenticated or not person.is_active:
        return False
    if person.role == Role.ADMIN:
        return True
    role = person.role if capability in SITE else study.role_of(person)
    return role in GRANTS[capability]


def require(person: Any, capability: Can, study: Any = None) -> None:
    """Raise PermissionDenied, with a sentence, unless `person` holds `capability`."""
    if not may(person, capability, study):
        raise PermissionDenied(f"You may not {capability}.")


class Open(StrEnum):
    """Rows of routes that ask for no capability."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"


def role_rank(role: str) -> int:
    """How high a role stands: 0 for the crowd, 4 for an admin. Nobody gives a role above their own."""
    return len(Role) - 1 - list(Role).index(Role(role))
