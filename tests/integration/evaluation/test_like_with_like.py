"""A report compares systems over the same sentences, and knows which way each direction goes."""

import io

import pytest
from django.core.management import call_command
from support import campaigns

from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Output, Study
from corpora.texts.queries import systems_of
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.make_report import make_report
from evaluation.drilldown import rows_behind
from evaluation.views.claims import leading

pytestmark = pytest.mark.django_db

STUDY = """
[study]
slug = "ways"
title = "Both ways"
styles = ["chat", "letter"]
poles = { informal = "chat", formal = "letter", simple = "chat", complex = "letter" }

[[directions]]
source_style = "chat"
target_style = "letter"
sources = "up.txt"
split = "test"

[[directions]]
source_style = "letter"
target_style = "chat"
sources = "down.txt"
split = "test"

SYSTEMS

[[ratings]]
format = "mturk"
file = "ratings.csv"
worker = "worker"
source = "source"
output = "output"
response = "value"
target_style = "target"
[ratings.criteria]
tone = { scale = "formality_7", aspect = "style" }
sense = { scale = "likert_5", aspect = "meaning" }

[metrics]
fkgl = {}
self_bleu = {}

[report]
split = "test"
"""
SYSTEM = """
[[systems]]
name = "{0}"
outputs = [{{ direction = "chat-letter", file = "{0}-up.txt" }}, {{ direction = "letter-chat", file = "{0}-down.txt" }}]
"""
NONE_HERE = "It has no outputs in this direction."
UP, DOWN = "chat to letter", "letter to chat"
SOURCES = {
    "letter": [f"hey u see thing {number}" for number in range(12)],
    "chat": [f"Dear committee, regarding our administrative affair {number}." for number in range(12)],
}
STIFF = "Distinguished colleagues, administrative considerations necessitate collaboration regarding affair {}."
LOOSE = "yo look at it {}"
TONES = {"Right": {"letter": 3, "chat": -3}, "Stiff": {"letter": 2, "chat": 2}, "Loose": {"letter": -2, "chat": -2}}


def output(system, target, number):
    """`Right` goes where the direction goes, `Stiff` is formal and `Loose` informal both ways."""
    right = {"letter": STIFF, "chat": LOOSE}[target]
    return {"Right": right, "Stiff": "So, " + STIFF, "Loose": "well " + LOOSE}[system].format(number)


