"""Export the answers as people gave them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from accounts.audit import audited_as
from accounts.models import AuditEntry
from annotation.answer_export import EXPORT_FORMATS
from annotation.answer_export.formats import AnswerExport
from annotation.answer_export.rows import AnswerReader, TextOrigins
from annotation.models import Answer, Campaign
from annotation.pseudonyms import pseudonyms, site_pseudonyms
from annotation.quality import findings
from annotation.review import work_of
from corpora.models import Study
from foundation.options import option, validate_options
from foundation.translation import translatable


def flags_of(campaign: Campaign) -> dict[int, list[str]]:
    """The names of the checks by the keys of answers, a person's work in memory at a time.

    Checks look at each person's newest revisions; pilots, late work, skipped and reported items have none.
    """
    flags: dict[int, list[str]] = defaultdict(list)
    people = Answer.objects.filter(campaign=campaign, outcome="answered").order_by().values_list("person", flat=True)
    for person in people.distinct():
        for finding in findings(work_of(campaign, person), campaign.checks):
            for key in finding.keys:
                if finding.check not in flags[key]:
                    flags[key].append(finding.check)
    return dict(flags)


SWITCH = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "on": True, "1": True}


@dataclass(frozen=True)
class ExportFields:
    """The fields of `export_answers`. `which`: every revision, or those answers that count.

    `names`: people by the pseudonyms of the study's exports, or by those of the site's ledger and API.
    """

    format: str = option(
        "jsonl", "Format of the file.", label="File",
        choices=lambda: [(name, form.label) for name, form in EXPORT_FORMATS.items()],
    )  # fmt: skip
    which: str = option(
        "all", "", label="Answers",
        choices=(
            ("all", translatable("All answers, with pilot, skipped and rejected ones")),
            ("standing", translatable("Only answers that count in the report")),
        ),
    )  # fmt: skip
    names: str = option(
        "export", "", label="People",
        choices=(
            ("export", translatable("Pseudonyms of this study's exports")),
            ("site", translatable("Pseudonyms of the crowd ledger")),
        ),
    )  # fmt: skip
    flags: bool = option(False, "", label="Include the findings of the quality checks")


@audited_as(AuditEntry.Kind.EXPORT)
def export_answers(
    *, study: Study, options: Mapping[str, Any], campaign: Campaign | None = None, by: Any = None
) -> tuple[ExportFields, Iterator[bytes]]:
    """Stream the answers of a campaign, or of all of a study; the audit log says who took them.

    Those of language models that rate there come too, marked in `annotator` and `machine`.

    `options` are `ExportFields`, also in the form of an address: an empty one has its default, and `flags` is yes or
    no. The sender of the stream begins it: it reads on a cursor of its own, outside the transaction of the log.
    """
    said = {key: SWITCH.get(str(value).lower(), value) if key == "flags" else value for key, value in options.items()}
    asked = validate_options(ExportFields, {key: value for key, value in said.items() if value != ""})
    theirs = Q(pk=campaign.pk) | Q(machine_of=campaign) if campaign else Q(study=study)
    campaigns = list(Campaign.everything.filter(theirs).select_related("machine").order_by("made_at", "pk"))
    names = pseudonyms(study) if asked.names == "export" else site_pseudonyms(study)
    origins = TextOrigins(study)
    readers = [AnswerReader(campaign, origins, counting=asked.which == "standing") for campaign in campaigns]
    export = AnswerExport(readers, asked.which, names, flags_of if asked.flags else lambda _campaign: {})
    return asked, EXPORT_FORMATS[asked.format].chunks(export)
