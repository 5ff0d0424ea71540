"""Blinding: handles in place of keys, and a random item order, so that nobody can tell control items."""

import hmac
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.db import connection

from annotation.models import Answer, Campaign, Review

SALT = 16  # bytes


def keyed_digest(purpose: bytes, text: bytes, *, size: int, person: int = 0) -> bytes:
    """A digest of `text` of `size` bytes; another `purpose` (16 bytes at most) or `person` gives another digest."""
    salt = person.to_bytes(SALT)
    return blake2b(text, digest_size=size, key=_key(settings.SECRET_KEY), salt=salt, person=purpose).digest()


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return blake2b(secret.encode(), digest_size=32).digest()


# Handles: a browser gets them in place of keys of the database. They are opaque, and of no use to anybody else.
#
# Keys count up, so they tell when a row was made: the assignment of a control item is made when it is given out, long
# after those of the campaign. A handle is the key, encrypted with a keyed digest of itself as the nonce (SIV, Rogaway
# and Shrimpton 2006): half of it is the digest of key, kind and person, half the key under a mask made of that
# digest. So a thing has one handle for each person always, without a table; nobody can make one, and one of another
# person, kind or site names nothing. BLAKE2b of the standard library makes both, in some microseconds.

HALF = 8  # bytes
FORM = re.compile(r"[0-9a-f]{32}", re.ASCII)
NOTHING = 0  # keys count from 1


class Kind(StrEnum):
    """The kind of thing that a handle names."""

    ASSIGNMENT = "slot"
    ANSWER = "answer"
    REVIEW = "review"
    PARTICIPANT = "entrant"


# Pages and scripts name a row by a handle; those of the release before name it by a key (`named_rows`).
NAMED = re.compile(rf"{FORM.pattern}|[1-9][0-9]{{0,17}}", re.ASCII)


class HandleConverter:
    """A handle in an address."""

    regex = NAMED.pattern

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def handle_of(kind: Kind, key: int, person: int) -> str:
    """The 32 hexadecimal digits by which `person` names the row of that key."""
    plain = key.to_bytes(HALF)
    digest = keyed_digest(b"%s digest" % kind.encode(), plain, size=HALF, person=person)
    return (digest + _masked(plain, digest, kind, person)).hex()


def key_of(kind: Kind, handle: str, person: int) -> int:
    """The key that the handle stands for; 0, which is no key, where it is no handle of this kind and person."""
    if not FORM.fullmatch(handle):
        return NOTHING
    given = bytes.fromhex(handle)
    digest, plain = given[:HALF], _masked(given[HALF:], given[:HALF], kind, person)
    fits = hmac.compare_digest(keyed_digest(b"%s digest" % kind.encode(), plain, size=HALF, person=person), digest)
    return int.from_bytes(plain) if fits else NOTHING


def browser_handle(person: int) -> str:
    """The name of the person in their own browser, beside the answers that wait there."""
    return keyed_digest(b"browser", b"", size=2 * HALF, person=person).hex()


def _masked(half: bytes, digest: bytes, kind: Kind, person: int) -> bytes:
    mask = keyed_digest(b"%s mask" % kind.encode(), digest, size=HALF, person=person)
    return (int.from_bytes(half) ^ int.from_bytes(mask)).to_bytes(HALF)


# The row that a page or a script names: by its handle, or, where it was opened before the upgrade, by its key.
#
# Pages of the release before this one hold keys of the database. Work typed in one that stays open over an upgrade is
# taken. A key of a row that is younger than the upgrade names nothing, since keys tell the order in which rows were
# made.

# The migration by which this release's handles were there for sure: recorded beside the one that replaces it.
UPGRADE = "0021_own_scales"
LONGEST = 18  # digits of a key
OLDER = "(SELECT applied FROM django_migrations WHERE app = 'annotation' AND name = %(upgrade)s)"
OWN = {
    Kind.ASSIGNMENT: "annotation_assignment r WHERE r.annotator_id = %(person)s AND r.leased_at",
    Kind.ANSWER: "annotation_answer r WHERE r.person_id = %(person)s AND r.submitted_at",
    Kind.REVIEW: (
        "annotation_review r JOIN annotation_answer a ON a.id = r.answer_id"
        " WHERE a.person_id = %(person)s AND r.made_at"
    ),
    Kind.PARTICIPANT: "annotation_crowdparticipant r WHERE r.person_id = %(person)s AND r.entered_at",
}


