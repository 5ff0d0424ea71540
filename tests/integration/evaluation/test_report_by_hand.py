"""Studies drawn at random: the numbers of their reports are worked out anew from the answers that can be exported.

Outputs are shared by systems, differ in capitals alone, or are missing; several people judge each, one may be excluded,
and judgements from elsewhere name a system or do not. The plain computation knows the export's rows and the file's.
"""

import csv
import io
import random
from collections import defaultdict

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from support import campaigns
from support.plain_statistics.agreement import alpha

from accounts.permissions import Role
from annotation.actions.export_answers import export_answers
from corpora.formats import TextFile
from corpora.models import Output, System
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_report import choose_report
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.drilldown.number_rows import rows_behind
from evaluation.reporting.leaderboard_numbers import leaderboard
from evaluation.reporting.rater_agreement import rater_agreement
from evaluation.reporting.resampled_scores import bootstrap_of
from evaluation.reporting.systems import systems as rows_of
from evaluation.snapshot_builder.build import build_snapshot, read_study

pytestmark = pytest.mark.django_db
SOURCE = "gotta see number {} , u know"
SCALES = {"fluency": ("fluency_5", 1, 5), "meaning": ("meaning_6", 1, 6)}
JOINT = ["J = product by sentence: fluency, meaning", "T = product of means: fluency, meaning"]


@st.composite
def designs(draw):
    """Texts by system and sentence (None: it has none), judgements from elsewhere, and what is chosen."""
    items, systems = draw(st.integers(2, 5)), draw(st.integers(2, 3))
    text = st.sampled_from(["see it {}", "See it {}", "SEE it {}", "look at {}", None])
    outputs = [draw(st.lists(text, min_size=items, max_size=items)) for _ in range(systems)]
    outputs[0][0] = outputs[1][0] = "See it {}"  # something is judged, and shared
    elsewhere = st.tuples(
        st.integers(0, systems - 1), st.integers(1, items), st.booleans(), st.sampled_from("ab"), st.integers(1, 5)
    )
    return {
        "outputs": [[one and one.format(n) for n, one in enumerate(of, 1)] for of in outputs],
        "raters": draw(st.integers(1, 3)),
        "excluded": draw(st.booleans()),
        "elsewhere": draw(st.lists(elsewhere, max_size=6)),
        "averaging": draw(st.sampled_from(["sentence", "judgement"])),
        "seed": draw(st.integers(0, 99)),
    }


def made(design):
    """The study, its people's rows (rater, source, text, system or "", criterion, value), and who is excluded."""
    items = len(design["outputs"][0])
    study = campaigns.study(items=items, systems=len(design["outputs"]))
    systems = list(System.objects.filter(study=study).order_by("number"))
    for system, texts in zip(systems, design["outputs"], strict=True):
        for n, text in enumerate(texts, 1):
            rows = Output.objects.filter(system=system, sentence__number=n)
            rows.update(text=text) if text else rows.delete()
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
    return study, exported(study) + brought_in(study, systems, design), excluded


def exported(study):
    _, chunks = export_answers(study=study, options={"format": "long", "which": "standing", "names": "site"})
    rows = csv.DictReader(io.StringIO(b"".join(chunks).decode("utf-8-sig")))
    return [
        (row["annotator"], row["source"], row["text"], "", row["criterion"], float(row["value"]))
        for row in rows
        if row["criterion"] in SCALES
    ]


def brought_in(study, systems, design):
    """The rows of a file of judgements of fluency; of one person's several of a text the last counts."""
    last = {}
    for place, n, names_system, rater, value in design["elsewhere"]:
        text, system = design["outputs"][place][n - 1], systems[place].name if names_system else ""
        if text:
            key = (f"elsewhere {rater}", SOURCE.format(n), text, system, "fluency")
            last.pop(key, None)
            last[key] = value
    rows = [(*key, value) for key, value in last.items()]
    if rows:
        written = io.StringIO()
        csv.writer(written).writerows([("rater", "source", "output", "system", "criterion", "value"), *rows])
        answers = {"scale-fluency": "fluency_5"}
        mapping = {name: name for name in ("rater", "source", "output", "system", "criterion", "value")}
        with understand(TextFile(written.getvalue().encode(), "elsewhere.csv")) as table:
            bring_in_judgements(study=study, table=table, mapping=mapping, settings={}, answers=answers)
    return [(*row[:5], float(row[5])) for row in rows]


