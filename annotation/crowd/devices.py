"""The browsers in which people of a crowd site come, and who came in one.

The browser's own secret counts, in a signed cookie that no script reads. Whole offices share an address and the name of
a browser program, so these are only shown beside it. They are kept as keyed digests, by which nobody is found.
"""

import ipaddress
from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection

from accounts.models import Person
from annotation.blinding import keyed_digest
from annotation.independence import keep_apart, lock_devices, people_of_same_device

SIZE = 8  # bytes of a digest
SEEN = """
INSERT INTO annotation_deviceuse (study_id, person_id, device, address, agent, visits, first_at, last_at)
VALUES (%s, %s, %s, %s, %s, 1, now(), now())
ON CONFLICT (study_id, person_id, device, address, agent)
DO UPDATE SET visits = annotation_deviceuse.visits + 1, last_at = excluded.last_at
"""
ALIKE = """
SELECT DISTINCT theirs.person_id FROM annotation_deviceuse own
JOIN annotation_deviceuse theirs ON theirs.study_id = own.study_id AND theirs.address = own.address
                                AND theirs.agent = own.agent AND theirs.device <> own.device
WHERE own.study_id = %s AND own.person_id = %s AND own.address <> ''
"""
SHARED = """
SELECT u.person_id, array_agg(DISTINCT o.person_id)
FROM annotation_deviceuse u
JOIN annotation_deviceuse o ON o.study_id = u.study_id AND o.device = u.device AND o.person_id <> u.person_id
WHERE u.study_id = %s AND u.person_id = ANY(%s)
GROUP BY u.person_id
"""


class Visit(NamedTuple):
    """The browser of a visit: the digest of its secret, its network address and the name that it gives itself."""

    browser: str
    address: str = ""
    agent: str = ""


def note_visit(study: int, person: int, visit: Visit) -> None:
    """Note that they came in this browser; earlier people of it are from now on kept off their items."""
    lock_devices(study)
    digests = [_digest(b"address", _network(visit.address), study), _digest(b"agent", visit.agent, study)]
    with connection.cursor() as cursor:
        cursor.execute(SEEN, [study, person, visit.browser, *digests])
    keep_apart(study, person)


def in_one_browser(study: int, person: int) -> list[Person]:
    """The others who are taken for this person, in the order in which they joined."""
    return _people(person_id for person_id in people_of_same_device(study, person) if person_id != person)


def from_one_address(study: int, person: int) -> list[Person]:
    """The people who came in another browser, of the same name and from the same address."""
    together = set(people_of_same_device(study, person))
    with connection.cursor() as cursor:
        rows = cursor.execute(ALIKE, [study, person]).fetchall()
    return _people(person_id for (person_id,) in rows if person_id not in together)


def shared_browsers(study: int, people: list[int]) -> dict[int, list[Person]]:
    """The companions of these people: those who came in one browser with each, by person."""
    with connection.cursor() as cursor:
        companions = dict(cursor.execute(SHARED, [study, people]).fetchall())
    known = {
        companion.pk: companion for companion in _people({key for others in companions.values() for key in others})
    }
    return {person: [known[key] for key in others] for person, others in companions.items()}


def _people(keys: Iterable[int]) -> list[Person]:
    wanted = list(keys)
    return list(Person.objects.filter(pk__in=wanted).order_by("joined_at", "pk")) if wanted else []


def _digest(purpose: bytes, text: str, study: int) -> str:
    return keyed_digest(purpose, text.encode(), size=SIZE, person=study).hex() if text else ""


def _network(address: str) -> str:
    """The address, or the network of an IPv6 address, since a browser changes the rest by itself."""
    try:
        ip_address = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((ip_address, 64), strict=False)) if ip_address.version == 6 else str(ip_address)
