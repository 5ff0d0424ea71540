"""A small study and the people who use it. The fixtures import Django: it is not ready when this file is read."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

NUMBERS = itertools.count(1)
PASSWORD = "a long enough password"


@pytest.fixture
def researcher(db: None) -> Any:
    from accounts.models import Person

    return Person.objects.create_user("lead@example.org", PASSWORD, role="researcher")


@pytest.fixture
def study(researcher: Any) -> Any:
    """A study of one direction, informal-formal, with the sources 'hi', 'u ok?' and 'bye'."""
    from corpora.actions.add_direction import add_direction
    from corpora.actions.add_sources import add_sources
    from corpora.actions.create_study import create_study

    made = create_study(slug="tone", title="Tone of messages", styles=["informal", "formal"], by=researcher)
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=["hi", "u ok?", "bye"])
    return made


@pytest.fixture
def direction(study: Any) -> Any:
    return study.directions.get()


@pytest.fixture
def signed_in(study: Any) -> Callable[[str], Any]:
    """A client of somebody new with this role in the study."""
    from support.clients import as_person

    from accounts.models import Person
    from corpora.models import Membership

    def sign_in(role: str) -> Any:
        person = Person.objects.create_user(f"p{next(NUMBERS)}@example.org", PASSWORD, role=role)
        Membership.objects.create(study=study, person=person, role=role)
        return as_person(person)

    return sign_in


@pytest.fixture
def browser(researcher: Any) -> Any:
    from support.clients import as_person

    return as_person(researcher)


@pytest.fixture
def api(researcher: Any) -> Any:
    from support.clients import with_token

    return with_token(researcher)