def named_row(kind: Kind, named: str, person: int) -> int:
    """The key of a row of theirs; 0, which is no key, where nothing of this kind and person is named so."""
    if not (named.isascii() and named.isdigit() and len(named) <= LONGEST):
        return key_of(kind, named, person)
    with connection.cursor() as cursor:
        statement = f"SELECT 1 FROM {OWN[kind]} < {OLDER} AND r.id = %(key)s"  # noqa: S608 (of this module's words)
        cursor.execute(statement, {"key": int(named), "person": person, "upgrade": UPGRADE})
        return int(named) if cursor.fetchone() else NOTHING


# A person's own answers as they see them: under handles, counted in the person's order, with decisions to act on.
#
# Nothing here may tell a control item from another: its number in the campaign would, and so would the lack of an
# acceptance where reviewers accept all others, since nobody decides about control items.


def own_answers(campaign: Campaign, person: Any) -> Any:
    """The newest revision of each answer of `person`, the latest first."""
    mine = Answer.objects.filter(campaign=campaign, person=person)
    newest = mine.order_by("item_id", "pilot", "-revision").distinct("item_id", "pilot").values("pk")
    return (
        mine.filter(pk__in=newest)
        .select_related("campaign", "item", "assignment", "person")
        .prefetch_related("reviews")
        .order_by("-submitted_at", "-pk")
    )


def name_for_author(answers: Iterable[Answer]) -> list[Answer]:
    """The answers of one person in one campaign, each with its `handle` and the `number` that they saw."""
    named = list(answers)
    for answer in named:
        answer.handle = handle_of(Kind.ANSWER, answer.pk, answer.person_id)
        answer.number = answer.item.number
    if named and named[0].campaign.mixed:
        counted = _counted(named[0].campaign_id, named[0].person_id)
        for answer in named:
            answer.number = counted[answer.item_id, answer.pilot]
    return named


def shown_reviews(campaign: Campaign, reviews: Iterable[Review]) -> list[Review]:
    """The decisions about an answer that its author sees."""
    hidden = {Review.Verdict.ACCEPTED} if has_control_items(campaign) else set()
    return [review for review in reviews if review.verdict not in hidden]


def has_control_items(campaign: Campaign) -> bool:
    """Whether control items are given out in the campaign, or were. Asked of the database once an object."""
    if campaign.control_every:
        return True
    if campaign.gives_controls is None:
        campaign.gives_controls = campaign.items.filter(control=True).exists()
    return campaign.gives_controls


def _counted(campaign: int, person: int) -> dict[tuple[int, bool], int]:
    """The number on the work page by item and pilot: one more than the items they had handed in by then."""
    first = Answer.objects.filter(campaign=campaign, person=person, revision=1).order_by("submitted_at", "pk")
    done = {True: 0, False: 0}
    counted = {}
    for item, pilot, outcome in first.values_list("item_id", "pilot", "outcome"):
        counted[item, pilot] = done[pilot] + 1
        done[pilot] += outcome == Answer.Outcome.ANSWERED
    return counted


# The order in which a campaign gives out its items, where some of them check on the work: drawn, as theirs is.
#
# In the order of the material a control item would stand out between its neighbours, and a source with a text more by
# the length of its row.

DRAW_ORDER = """
UPDATE annotation_assignment s SET position = drawn.place
FROM (SELECT id, %(behind)s + row_number() OVER (
          ORDER BY md5(concat_ws('/', %(seed)s::text, number::text)), number) AS place
      FROM annotation_item WHERE campaign_id = %(campaign)s AND number > %(behind)s) drawn
WHERE s.item_id = drawn.id AND s.state = 0 AND s.position > 0 AND s.position <> drawn.place
"""


def draw_item_order(campaign: Campaign, behind: int = 0) -> None:
    """Give the free assignments of the campaign their places by its seed; the same again changes nothing.

    `behind`: only those of the items after that number, which come behind the items that are there.
    """
    campaign.mixed = True
    campaign.save(update_fields=["mixed"])
    with connection.cursor() as cursor:
        cursor.execute(DRAW_ORDER, {"campaign": campaign.pk, "seed": campaign.seed, "behind": behind})
