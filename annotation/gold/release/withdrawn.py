"""Consent that was withdrawn: the rows of a release in which somebody had a hand whose texts it leaves out."""

from collections.abc import Iterable, Iterator, Sequence

from annotation.gold.release.rows import ReleaseRow
from annotation.pseudonyms import hands_of, pseudonyms, released_name, site_pseudonyms
from corpora.models import Study
from foundation.errors import UserError, first_five


class WithdrawnPeople:
    """Everybody who is left out, by their pseudonyms: of the site, of the study's exports or of one of its releases.

    `rows` counts what was left out, `people` are those whose rows these were: keys, and names in imported gold.
    """

    def __init__(self, study: Study, names: Sequence[str]) -> None:
        self.names, self.keys = frozenset(names), _keys(study, names) if names else frozenset()
        self.rows = 0
        self.people: set[int | str] = set()

    def without(self, rows: Iterable[ReleaseRow]) -> Iterator[ReleaseRow]:
        """The rows of everybody else."""
        for release_row in rows:
            theirs = {*self.keys.intersection(release_row.people)}
            named = set() if release_row.people else self.names.intersection(release_row.row.annotators)
            if theirs or named:
                self.rows += 1
                self.people |= theirs | named
            else:
                yield release_row


def refuse_strangers(study: Study, names: Sequence[str]) -> None:
    """Raise a UserError where nobody in the study has one of these pseudonyms."""
    known = _known(study) if names else {}
    strange = [
        name
        for name in names
        if name not in known and not study.imported_gold.filter(entry__contains=f'"{name}"').exists()
    ]
    if strange:
        raise UserError(
            "Nobody who worked in this study has the pseudonym {strange}.", strange=first_five(strange),
            where="withdrawn",
        )  # fmt: skip


def _keys(study: Study, names: Sequence[str]) -> frozenset[int]:
    known = _known(study)
    return frozenset(known[name] for name in names if name in known)


def _known(study: Study) -> dict[str, int]:
    """Everybody with a hand in the study, by each of their pseudonyms."""
    people = hands_of(study.pk)
    known = {released_name(bytes(key), pk): pk for key in study.releases.values_list("key", flat=True) for pk in people}
    for named in (pseudonyms(study), site_pseudonyms(study)):
        known |= {name: pk for pk, name in named.items()}
    return known
