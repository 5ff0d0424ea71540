"""Studies drawn by Hypothesis: what stands in them, what people said, and their rows as the export has them.

Outputs are shared by systems, differ in capitals alone, are empty or missing; several people judge each, one may be
excluded; judgements from elsewhere name a system or do not; a source may stand twice. `graded` systems are far apart
and have many sentences.
"""

import csv
import io
import random
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from support import campaigns

from accounts.permissions import Role
from annotation.actions.export_answers import export_answers
from corpora.formats import TextFile
from corpora.models import Output, Reference, Sentence, Study, System
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study

SOURCE = "gotta see number {} , u know"
SCALES = {"fluency": ("fluency_5", 1, 5), "meaning": ("meaning_6", 1, 6)}
COLUMNS = ("rater", "source", "output", "system", "criterion", "value")


@st.composite
def designs(draw):
    """Texts by system and sentence (None: it has none), judgements from elsewhere, and what is chosen."""
    graded = draw(st.booleans())
    items, systems = draw(st.integers(7, 11) if graded else st.integers(2, 5)), draw(st.integers(2, 3))
    lacking = draw(st.sampled_from([[], [None], ["", None]]))
    text = st.sampled_from(["see it {}", "See it {}", "SEE it {}", "look at number {} .", *lacking])
    outputs = [draw(st.lists(text, min_size=items, max_size=items)) for _ in range(systems)]
    outputs[0][0] = outputs[1][0] = "See it {}"  # something is judged, and shared
    elsewhere = st.tuples(
        st.integers(0, systems - 1), st.integers(1, items), st.booleans(), st.sampled_from("ab"), st.integers(1, 5)
    )
    doubled = draw(st.booleans())
    return {
        "outputs": [[one and one.format(first_of(doubled, n)) for n, one in enumerate(of, 1)] for of in outputs],
        "doubled": doubled,
        "references": draw(st.integers(0, 2)),
        "raters": draw(st.integers(0, 1) if graded else st.integers(1, 3)),
        "excluded": draw(st.booleans()),
        "elsewhere": draw(st.lists(elsewhere, max_size=6)),
        "graded": graded,
        "averaging": draw(st.sampled_from(["sentence", "judgement"])),
        "seed": draw(st.integers(0, 99)),
    }


def first_of(doubled, number):
    """The number of the first sentence with a sentence's source; in a study with one twice the second has it too."""
    return 1 if doubled and number == 2 else number


@dataclass
class Drawn:
    """A study, what people said in it (rater, the sentence's number, source, text, system or "", criterion, value), and
    who is excluded."""

    study: Study
    rows: list[tuple[str, int, str, str, str, str, float]]
    excluded: str

    @property
    def home(self) -> dict[int, int]:
        """By a sentence's number that of the first one with its source."""
        first: dict[str, int] = {}
        rows = Sentence.objects.filter(direction__study=self.study).order_by("number").values_list("number", "text")
        return {number: first.setdefault(text, number) for number, text in rows}

    @property
    def systems(self) -> list[System]:
        return list(System.objects.filter(study=self.study).order_by("number"))


def made(design: dict[str, Any]) -> Drawn:
    study = campaigns.study(
        items=len(design["outputs"][0]), systems=len(design["outputs"]), references=design["references"]
    )
    systems = list(System.objects.filter(study=study).order_by("number"))
    for system, texts in zip(systems, design["outputs"], strict=True):
        for n, text in enumerate(texts, 1):
            rows = Output.objects.filter(system=system, sentence__number=n)
            rows.delete() if text is None else rows.update(text=text)
    if design["doubled"]:
        Sentence.objects.filter(direction__study=study, number=2).update(text=SOURCE.format(1))
    for number in Sentence.objects.filter(direction__study=study).values_list("number", flat=True):
        Sentence.objects.filter(direction__study=study, number=number).update(domain=["even", "odd"][number % 2])
    rated, excluded = ([], "") if not design["raters"] else _judged_here(study, design)
    return Drawn(study, rated + _brought_in(study, systems, design), excluded)


def _judged_here(study, design):
    lead = campaigns.person(Role.RESEARCHER, study)
    criteria = [{"name": name, "scale": scale} for name, (scale, _, _) in SCALES.items()]
    plan = plan_human_study(
        study=study, by=lead, name="Drawn", criteria=criteria, judgements=design["raters"], seed=design["seed"]
    )
    opened = open_human_study(human_study=plan, by=lead)
    chance, people = random.Random(design["seed"]), []  # noqa: S311
    for _ in range(design["raters"]):
        people.append(campaigns.person(study=study))
        for campaign in opened.campaigns.all():
            while (work := campaigns.claim(campaign, people[-1]).work) is not None:
                ratings = [
                    {name: chance.randint(low, high) for name, (_, low, high) in SCALES.items()}
                    for _ in work.content["candidates"]
                ]
                campaigns.hand_in(campaign, people[-1], work, content={"ratings": ratings})
    close_human_study(human_study=opened, by=lead)
    excluded = str(people[0].pseudonym) if design["excluded"] else ""
    if excluded:
        exclude_rater(human_study=opened, person=excluded, reason="Clicked at random", by=lead)
    return _exported(study), excluded


