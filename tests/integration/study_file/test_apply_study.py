"""`manage.py apply_study`, as it is typed."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from support.study_files import beginning
from support.workbooks import workbook

from annotation.models import Campaign
from corpora.models import Output, Reference, Sentence, Study
from evaluation.models import ReportChoice

pytestmark = pytest.mark.django_db

STUDY = (
    beginning("texts/informal.txt")
    + """
[[references]]
direction = "informal-formal"
file = "ref0"

[[systems]]
name = "Rules"
outputs = [{ direction = "informal-formal", file = "rules.csv", source = "src", text = "out" }]

[metrics]
bleu = { lowercase = true }

[report]
baseline = "Rules"
alpha = 0.01
"""
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "informal.txt").write_text("hi\r\nu ok?\n", encoding="utf-8")
    (tmp_path / "ref0").write_text("Hello.\nAre you well?\n", encoding="utf-8")
    (tmp_path / "rules.csv").write_text('src,out\nu ok?,"Are you, hm, OK?"\nhi,Hi.\n', encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    return tmp_path


def apply(folder: Path) -> str:
    said = StringIO()
    call_command("apply_study", str(folder / "study.toml"), stdout=said)
    return said.getvalue().strip()


def refused(folder: Path) -> str:
    with pytest.raises(CommandError) as error:
        apply(folder)
    assert error.value.returncode == 1
    return str(error.value)


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / "study.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "study.toml").write_text(text.replace(old, new), encoding="utf-8")


def test_sets_up_what_the_file_declares(folder: Path) -> None:
    said = apply(folder)
    assert said == ("tone: added study, direction informal-formal, references 1, system Rules, metric bleu, report.")
    assert list(Sentence.objects.values_list("text", flat=True)) == ["hi", "u ok?"]
    assert list(Reference.objects.values_list("text", flat=True)) == ["Hello.", "Are you well?"]
    outputs = Output.objects.order_by("sentence__number").values_list("text", flat=True)
    assert list(outputs) == ["Hi.", "Are you, hm, OK?"]
    compared = ReportChoice.objects.values_list("baseline__name", "alpha", "correction", "variant")
    assert list(compared) == [("Rules", 0.01, "holm", "filtered")]


def test_applied_again_it_changes_nothing(folder: Path) -> None:
    apply(folder)
    keys = set(Output.objects.values_list("pk", flat=True))
    assert apply(folder) == "tone: nothing to change."
    assert set(Output.objects.values_list("pk", flat=True)) == keys


def test_a_moved_file_is_no_change(folder: Path) -> None:
    apply(folder)
    (folder / "ref0").rename(folder / "formal.0")
    change(folder, '"ref0"', '"formal.0"')
    assert apply(folder) == "tone: nothing to change."


def test_states_every_difference_and_changes_nothing(folder: Path) -> None:
    apply(folder)
    change(folder, 'title = "Tone"', 'title = "Another"')
    change(folder, "lowercase = true", "lowercase = false")
    (folder / "ref0").write_text("Hello!\nAre you well?\n", encoding="utf-8")
    change(folder, "[metrics]", "[metrics]\nter = {}")
    sentence = refused(folder)
    assert "study.toml: " in sentence
    assert "study: title was 'Tone', and is now 'Another'" in sentence
    assert "references 1: the content of ref0 has changed" in sentence
    assert "metric bleu: lowercase was true, and is now false" in sentence
    study = Study.objects.get()
    assert study.title == "Tone"
    assert Reference.objects.filter(text="Hello.").exists()
    assert list(study.metric_choices.values_list("metric", flat=True)) == ["bleu"]


def test_a_part_that_is_gone_is_a_difference(folder: Path) -> None:
    apply(folder)
    change(folder, "[metrics]\nbleu = { lowercase = true }", "")
    assert "metric bleu is no longer in the file" in refused(folder)


def test_adds_new_parts(folder: Path) -> None:
    apply(folder)
    (folder / "neural.txt").write_text("Hey.\n\n", encoding="utf-8")
    change(
        folder,
        "[metrics]",
        """[[systems]]
name = "Neural"
missing = "allow"
outputs = [{ direction = "informal-formal", file = "neural.txt" }]