def by_output(rows, study, system, criterion, without=""):
    """The values of each of a system's sentences, by the sentence's number."""
    values = defaultdict(list)
    for output in Output.objects.filter(system=system).select_related("sentence"):
        for rater, source, text, named, asked, value in rows:
            same = (source, text) == (output.sentence.text, output.text) and named in ("", system.name)
            if same and asked == criterion and rater != without:
                values[output.sentence.number].append(value)
    return dict(values)


def mean(values):
    return sum(values) / len(values) if values else None


def averaged(values, averaging):
    """The mean over sentences of the mean of each, or over all judgements."""
    if averaging == "judgement":
        return mean([value for of in values.values() for value in of])
    return mean([mean(of) for of in values.values()])


def on_0_to_1(values, criterion):
    _, low, high = SCALES[criterion]
    return {n: [(value - low) / (high - low) for value in of] for n, of in values.items()}


@settings(max_examples=max(1, settings.default.max_examples // 5))
@given(designs())
def test_every_number_of_people_is_worked_out_anew(design):
    with transaction.atomic():
        study, rows, excluded = made(design)
        choose_report(study=study, averaging=design["averaging"], joint=JOINT)
        held_to(rows, study, excluded, design["averaging"])
        transaction.set_rollback(True)


def held_to(rows, study, excluded, averaging):
    built = build_snapshot(study, read_study(study, apart=False), {})
    reported = rows_of(built)
    boards = leaderboard(built.snapshot, bootstrap_of(built.snapshot), reported)
    by_name = {row["name"]: row for row in reported}
    systems = list(System.objects.filter(study=study).order_by("number"))
    shown = {(kind, name): {row["system"]: row for row in board["rows"]}
             for kind in ("criteria", "joint") for name, board in boards[kind].items()}  # fmt: skip
    for criterion in SCALES:
        values = {system.name: by_output(rows, study, system, criterion) for system in systems}
        for system in systems:
            found, wanted = by_name[system.name], averaged(values[system.name], averaging)
            assert found["human"][criterion]["mean"] == pytest.approx(wanted), (criterion, system.name)
            assert found["human"][criterion]["n"] == sum(map(len, values[system.name].values()))
            filtered = by_output(rows, study, system, criterion, excluded)
            without = averaged(filtered, averaging)
            assert found["variants"]["filtered"].get(criterion, {"mean": None})["mean"] == pytest.approx(without)
            assert shown["criteria", criterion][system.name]["value"] == pytest.approx(wanted)
            if wanted is not None:
                behind = rows_behind(study, {"system": system.name, "criterion": criterion})
                assert behind.value == pytest.approx(wanted)
                assert behind.many == found["human"][criterion]["n"]
            held_to_difference(shown["criteria", criterion][system.name], values, systems[0].name, averaging)
        agreement = next(
            row for row in rater_agreement(built)
            if (row["criterion"], row["coefficient"]) == (criterion, "krippendorff_alpha")
        )  # fmt: skip
        held_to_agreement(agreement, [row for row in rows if row[4] == criterion])
    for system in systems:
        held_to_joint_scores({name: of[system.name] for (kind, name), of in shown.items() if kind == "joint" and of},
                             [on_0_to_1(by_output(rows, study, system, criterion), criterion) for criterion in SCALES],
                             averaging)  # fmt: skip


def held_to_difference(row, values, baseline, averaging):
    """Over the sentences that both have."""
    if row["difference"] is None:
        return
    both = values[row["system"]].keys() & values[baseline].keys()
    first, second = ({n: values[name][n] for n in both} for name in (row["system"], baseline))
    assert row["difference"] == pytest.approx(averaged(first, averaging) - averaged(second, averaging))


def held_to_joint_scores(found, parts, averaging):
    both = parts[0].keys() & parts[1].keys()
    by_sentence = mean([mean(parts[0][n]) * mean(parts[1][n]) for n in both])
    means = [averaged(part, averaging) for part in parts]
    wanted = {"J": by_sentence, "T": None if None in means else means[0] * means[1]}
    for name, row in found.items():
        assert row["value"] == pytest.approx(wanted[name]), name


def held_to_agreement(row, rows):
    """Alpha over texts, each of a source, that two people judged; a judgement of one system is of another text."""
    judged = defaultdict(dict)
    for rater, source, text, system, _, value in rows:
        judged[source, text, system][rater] = value
    several = {key: of for key, of in judged.items() if len(of) > 1}
    assert row["items"] == len(several)
    wanted = alpha([[int(value) for value in of.values()] for of in several.values()], "ordinal")
    if row["value"] is not None:
        assert row["value"] == pytest.approx(wanted)