def _exported(study):
    _, chunks = export_answers(study=study, options={"format": "long", "which": "standing", "names": "site"})
    rows = csv.DictReader(io.StringIO(b"".join(chunks).decode("utf-8-sig")))
    return [
        (
            row["annotator"],
            int(row["source_id"].rpartition("-")[2]),
            row["source"],
            row["text"],
            "",
            row["criterion"],
            float(row["value"]),
        )
        for row in rows
        if row["criterion"] in SCALES
    ]


def _brought_in(study, systems, design):
    """The rows of a file of judgements; of one person's several of a text the last counts."""
    last = {}
    for place, n, names_system, rater, value in design["elsewhere"]:
        text, system = design["outputs"][place][n - 1], systems[place].name if names_system else ""
        if text or (text == "" and system):
            key = (f"elsewhere {rater}", source_of(design, n), text, system, "fluency")
            last.pop(key, None)
            last[key] = value
    if design["graded"]:
        last |= _graded(systems, design)
    rows = [(*key, value) for key, value in last.items()]
    if rows:
        written = io.StringIO()
        csv.writer(written).writerows([COLUMNS, *rows])
        answers = {f"scale-{name}": scale for name, (scale, _, _) in SCALES.items()}
        with understand(TextFile(written.getvalue().encode(), "elsewhere.csv")) as table:
            bring_in_judgements(
                study=study, table=table, mapping={name: name for name in COLUMNS}, settings={}, answers=answers
            )
    return [(row[0], place_of(systems, *row[1:4]), *row[1:5], float(row[5])) for row in rows]


def source_of(design, number):
    """The source of a sentence; a row from elsewhere does not say which of two that are the same it is of."""
    return SOURCE.format(first_of(design["doubled"], number))


def place_of(systems, source, text, named):
    """The number of the first sentence with a source where the named system wrote a text, or any system did."""
    written = Output.objects.filter(system__in=systems, sentence__text=source, text=text)
    own = written.filter(system__name=named) if named else written
    return min(own.values_list("sentence__number", flat=True))


def _graded(systems, design):
    """Each system's outputs by two people, the later systems the better; some are left out."""
    chance = random.Random(design["seed"])  # noqa: S311
    return {
        (f"elsewhere {rater}", source_of(design, n), text, system.name, name):
            min(high, 1 + 2 * place + chance.randint(0, 1))
        for place, system in enumerate(systems)
        for n, text in enumerate(design["outputs"][place], 1)
        for rater in "cd"
        for name, (_, _, high) in SCALES.items()
        if text is not None and chance.random() < 0.9
    }  # fmt: skip


def by_output(drawn: Drawn, system: System, criterion: str, without: str = "") -> dict[int, list[float]]:
    """The values of each of a system's sentences, by the sentence's number."""
    found = said_of(drawn, system, criterion, without)
    values: dict[int, list[float]] = {}
    for number, _, _, value in found:
        values.setdefault(number, []).append(value)
    return values


def said_of(drawn: Drawn, system: System, criterion: str, without: str = "") -> list[tuple[int, str, str, float]]:
    """What was said of a system: the sentence's number, its source, the rater and the value.

    A judgement is of its sentence; where that is the first of a source, it is of the first with the text.
    """
    home, found = drawn.home, []
    outputs = Output.objects.filter(system=system).order_by("sentence__number")
    numbers: dict[tuple[str, str], list[int]] = {}
    for number, source, text in outputs.values_list("sentence__number", "sentence__text", "text"):
        numbers.setdefault((source, text), []).append(number)
    for rater, number, source, text, named, asked, value in drawn.rows:
        if asked == criterion and rater != without and named in ("", system.name):
            at = numbers.get((source, text), [])
            wanted = at[:1] if number == home[number] else [n for n in at if n == number]
            found += [(n, source, rater, value) for n in wanted]
    return found


def texts_of(drawn: Drawn, system: System) -> dict[int, tuple[str, str, list[str]]]:
    """(source, output, references) of each sentence that a system has an output of, by its number."""
    references: dict[int, list[str]] = {}
    rows = Reference.objects.filter(set__direction__study=drawn.study).order_by("set__number")
    for number, text in rows.values_list("sentence__number", "text"):
        references.setdefault(number, []).append(text)
    outputs = Output.objects.filter(system=system).order_by("sentence__number")
    return {
        number: (source, text, references.get(number, []))
        for number, source, text in outputs.values_list("sentence__number", "sentence__text", "text")
    }
