"""Responses of a Qualtrics survey: a row a respondent, and three rows of headers, of which two look like responses.

A question of a loop is a column for each turn, such as `3_fluency`; the turn is the source's number, unless a field
such as `source_3` says the text.
"""

from collections.abc import Collection, Iterator, Sequence

from evaluation.imported_judgements.columns import guess_columns, plain
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

PREVIEWS = {"Survey Preview", "Preview", "Spam", "1", "2"}
HEADINGS = {"Start Date", "Response ID", "Response Type"}
OURS = ("RecipientLastName", "RecipientFirstName", "RecipientEmail", "IPAddress", "LocationLatitude",
        "LocationLongitude", "DistributionChannel", "UserLanguage", "ExternalReference", "Progress")  # fmt: skip


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    return "ResponseId" in columns and bool({"RecordedDate", "StartDate", "Finished"} & set(columns))


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    answers = [row for row in rows if not _is_header(row)]
    meanings = guess_columns([header for header in columns if header not in OURS], answers, criteria, systems)
    people = ("PROLIFIC_PID", "workerId", "participantId", "ResponseId")
    meanings = {
        column: meaning
        for column, meaning in meanings.items()
        if meaning not in ("rater", "seconds", "started", "ended")
    }
    who = next((column for name in people for column in columns if column.lower() == name.lower()), None)
    meanings |= {who: "rater"} if who else {}
    meanings.pop("Status", None)
    meanings |= {"Finished": "state"} if "Finished" in columns else {}
    if sum(meaning.startswith("rating") for meaning in meanings.values()) <= len(criteria or ()) + 6:
        meanings |= {column: "seconds" for column in columns if plain(column) == "durationinseconds"}
    return meanings


def _is_header(cells: Cells) -> bool:
    return any(cell.startswith('{"ImportId"') for cell in cells.values()) or bool(HEADINGS & set(cells.values()))


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    if not _is_header(cells):
        status = cells.get("Status", "")
        yield UnfoldedRow(cells, left_out=status if status in PREVIEWS else "")


TOOL_FORMAT = ToolFormat(
    "Qualtrics", "Responses as CSV or TSV, with the two further rows of headers.",
    "https://www.qualtrics.com/support/survey-platform/data-and-analysis-module/data/download-data/"
    "understanding-your-dataset/", fits, guess, unfold,
)  # fmt: skip