[[campaigns]]
name = "Rate them"
task = "rate"
state = "closed"

[metrics]
ter = {}""",
    )
    assert apply(folder) == "tone: added system Neural, metric ter, campaign Rate them."
    assert list(Output.objects.filter(system__name="Neural").values_list("text", flat=True)) == ["Hey."]
    assert list(Study.objects.get().metric_choices.values_list("metric", flat=True)) == ["bleu", "ter"]
    assert Campaign.objects.get().state == "closed"


def test_nothing_is_stored_where_a_later_part_is_wrong(folder: Path) -> None:
    (folder / "rules.csv").write_text("src,out\nhi,Hi.\n", encoding="utf-8")
    assert refused(folder) == "rules.csv: there is no row for source 2."
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"ref0"', '"ref9"', "study.toml, line 14: ref9: There is no such file."),
        ('"ref0"', '"texts"', "study.toml, line 14: texts: This is a folder, and a file was expected."),
        (
            'source_style = "informal"', 'source_style = "slang"',
            "study.toml, line 8, directions[1].source_style: there is no style 'slang'; there are informal, formal.",
        ),
        (
            "bleu =", "bertscor =",
            "study.toml, line 21, metrics.bertscor: there is no metric 'bertscor'; did you mean bertscore?",
        ),
    ],
)  # fmt: skip
def test_an_error_names_the_file_the_line_and_what_was_expected(folder: Path, old: str, new: str, said: str) -> None:
    change(folder, old, new)
    assert refused(folder).startswith(said)


def test_missing_files_are_named_together(folder: Path) -> None:
    for name in ("ref0", "rules.csv"):
        (folder / name).unlink()
    sentence = refused(folder)
    assert "ref0" in sentence
    assert "rules.csv" in sentence


def test_a_study_that_was_not_made_from_a_file_is_left_alone(folder: Path) -> None:
    Study.objects.create(slug="tone", title="By hand", styles=["a", "b"])
    assert "was not made from a study file" in refused(folder)


TABLE = """
[[tables]]
file = "all.xlsx"
mapping = { src = "source", ref = "reference", "Rules 2" = "output", 4 = "output: Other" }
answers = { there = "match", missing = "allow", new = "add" }
"""


def test_a_table_of_any_kind(folder: Path) -> None:
    rows = [("src", "ref", "Rules 2", "other"), ("hi", "Hi there.", "hello", "hey"), ("brb", "Wait.", "soon", "")]
    (folder / "all.xlsx").write_bytes(workbook({"Texts": rows}))
    (folder / "study.toml").write_text(STUDY + TABLE, encoding="utf-8")
    assert "table 1" in apply(folder)
    assert list(Sentence.objects.values_list("text", flat=True)) == ["hi", "u ok?", "brb"]
    assert Reference.objects.filter(text="Wait.").count() == 1
    assert set(Output.objects.filter(system__number__gt=1).values_list("system__name", "text")) == {
        ("Rules 2", "hello"), ("Rules 2", "soon"), ("Other", "hey"),
    }  # fmt: skip
    assert "Nothing" in apply(folder) or "nothing" in apply(folder)
    assert Sentence.objects.count() == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('src = "source"', 'src = "sourse"', "There is no meaning 'sourse'"),
        ('new = "add"', 'doubled = "once"', "its source is not there yet"),
        ("all.xlsx", "none.xlsx", "none.xlsx"),
        ("[[tables]]", '[[tables]]\ntarget = "text"', "there is no target 'text'; did you mean texts"),
        ("[[tables]]", '[[tables]]\ndelimiter = "::"', "one character, 'tab' or 'none' was expected"),
    ],
)
def test_a_table_that_does_not_fit_changes_nothing(folder: Path, old: str, new: str, said: str) -> None:
    (folder / "all.xlsx").write_bytes(workbook({"Texts": [("src", "ref", "Rules 2", "x"), ("brb", "W.", "s", "t")]}))
    (folder / "study.toml").write_text(STUDY + TABLE.replace(old, new), encoding="utf-8")
    assert said in refused(folder)
    assert not Study.objects.exists()
