"""The study that the bench works on: short sentences of a fixed draw, one system, people with open sessions."""

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from django.test import Client

from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person
from accounts.permissions import Role
from annotation.actions.create_campaign import create_campaign
from annotation.actions.read_guideline import read_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Campaign
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.knowledge import common_words
from corpora.models import Membership, Study

# Sentences made of everyday words with a seed, and rewritten by moving, changing, leaving out and adding words.

SEED = 20


class Texts(NamedTuple):
    """`outputs` by system, `references` by sentence."""

    sources: list[str]
    references: list[list[str]]
    outputs: list[list[str]]

    def first(self, count: int) -> "Texts":
        """The texts of so many sentences."""
        return Texts(self.sources[:count], self.references[:count], [each[:count] for each in self.outputs])


class Writer:
    """Draws words, few of them often, as in any text."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311
        self._words = sorted(common_words.load())
        self._random.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 5) for rank in range(len(self._words))))

    def sentence(self) -> list[str]:
        return self._some(self._random.randint(8, 32))

    def rewritten(self, words: Sequence[str], changes: int) -> list[str]:
        """The words with `changes` changes, each of a phrase of up to five words."""
        words = list(words)
        for _ in range(changes):
            start, length = self._random.randrange(len(words) + 1), self._random.randint(1, 5)
            phrase, words[start : start + length] = words[start : start + length], []
            start = self._random.randint(0, len(words))
            words[start:start] = self._random.choice([phrase, self._some(len(phrase)), self._some(length), []])
        return words

    def _some(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)


def made_texts(systems: int, sentences: int, references: int) -> Texts:
    """Each system changes more than the one before."""
    writer = Writer(SEED)
    sources = [writer.sentence() for _ in range(sentences)]
    return Texts(
        [_written(source) for source in sources],
        [[_written(writer.rewritten(source, 3)) for _ in range(references)] for source in sources],
        [[_written(writer.rewritten(source, 2 + at)) for source in sources] for at in range(systems)],
    )


def _written(words: Sequence[str]) -> str:
    """The words with a capital, and a comma and a stop where there are enough of them."""
    text = " ".join(words)
    half = len(words) // 2
    if half > 3:
        text = f"{' '.join(words[:half])}, {' '.join(words[half:])}"
    return f"{text[:1].upper()}{text[1:]}."


TEXT = (
    "the of and to in is that it was for on are as with they be at one have this from or had by hot but some what "
    "there we can out other were all your when up use word how said an each she which do their time if will way about"
)
CRITERIA = {
    "formality": {"scale": "formality_7"},
    "fluency": {"scale": "fluency_5"},
    "meaning": {"scale": "meaning_6"},
}


def sentences(count: int, seed: int) -> list[str]:
    """`count` sentences of 6 to 20 words."""
    random = Random(seed)  # noqa: S311
    words = TEXT.split()
    return [" ".join(random.choices(words, k=random.randint(6, 20))) + " ." for _ in range(count)]


def make_study(slug: str, items: int, by: Person) -> Study:
    """A study of `items` sentences."""
    study = create_study(slug=slug, title=f"Bench {slug}", styles=["informal", "formal"], by=by)
    direction = add_direction(study=study, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=sentences(items, 1))
    return study


def add_outputs(study: Study, by: Person) -> None:
    """A system with an output for each sentence."""
    outputs = {direction: sentences(direction.sentences.count(), 2) for direction in study.directions.all()}
    add_system(study=study, name="Bench system", outputs=outputs, origin="bench", by=by)


def make_campaign(study: Study, task_type: str, by: Person, *, overlap: int = 3) -> Campaign:
    """An open campaign; ratings are of one output on three criteria."""
    settings = {"criteria": CRITERIA, "outputs_per_item": 1} if task_type == "rate" else {}
    made = create_campaign(
        study=study, name=task_type, task_type=task_type, settings=settings, overlap=overlap, guideline=GUIDELINE, by=by
    )
    return set_campaign_state(campaign=made, state=Campaign.State.OPEN, by=by)


GUIDELINE = "Judge each text by itself first, then beside its source."


def make_annotators(campaign: Campaign, count: int) -> list[Person]:
    """So many members who annotate, and have read the guideline."""
    study, role = campaign.study, Role.CROWD_ANNOTATOR
    people = [Person.objects.create_user(f"{study.slug}-{n}@bench.invalid", role=role) for n in range(count)]
    Membership.objects.bulk_create(Membership(study=study, person=person, role=role) for person in people)
    for person in people:
        read_guideline(campaign=campaign, person=person, version=campaign.guideline_version)
    return people


def session_of(person: Person) -> str:
    """The value of a session cookie with which `person` is signed in."""
    browser = Client()
    browser.force_login(person)
    return browser.cookies["sessionid"].value


def token_of(person: Person) -> str:
    """A token with which `person` may annotate."""
    return make_token(person=person, name="bench", scopes=[ApiToken.Scope.ANNOTATE], days=1)[1]
