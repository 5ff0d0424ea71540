"""The entries of the command palette: studies, their pages, systems, campaigns, documents, and things to do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from corpora.models import Study
from studies.home import search

MOST = 12
"""Entries that are offered."""
SHORTEST = 2
"""Characters from which on the database is asked for systems, campaigns and documents."""
IN_STUDY = (
    ("table_new", gettext_noop("Import a table")), ("documents_new", gettext_noop("Import documents")),
    ("campaign_new", gettext_noop("New campaign")), ("human_new", gettext_noop("Plan a human study")),
    ("training_new", gettext_noop("Train a model")), ("try_it", gettext_noop("Try it")),
    ("transfer_new", gettext_noop("Run a model on this study")), ("transfer_file", gettext_noop("Rewrite a file")),
    ("metrics_choose", gettext_noop("Choose metrics")), ("release_new", gettext_noop("Create a release")),
    ("gold_import_new", gettext_noop("Import gold data")), ("study_duplicate", gettext_noop("Duplicate")),
)  # fmt: skip
ON_SITE = (
    ("study_new", gettext_noop("New study")), ("study_begin", gettext_noop("New study from a template")),
    ("study_apply", gettext_noop("New study from a file")), ("people_invite", gettext_noop("Invite people")),
)  # fmt: skip
"""Things to do, with the routes of their pages."""

Named = Sequence[tuple[str, str]]
Shown = Callable[[str, Any, Study | None], bool]


@dataclass(frozen=True)
class Entry:
    """A page by its `name`; `kind` says what it is, `study` where it is, both in the reader's language."""

    name: str
    kind: str
    url: str
    study: str = ""

    def rank(self, words: Sequence[str]) -> int:
        """0 where the name begins with what was typed, 1 where one of its words does, 2 where it is in it, else 3."""
        name = self.name.casefold()
        if name.startswith(" ".join(words)):
            return 0
        if all(any(part.startswith(word) for part in name.split()) for word in words):
            return 1
        return 2 if all(word in name for word in words) else 3


def entries_for(
    person: Any, studies: Sequence[Study], here: Study | None, query: str, pages: tuple[Named, Named], shown: Shown
) -> list[Entry]:
    """The entries that have all words of the query in their name or their study's, the nearest first.

    `pages` are those of a study and those of the site, as `(route, label)`; `shown` says whether the person may open a
    route. Without a query: the pages and the things to do of the study `here`, else of the site. As many statements,
    however many studies there are.
    """
    words = query.casefold().split()
    if not words:
        first = [*_in_study(person, here, pages[0], shown)] if here else []
        return [*first, *_on_site(person, pages[1], shown), *map(_study, studies)][:MOST]
    found = [*map(_study, studies), *_on_site(person, pages[1], shown)]
    for study in sorted(studies, key=lambda one: one != here):
        found += _in_study(person, study, pages[0], shown)
    found = [one for one in found if all(word in f"{one.name} {one.study}".casefold() for word in words)]
    if len(query) >= SHORTEST:
        hits = [hit for hit in search(person, studies, query) if hit.url not in {one.url for one in found}]
        found += [Entry(hit.name, hit.kind, hit.url, hit.study.title) for hit in hits]
    own = here.title if here else ""
    ranked = sorted(found, key=lambda one: (one.rank(words), one.study != own))  # else in the order that they have
    return ranked[:MOST]


def _study(study: Study) -> Entry:
    return Entry(study.title or study.slug, _("Study"), reverse("study", args=[study.slug]))


def _in_study(person: Any, study: Study, pages: Named, shown: Shown) -> Iterator[Entry]:
    for named, kind in ((pages, _("Page")), (() if study.archived_at else IN_STUDY, _("Action"))):
        for route, label in named:
            if shown(route, person, study):
                yield Entry(_(label), kind, reverse(route, args=[study.slug]), study.title or study.slug)


def _on_site(person: Any, pages: Named, shown: Shown) -> Iterator[Entry]:
    for named, kind in ((pages, _("Page")), (ON_SITE, _("Action"))):
        for route, label in named:
            if shown(route, person, None):
                yield Entry(_(label), kind, reverse(route))
