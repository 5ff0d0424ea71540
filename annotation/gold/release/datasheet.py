"""The datasheet of a release: Markdown, filled from the study (after Gebru et al. 2021, "Datasheets for Datasets").

It names no person: it says how many annotators there were of each role, and which qualifications they had.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone, translation

from accounts.models import Credential, Person
from annotation.agreement import summary
from annotation.gold.release.answers_behind import AnswersBehind
from annotation.gold.release.files import WrittenFile
from annotation.gold.release.missing_rows import missing_words
from annotation.models import Campaign, Review
from annotation.task_types import TASK_TYPES
from corpora.models import DocumentSentence, Sentence, Study


def agreement_lines(study: Study, campaigns: Sequence[str], answers: Set[int] | None = None) -> Iterator[str]:
    """Some lines for each campaign in which several people did the same item; none without such a campaign.

    With `answers`, work of which each answer is a row of its own is that of these answers. No person is named. A
    release is made by a worker or a command, so a language model may be loaded.
    """
    for campaign in study.campaigns.filter(slug__in=campaigns, overlap__gt=1, purpose=Campaign.Purpose.WORK):
        by_row = answers is not None and TASK_TYPES[campaign.task_type].settles == "answer"
        figures = summary(campaign, bertscore=True, answers=answers if by_row else None)
        if figures:
            yield f"**{' '.join(campaign.name.split())}**\n"
            if by_row:
                yield "Of work in this release alone, as its authors gave it, before corrections by others.\n"
            yield from (f"- {what}: {value} (n={n:,})" for what, value, n in figures)
            yield ""


HEAD = re.compile(r"^## (.+)$", re.MULTILINE)
ROLES = {
    "admin": "admins", "researcher": "researchers", "reviewer": "reviewers", "expert_annotator": "expert annotators",
    "crowd_annotator": "crowd annotators",
}  # fmt: skip


@dataclass(frozen=True)
class DatasheetFacts:
    """The facts about a release that its datasheet speaks of."""

    study: Study
    number: int
    settings: Mapping[str, Any]
    counts: Mapping[str, Any]
    guidelines: Sequence[Mapping[str, Any]]
    people: frozenset[int]
    files: Sequence[WrittenFile]
    changes: str
    behind: AnswersBehind = field(default_factory=AnswersBehind)
    origins: Sequence[str] = ()


def datasheet(facts: DatasheetFacts) -> str:
    """The text, part by part."""
    title = f"# {_line(facts.study.title)}, release {facts.number}\n\nMade on {timezone.now():%d %B %Y}.\n"
    return title + "".join(f"\n## {head}\n\n{text}\n" for head, text in parts_of(facts))


def parts_of(facts: DatasheetFacts) -> Iterator[tuple[str, str]]:
    """(head, text) of each part; a part with nothing to say is left out."""
    study = facts.study
    parts = {
        "Facts": _what(facts),
        "Who made it": _who(facts),
        "How it was made": _how(facts),
        "Agreement": agreement_lines(study, facts.settings["campaigns"], facts.behind.keys),
        "Splits": _splits(facts),
        "Likely identifiers": _identifiers(study),
        "Licence and terms": _licence(study),
        "Changes": _changed(facts),
        "Files": _files(facts.files),
    }
    for head, part in parts.items():
        if lines := list(part):
            yield head, "\n".join(lines)


def parts_again(sheet: str) -> dict[str, str]:
    """The parts of a datasheet by their heads."""
    heads = [*HEAD.finditer(sheet)]
    ends = [*(match.start() for match in heads[1:]), len(sheet)]
    return {match[1]: sheet[match.end() : end].strip() for match, end in zip(heads, ends, strict=True)}


def _what(facts: DatasheetFacts) -> Iterator[str]:
    study, counts = facts.study, facts.counts
    styles = ", ".join(study.styles)
    rows, sources = _counted(counts["rows"], "row"), _counted(counts["sources"], "source")
    yield f"{rows} of gold from {sources}, in the styles {styles}."
    if study.description:
        yield f"\n{study.description.strip()}"
    if facts.origins:
        yield f"\nIt was not made here: it was read from {', '.join(_line(origin) for origin in facts.origins)}."
    if left := counts.get("withdrawn"):
        were = "was" if left["rows"] == 1 else "were"
        yield (
            f"\n{_counted(left['rows'], 'row')} of {_counted(left['people'], 'person', 'people')} {were} left out,"
            " since consent was withdrawn."
        )
    yield ""
    yield from table(("Kind", "Rows"), counts["kinds"].items())


def _counted(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def _who(facts: DatasheetFacts) -> Iterator[str]:
    if not facts.people:
        return
    people = _counted(len(facts.people), "person", "people")
    yield f"{people} had a hand in these rows. Their names are not given; in the files each has a"
    yield "pseudonym that is made for this release alone."
    yield ""
    roles = Counter(facts.study.memberships.filter(person__in=facts.people).values_list("role", flat=True))
    others = len(facts.people) - sum(roles.values())
    rows = [(ROLES.get(role, role), count) for role, count in roles.most_common()]
    yield from table(("Role in the study", "People"), [*rows, *([("not a member any more", others)] if others else [])])
    shown = Credential.objects.filter(person__in=facts.people, verified_at__isnull=False)
    names = Counter(shown.values_list("name", flat=True))
    if names:
        yield ""
        yield from table(("Verified credential", "People"), names.most_common())
    languages = Counter(
        language for known in Person.objects.filter(pk__in=facts.people).values_list("languages", flat=True)
        for language in known
    )  # fmt: skip
    if languages:
        yield ""
        yield from table(("Language", "People"), languages.most_common())


def _how(facts: DatasheetFacts) -> Iterator[str]:
    campaigns = facts.study.campaigns.filter(slug__in=facts.settings["campaigns"]).select_related("after")
    for campaign in campaigns:
        yield f"- **{_line(campaign.name)}** ({campaign.task_type}): {'; '.join(_of_campaign(campaign, facts))}."
    if not facts.settings["campaigns"]:
        return
    unreviewed = facts.settings["unreviewed"]
    yield ""
    yield "Work that nobody had reviewed counts." if unreviewed else "Only work that somebody checked counts."
    verdicts = Counter(
        Review.objects.filter(answer__campaign__in=[stage.pk for stage in campaigns]).values_list("verdict", flat=True)
    )
    if verdicts:
        yield ""
        yield from table(("Verdict of a review", "Times"), verdicts.most_common())


def _of_campaign(campaign: Campaign, facts: DatasheetFacts) -> Iterator[str]:
    versions = [guideline["version"] for guideline in facts.guidelines if guideline["campaign"] == campaign.slug]
    count = facts.counts["campaigns"].get(campaign.slug, 0)
    handed_on = facts.behind.handed_on[campaign.pk]
    if count or not handed_on:
        yield _counted(count, "row")
    if handed_on:
        yield f"{_counted(handed_on, 'answer')} behind rows of later stages"
    yield f"{_counted(campaign.size, 'item')} by {_counted(campaign.overlap, 'person', 'people')} each"
    if campaign.after:
        yield f"made from what the stage {_line(campaign.after.name)} had {campaign.takes}"
    if campaign.splits:
        yield f"of the splits {', '.join(campaign.splits)}"
    yield f"open to {', '.join(ROLES.get(role, role) for role in campaign.roles)}"
    if campaign.eligibility:
        rules = (f"{name.replace('_', ' ')} {value}" for name, value in campaign.eligibility.items())
        yield f"eligibility rules: {_line(', '.join(rules))}"
    if campaign.needs_review:
        yield "what a reviewer accepted counts alone"
    if campaign.control_every:
        yield f"one item of {campaign.control_every} was a control item"
    if versions:
        yield f"guideline version {', '.join(map(str, versions))}"


def _splits(facts: DatasheetFacts) -> Iterator[str]:
    yield "They are frozen: no text of this study changes its split after this release."
    yield ""
    yield from table(("Split", "Rows"), facts.counts["splits"].items())


def _identifiers(study: Study) -> Iterator[str]:
    """The identifiers by the rows: a flag that nobody decided about was let in as it came."""
    decided, flagged = Q(decided_at__isnull=False), ~Q(flags=[])
    sums = DocumentSentence.objects.filter(document__study=study).aggregate(
        all=Count("pk"), flagged=Count("pk", filter=flagged | decided), decided=Count("pk", filter=decided),
        kept_back=Count("pk", filter=Q(held=True)), left_out=Count("pk", filter=Q(dropped=True)),
        let_in=Count("pk", filter=flagged & ~decided & Q(held=False, dropped=False)),
    )  # fmt: skip
    if sums["all"]:
        yield (
            f"Of {sums['all']:,} sentences of documents {sums['flagged']:,} were flagged as likely identifiers. Of"
            f" {sums['decided']:,} it is recorded that somebody decided; {sums['let_in']:,} are there with no such"
            f" record. {sums['kept_back']:,} are held back, and {sums['left_out']:,} were dropped: none of these is in"
            " here."
        )
    sources = Sentence.objects.filter(direction__study=study, origin=None).count()
    if sources or not sums["all"]:
        yield f"{_counted(sources, 'source')} came in without a document: nothing looked for likely identifiers there."


def _licence(study: Study) -> Iterator[str]:
    yield f"Licence: {_line(study.license) or 'none is stated'}."
    if study.terms:
        yield f"\nWhoever sees the texts has accepted these terms (version {study.terms_version}):\n"
        yield "\n".join(f"> {line}" for line in study.terms.splitlines())
    if study.required_credentials:
        yield f"\nCredentials that somebody must have shown: {', '.join(study.required_credentials)}."


def _changed(facts: DatasheetFacts) -> Iterator[str]:
    compared = facts.counts.get("compared")
    if compared:
        yield facts.changes.strip()
        yield ""
        yield (
            f"Beside release {facts.number - 1}: {compared['added']:,} rows added, {compared['removed']:,} removed,"
            f" {compared['changed']:,} changed."
        )
    if missing := facts.counts.get("missing"):
        with translation.override(None):  # a datasheet is English
            yield f"Rows removed, by reason: {missing_words(missing)}."


def _files(files: Sequence[WrittenFile]) -> Iterator[str]:
    rows = [(f"`{file.name}`", f"{file.rows:,}", f"{file.size:,}", f"`{file.sha256}`") for file in files]
    yield from table(("File", "Rows", "Bytes", "SHA-256"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_line(str(cell)) for cell in row)} |"


def _line(text: str) -> str:
    """On one line, and within a cell."""
    return " ".join(text.split()).replace("|", "\\|")
