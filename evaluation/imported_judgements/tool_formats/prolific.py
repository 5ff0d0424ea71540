"""A survey's own table with the ids that Prolific hands over in the address, PROLIFIC_PID and SESSION_ID.

Prolific itself exports submissions and demographics, which hold no judgement.
"""

from collections.abc import Collection, Sequence

from evaluation.imported_judgements.columns import guess_columns, plain
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

PEOPLE = ("prolificpid", "prolificid", "participantid")
BOOKKEEPING = frozenset(
    ("submissionid", "status", "startedat", "completedat", "reviewedat", "archivedat", "timetaken", "completioncode",
     "customstudytncsacceptedat", "totalapprovals", "sessionid", "studyid")
)  # fmt: skip
"""What the site keeps of a submission, and not of the person."""
SUBMISSIONS = frozenset(("submissionid", "participantid", "completioncode", "startedat"))


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    names = {plain(column) for column in columns}
    if "responseid" in names:
        return False  # the survey's tool says more of its table
    return bool(names & {"prolificpid", "prolificid"}) or names >= SUBMISSIONS


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    meanings = guess_columns(columns, rows, criteria, systems)
    who = next((column for name in PEOPLE for column in columns if plain(column) == name), None)
    if who:
        meanings = {column: meaning for column, meaning in meanings.items() if meaning != "rater"}
        meanings[who] = "rater"
    return meanings


def refuse(columns: Sequence[str]) -> str:
    if {plain(column) for column in columns} >= SUBMISSIONS:
        return (
            "This is Prolific's own list of submissions, which holds no judgement; import the table of the survey, "
            "with the participants' ids in it, and this list as people who judged."
        )
    return ""


TOOL_FORMAT = ToolFormat(
    "Prolific", "A survey's table with the participants' ids of Prolific.",
    "https://researcher-help.prolific.com/", fits, guess, refuse=refuse,
)  # fmt: skip
