"""Names under which people stand in an export."""

import hashlib
import hmac

from django.conf import settings
from django.db import connection

from annotation.models import Release
from corpora.models import Study

LENGTH = 16  # hexadecimal digits: 64 bits, so that two people of one study never share a name

PEOPLE = """
SELECT p.id, p.pseudonym::text FROM accounts_person p
WHERE p.id IN (SELECT a.person_id FROM annotation_answer a JOIN annotation_campaign c ON c.id = a.campaign_id
               WHERE c.study_id = %(study)s)
   OR p.id IN (SELECT r.reviewer_id FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
               JOIN annotation_campaign c ON c.id = a.campaign_id WHERE c.study_id = %(study)s)
"""

HANDS = """
SELECT a.person_id FROM annotation_answer a JOIN annotation_campaign c ON c.id = a.campaign_id
WHERE c.study_id = %(study)s
UNION
SELECT r.reviewer_id FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
JOIN annotation_campaign c ON c.id = a.campaign_id WHERE c.study_id = %(study)s
"""


def pseudonyms(study: Study) -> dict[int, str]:
    """The export name of everybody who answered or reviewed in the study, by their key.

    The same in every export of one study, another in every other study; nobody without SECRET_KEY can lead it back.
    """
    return {pk: _pseudonym(study, own) for pk, own in site_pseudonyms(study).items()}


def site_pseudonyms(study: Study) -> dict[int, str]:
    """Their pseudonyms on this site, which its ledger, its API and its agreement have."""
    with connection.cursor() as cursor:
        return dict(cursor.execute(PEOPLE, {"study": study.pk}).fetchall())


def _pseudonym(study: Study, own: str) -> str:
    message = f"gold export\n{study.pk}\n{own}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), message, hashlib.sha256).hexdigest()[:LENGTH]


def released_name(key: bytes, person: int) -> str:
    """The name of somebody, by their key, in the release that has `key`."""
    return hmac.new(key, f"person {person}".encode(), hashlib.sha256).hexdigest()[:LENGTH]


def hands_of(study: int) -> list[int]:
    """The keys of everybody who answered or reviewed in the study with this key."""
    with connection.cursor() as cursor:
        return [pk for (pk,) in cursor.execute(HANDS, {"study": study}).fetchall()]


def people_by_released_name() -> dict[str, int]:
    """Everybody in the releases of this site, by the names that they have there."""
    people: dict[int, list[int]] = {}
    people_by_name: dict[str, int] = {}
    for study, key in Release.objects.order_by("pk").values_list("study_id", "key"):
        if study not in people:
            people[study] = hands_of(study)
        people_by_name |= {released_name(bytes(key), pk): pk for pk in people[study]}
    return people_by_name
