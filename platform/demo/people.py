"""The demo's people, one for each role, with passwords drawn at random."""

import secrets

from accounts.models import Person
from accounts.permissions import Role
from corpora.models import Membership, Study

PEOPLE = [
    ("admin@restyle.example", "Ada Admin", Role.ADMIN),
    ("researcher@restyle.example", "Robin Researcher", Role.RESEARCHER),
    ("reviewer@restyle.example", "Remy Reviewer", Role.REVIEWER),
    ("expert@restyle.example", "Eli Expert", Role.EXPERT_ANNOTATOR),
    ("crowd@restyle.example", "Chris Crowd", Role.CROWD_ANNOTATOR),
]
TOPICS = ["backs", "sleep"]  # those of the demo's abstracts
SIMULATED = [(f"simulated{number}@restyle.example", f"Simulated rater {number}") for number in range(1, 6)]


def make_people() -> dict[str, tuple[Person, str]]:
    """Each person by role, with the password."""
    made = {}
    for email, name, role in PEOPLE:
        password = secrets.token_urlsafe(9)
        person = Person.objects.create_user(email, password, name=name, role=role, topics=TOPICS)
        made[role.value] = person, password
    return made


def make_raters() -> list[Person]:
    """People who cannot sign in: the simulation rates in their names."""
    role = Role.CROWD_ANNOTATOR
    return [Person.objects.create_user(email, None, name=name, role=role) for email, name in SIMULATED]


def join(study: Study, people: list[Person]) -> None:
    """Make them members, each in their own role; an admin is in every study."""
    known = set(study.memberships.values_list("person_id", flat=True))
    members = [person for person in people if not person.is_admin and person.pk not in known]
    Membership.objects.bulk_create(Membership(study=study, person=member, role=member.role) for member in members)