@pytest.fixture
def declared(tmp_path):
    """As somebody declares it: two files of sources, of outputs of each system, and the ratings."""
    rows = ["worker,source,output,value,target"]
    for target, end in (("letter", "up"), ("chat", "down")):
        (tmp_path / f"{end}.txt").write_text("\n".join(SOURCES[target]) + "\n")
        for system, tones in TONES.items():
            made = [output(system, target, number) for number in range(12)]
            (tmp_path / f"{system}-{end}.txt").write_text("\n".join(made) + "\n")
            for number, (source, text) in enumerate(zip(SOURCES[target], made, strict=True)):
                tone, sense = tones[target] - (number % 4 == 0) * (tones[target] == 3), 5 if system == "Right" else 2
                rows.append(f'w{number % 2},"{source}","{text}",tone={tone} sense={sense},{target}')
    (tmp_path / "ratings.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "ways.toml").write_text(STUDY.replace("SYSTEMS", "".join(SYSTEM.format(name) for name in TONES)))
    call_command("apply_study", str(tmp_path / "ways.toml"), stdout=io.StringIO())
    return Study.objects.get(slug="ways")


def test_a_study_with_both_directions_has_the_right_winners_everywhere(declared):
    """By board, sentence, table and figure: never the formal one where it goes to chat, nor the informal one back."""
    report = make_report(study=declared)
    board = report.content["leaderboard"]
    boards = {**board["criteria"], **board["metrics"]}
    assert list(board["criteria"]) == [f"tone ({UP})", f"tone ({DOWN})", "sense"]
    first = {name: one["rows"][0]["system"] for name, one in boards.items() if one["better"] is not None}
    assert {name: first[name] for name in board["criteria"]} == dict.fromkeys(board["criteria"], "Right")
    assert first[f"fkgl ({UP})"] in ("Right", "Stiff")
    assert first[f"fkgl ({DOWN})"] in ("Right", "Loose")
    for name in board["criteria"]:
        assert "Right" in leading(name, boards[name])
        assert "Loose" not in leading(name, boards[name])
    best = set()
    for table in report.tables_and_figures.values():
        if table["is"] != "table" or table["made"]["head"][0] != "System":
            continue
        for row in table["made"]["rows"]:
            for head, cell in zip(table["made"]["head"], row, strict=True):
                if cell.get("best"):
                    best.add((head, row[0]["text"]))
                    wrong = {UP: "Loose", DOWN: "Stiff"}.get(head.partition("(")[2].partition(")")[0])
                    assert row[0]["text"] != wrong, (table["name"], head)
    assert {(f"Tone ({UP})", "Right"), (f"Tone ({DOWN})", "Right"), ("Sense", "Right")} <= best
    figure = report.tables_and_figures["leaderboard_figure"]["made"]
    assert {row["system"] for row in figure["rows"] if row["order"] == 0} == {"Right"}
    rows = rows_behind(declared, {"system": "Stiff", "criterion": "tone", "direction": "1"})
    row = next(one for one in boards[f"tone ({DOWN})"]["rows"] if one["system"] == "Stiff")
    assert (rows.value, rows.many) == (pytest.approx(row["value"]), row["n"]) == (pytest.approx(2.0), 12)


def test_what_is_declared_is_kept_and_shown(client, declared):
    assert declared.poles == {"informal": "chat", "formal": "letter", "simple": "chat", "complex": "letter"}
    assert declared.report_choice.split == "test"
    client.force_login(campaigns.person(study=declared, role="researcher"))
    assert client.get("/api/studies/ways/").json()["poles"] == declared.poles
    sections = client.get("/studies/ways/edit/").context["sections"]
    fields = [field for form in sections.values() for field in form if field.name.startswith("end_")]
    assert declared.poles.items() <= {field.label: field.value() for field in fields}.items()


@pytest.mark.parametrize(
    ("poles", "said"), [({"formal": "post"}, "has no style 'post'"), ({"  ": "formal"}, "A pole has a name")]
)
def test_poles_mean_styles_of_the_study(client, poles, said):
    study = campaigns.study(items=1, systems=1, references=0)
    client.force_login(campaigns.person(study=study, role="researcher"))
    refused = client.patch(f"/api/studies/{study.slug}/", {"poles": poles}, content_type="application/json")
    assert (refused.status_code, said in refused.json()["detail"]) == (400, True)
    study.refresh_from_db()
    assert study.poles == {}


@pytest.fixture
def split():
    """40 sentences to train on and 10 to test; `Whole` and `Other` have the test, `Early` the train split and two."""
    made = create_study(slug="splits", title="Splits", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=[f"gotta see {number} now" for number in range(40)], split="train")
    add_sources(direction=direction, texts=[f"wanna see {number} now" for number in range(10)], split="test")
    sources = list(direction.sentences.order_by("number").values_list("text", flat=True))
    for name, kept in (("Whole", range(40, 50)), ("Other", range(40, 50)), ("Early", [*range(40), 40, 41])):
        change = {"Whole": " please", "Other": " and more words", "Early": ""}[name]
        texts = [source + change if at in kept else None for at, source in enumerate(sources)]
        add_system(study=made, name=name, outputs={direction: texts}, origin="a file", allows_missing=True)
    choose_metrics(study=made, metrics={"self_bleu": {}, "pinc": {}})
    return made


def test_a_report_is_about_the_test_split_where_there_is_one(client, split):
    report = make_report(study=split)
    assert (report.content["split"], report.content["units"]) == ("test", 10)
    rows = {one["name"]: (one["outputs"], one["missing"]) for one in report.content["systems"]}
    assert rows == {"Whole": (10, 0), "Other": (10, 0), "Early": (2, 8)}
    board = report.content["leaderboard"]["metrics"]["pinc"]
    assert [(row["system"], row["place"], row["n"]) for row in board["rows"]] == [
        ("Other", 1, 10), ("Whole", 2, 10), ("Early", None, 2)
    ]  # fmt: skip
    assert board["rows"][2]["unranked"] == "not ranked: 2 of 10"
    table = report.tables_and_figures["leaderboard"]["made"]
    assert "The test split alone: 10 sentences." in table["notes"]
    client.force_login(campaigns.person(study=split, role="researcher"))
    page = client.get("/studies/splits/report/").content.decode()
    assert "The report is about the split test: 10 texts." in page
    assert "A system's number is over those texts that it has an output for." in page
    assert "not ranked: 2 of 10" in page
    behind = rows_behind(split, {"system": "Early", "metric": "pinc"})
    assert (len(behind.rows), behind.where) == (2, ["split test"])


def test_another_split_may_be_chosen(split):
    choose_report(study=split, split="train")
    report = make_report(study=split)
    assert (report.content["split"], report.content["units"]) == ("train", 40)
    assert [row["system"] for row in report.content["leaderboard"]["metrics"]["pinc"]["rows"] if row["place"]] == [
        "Early"
    ]
    choose_report(study=split, split="all")
    report = make_report(study=split)
    assert (report.content["split"], report.content["units"]) == ("", 50)
    rows = report.content["leaderboard"]["metrics"]["pinc"]["rows"]
    assert [(row["system"], row["unranked"]) for row in rows[2:]] == [("Early", "not ranked: 2 of 10")]
    foils = {one["name"]: one for one in report.content["trust"]["foils"]}
    assert foils["copied_source"]["metrics"]["pinc"]["of"] == 3  # the two that are ranked, and itself


def test_what_a_system_lacks_is_of_the_splits_that_it_has(client, split):
    assert {one.name: one.missing_count for one in systems_of(split)} == {"Whole": 0, "Other": 0, "Early": 8}


def test_the_forms_say_which_end_is_better_or_how_to_say_it(client, declared, split):
    for study, there, criteria in (
        (declared, "better end, the style that a direction goes to: high (letter), low (chat)", False),
        (split, "low is simple, high is complex: not styles of this study", False),
    ):
        client.force_login(campaigns.person(study=study, role="researcher"))
        assert there in client.get(f"/studies/{study.slug}/report/metrics/").content.decode()
        page = client.get(f"/studies/{study.slug}/campaigns/new/").content.decode()
        assert ("This scale goes from informal to formal, which are not styles" in page) is criteria
    declared.poles = {}
    declared.save()
    client.force_login(campaigns.person(study=declared, role="researcher"))
    page = client.get(f"/studies/{declared.slug}/campaigns/new/").content.decode()
    assert "This scale goes from informal to formal, which are not styles" in page


def test_a_second_direction_of_one_system_changes_no_number_of_the_first(client, split):
    """BLEU and alike of the first direction stay, and every other system stays in its place, in papers' tables too."""
    choose_metrics(study=split, metrics={"pinc": {}, "self_bleu": {}})
    before = make_report(study=split).content["leaderboard"]["metrics"]["pinc"]["rows"]
    back = add_direction(study=split, source_style="formal", target_style="informal")
    texts = [f"I wish to see {number} at once" for number in range(6)]
    add_sources(direction=back, texts=texts, split="test")
    whole = split.systems.get(name="Whole")
    Output.objects.bulk_create(
        Output(system=whole, sentence=sentence, text=f"{sentence.text} pls") for sentence in back.sentences.all()
    )
    report = make_report(study=split)
    metrics = report.content["leaderboard"]["metrics"]
    there, here = "pinc (informal to formal)", "pinc (formal to informal)"
    assert [name for name in metrics if name.startswith("pinc")] == [there, here]
    told = [
        [(row["system"], row["n"], row["place"], row["unranked"]) for row in rows]
        for rows in (metrics[there]["rows"], before)
    ]
    assert told[0] == told[1]
    assert [row["value"] for row in metrics[there]["rows"]] == pytest.approx([row["value"] for row in before])
    rows = {row["system"]: (row["n"], row["undefined"]) for row in metrics[here]["rows"]}
    assert rows == {"Whole": (6, ""), "Other": (0, NONE_HERE), "Early": (0, NONE_HERE)}
    client.force_login(campaigns.person(study=split, role="researcher"))
    page = " ".join(client.get("/studies/splits/report/").content.decode().split())
    assert "each number is of one direction alone: informal to formal, 10 texts; formal to informal, 6 texts." in page
    behind = rows_behind(split, {"system": "Whole", "metric": "pinc", "direction": "1"})
    assert (behind.many, len(behind.rows)) == (6, 6)
    paper = report.tables_and_figures["msd_table_4"]["made"]
    assert {row[1]["text"] for row in paper["rows"]} == {"informal to formal", "formal to informal"}
