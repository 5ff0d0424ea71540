"""Sources with their references and the outputs of systems: one row a source, or one a source and system."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_noop as _

from corpora.models import Sentence, Study
from corpora.table_import.row_grouping import GroupedRows
from corpora.table_import.targets import Doubt, Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import Table
from corpora.table_parser.headers import SPLIT_NAMES
from corpora.text_import.column_guess import doubts_about, guess_columns
from corpora.text_import.text_plan import plan_texts


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MEANINGS = (
    Meaning("source", _("Source"), _words("source sources src original input inputs sentence sentences orig")),
    Meaning("number", _("Number of the source"), _words("id ids number nr no index idx line key")),
    Meaning("reference", _("Reference"), _words("reference references ref refs target tgt gold human rewrite "
            "rewritten"), named="set", several=True),
    Meaning("references", _("References, several in a cell"), named="set"),
    Meaning("output", _("Output of a system"), _words("output outputs hyp hypothesis prediction predictions pred "
            "generated hypotheses out"), named="system", several=True),
    Meaning("system", _("System (its name)"), _words("system systems model models")),
    Meaning("text", _("Output of the row's system"), _words("text output outputs hypothesis prediction generated")),
    Meaning("direction", _("Direction"), _words("direction task")),
    Meaning("style", _("Style of the source"), _words("style register")),
    Meaning("split", _("Split"), SPLIT_NAMES | _words("split set fold subset partition")),
    Meaning("domain", _("Domain"), _words("domain topic category genre")),
    Meaning("document", _("Number of the source's document")),
    Meaning("place", _("Number of the source in its document")),
)  # fmt: skip


def settings(study: Study) -> list[Setting]:
    directions = tuple(
        (direction.name, f"{direction.source_style} → {direction.target_style}") for direction in study.directions.all()
    )
    splits = tuple((value, str(label)) for value, label in Sentence.Split.choices)
    return [
        Setting("direction", _("Direction"), directions, directions[0][0] if len(directions) == 1 else ""),
        Setting("split", _("Split of new sources"), splits, "test", of=("source",)),
        Setting("domain", _("Domain of new sources"), help=_("Such as music; used if no column gives it."),
                of=("source",)),
        Setting("separator", _("Between references of one cell"), initial="|||", help=_("Characters, or tab."),
                of=("references",)),
        Setting("family", _("Family of the systems"), help=_("Runs of one model have one family."),
                of=("output", "system")),
        Setting("origin", _("Where the texts come from"), help=_("Left out, the name of the file."), rare=True,
                of=("reference", "references", "output", "system")),
        Setting("human", _("The outputs are people's rewrites"), flag=True, of=("output", "system")),
        Setting("report", _("Compute the report after the import"), flag=True, of=("output", "system"),
                help=_("The report uses the chosen metrics or, if there are none, the metrics that need no model.")),
        Setting("brackets", _("References have full forms of terms in square brackets"), flag=True,
                of=("reference", "references")),
    ]  # fmt: skip


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    return guess_columns(study, table, MEANINGS, chosen.get("direction", ""))


def doubts(study: Study, table: Table, guessed: Mapping[str, str]) -> list[Doubt]:
    return list(doubts_about(study, table, guessed))


def plan(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    return plan_texts(GroupedRows(study, table, columns, chosen, answers))


TARGET = Target(
    _("Sources, references and outputs"),
    _("One row per source, with its references and the outputs of one or several systems beside it."),
    MEANINGS, settings, guess, plan, doubts=doubts, page="study_texts",
)  # fmt: skip
