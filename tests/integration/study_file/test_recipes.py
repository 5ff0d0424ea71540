"""Each recipe of docs/recipes makes its table: from a few lines in the published forms, with models of a few states.

The way is tested, and what stands in rows and columns, not how good a model of eight states is.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import call_command
from support import recipe_data
from support.training_studies import training_study

from corpora.concepts import link_study
from corpora.formats import TextFile
from corpora.knowledge import formality
from corpora.models import Study
from evaluation.actions.make_report import make_report
from evaluation.readability import missing_pyphen
from evaluation.tables import TABLES
from foundation.project import ROOT
from jobs.execution import run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.start_training import start_training
from modelserving.training_runs.execution import run_training
from modelserving.transfer_runs import run_transfer
from study_file.parser.parser import parse_study_file

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
RECIPES = sorted((ROOT / "docs/recipes").glob("*-table-*.toml"))
WORK = {
    "modelserving.tasks.train": run_training,
    "modelserving.tasks.transfer": run_transfer,
    "corpora.tasks.link_concepts": link_study,
}
JUDGED = {
    "gyafc-table-4": ("People have not judged", "For people's Combined", "No row holds the"),
    "gyafc-table-5": ("Nobody has ranked outputs",),
}
"""Recipes whose table is there once people have judged, and what it says until then."""
EAST, WEST = "expert to layman", "layman to expert"
OF_PAIRS = (
    "Expert to layman", "Informal_em to formal_em", "Informal_fr to formal_fr", "Yelp to yelp_rewritten",
    "Amazon to amazon_rewritten", "Shakespeare to modern", "Wiki_expert to wiki_layman",
)  # fmt: skip
MSD_MODELS = ("OpenNMT+PT", "UNTS", "ControlledGen", "DeleteAndRetrieve", "StyleTransformer")
MEDLANE_MODELS = (
    *("Dictionary", "Moses", "Seq2seq", "Seq2seq-", "Seq2seq-S", "PointerNet"),
    *("EditNTS", "BART", "T5", "BERT-MT", "DECLARE"),
)
PLABA_MODELS = ("T5", "PEGASUS", "BART-Base", "BART-Large-CNN", "T5-No-Fine-Tune", "T0PP")
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
FORMALITY = ((recipe_data.formal, 2.0), (recipe_data.informal, -2.0))
STRENGTH = ("Transfer strength", "Content preservation")


class Shape(NamedTuple):
    """What the paper's table has: its columns, and what its rows begin with."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def alone(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((name,) for name in names)


MEDLANE_HEADS = (
    "System", "BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "BLEU", "METEOR 1.5", "ROUGE-L", "CIDEr", "SARI", "HIT", "CWR",
    "AScore",
)  # fmt: skip
SHAPES = {
    "gyafc-table-2": Shape(
        ("Domain", "Total", "Informal", "Formal"),
        alone(("All texts", "All sources", "Entertainment & Music", "Family & Relationships")),
    ),
    "gyafc-table-3": Shape(
        ("Domain", *(f"{way}, {split}" for way in ("informal to formal", "formal to informal") for split in
                     ("train", "tune", "test"))),
        alone(("Entertainment_Music", "Family_Relationships")),
    ),
    "fu-table-1": Shape(
        ("Counted", "Paper", "News", "All"), alone(("Sentences", "Sentences to test on", "Longer ones, left out",
                                                    "Vocabulary size"))
    ),
    "fu-table-3": Shape(("hidden", *STRENGTH), alone(("32", "64", "128"))),
    "fu-table-4": Shape(("hidden", *STRENGTH), alone(("32", "64", "128"))),
    "fu-table-5": Shape(
        ("hidden", "style", *STRENGTH), tuple((str(hidden), str(style)) for hidden in (32, 64, 128) for style in
                                              (32, 64, 128))
    ),
    "msd-table-2": Shape(
        ("Counted", *(f"{what}, {split}" for split in ("train", "test") for what in ("Expert", "Layman", "ratio"))),
        alone(
            ("Annotations", "Sentences", "Vocabulary", "Concept vocabulary", "FKGL", "Gunning fog", "Coleman-Liau",
             "Mean readability")
        ),
    ),
    "msd-table-3": Shape(("Texts", "Pairs", "BLEU", "Edit distance"), alone(("All texts", *OF_PAIRS))),
    "msd-table-4": Shape(
        ("System", "Texts", "Acc", "PPL", "self-BLEU", "ref-BLEU"),
        tuple((name, way) for way in (EAST, WEST) for name in (*MSD_MODELS, "Gold")),
    ),
    "msd-table-5": Shape(("System", f"SARI, {EAST}", f"SARI, {WEST}"), alone(MSD_MODELS)),
    "medlane-table-3": Shape(
        MEDLANE_HEADS, alone((*MEDLANE_MODELS, "↑"))
    ),
    "medlane-table-2": Shape(
        ("Counted", "expert to layman"),
        alone(
            ("Tokens in the source sentences", "Tokens in the target sentences", "Tokens in both",
             "Average length of the source sentences", "Average length of the target sentences",
             "Average number of abbreviations")
        ),
    ),
    "medlane-table-6": Shape((*MEDLANE_HEADS, "FKGL"), alone(("Ground truth", *MEDLANE_MODELS, "↑"))),
    "plaba-table-2": Shape(
        ("Texts", "Words a text", "Sentences a text", "Number of texts"), alone(("Questions", "Sources", "References"))
    ),
    "plaba-table-3": Shape(("Texts", *ROUGE, "BLEU", "BERTScore"), alone(("Sources",))),
    "plaba-table-4": Shape(
        ("System", "FKGL", "Against the sources", "Against the references"),
        alone(("Sources", "References", *PLABA_MODELS)),
    ),
    "plaba-table-5": Shape(("System", *ROUGE, "BLEU", "BERTScore", "SARI"), alone(PLABA_MODELS)),
    "plaba-table-6": Shape(("System", *ROUGE, "BLEU"), alone(PLABA_MODELS)),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, settings, models_folder, monkeypatch) -> Path:
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", "2")  # of the tiny encoder's three
    settings.WORK_FOLDER = tmp_path / "work"
    for write in (
        recipe_data.write_msd, recipe_data.write_pairs, recipe_data.write_medlane, recipe_data.write_plaba,
        recipe_data.write_gyafc, recipe_data.write_titles,
    ):  # fmt: skip
        write(tmp_path)
    recipe_data.write_models(models_folder)
    rated = [(written(number), label) for written, label in FORMALITY for number in range(36)]
    formality.train(*map(list, zip(*rated, strict=True))).save(tmp_path / "formality")
    monkeypatch.setenv("RESTYLE_FORMALITY", str(tmp_path / "formality"))
    return tmp_path


def write_checkpoint(path: Path) -> None:
    """An OpenNMT+PT that was trained on pairs of another study."""
    study = training_study(styles=("expert", "layman"))
    small = {"hidden": 8, "embedding": 8, "layers": 1, "epochs": 1, "least": 1}
    run = start_training(study=study, model="opennmt_pt", options=small, by=None)
    do(run.job)
    path.write_bytes(b"".join(artifacts.stored_chunks(run.checkpoints.get(kind="best").file.name)))
    shutil.rmtree(artifacts.work_folder("trainings", run.key), ignore_errors=True)


def apply(recipe: Path, folder: Path, more: str = "") -> Study:
    """The recipe beside the files that it names, whose paths are the recipe's own."""
    (folder / recipe.name).write_text(recipe.read_text(encoding="utf-8") + more, encoding="utf-8")
    call_command("apply_study", str(folder / recipe.name))
    return Study.objects.get(slug=recipe.stem)


def shrink(study: Study) -> None:
    """Trainings and runs as they were asked for, but small: the options that there are, and no others."""
    for training in study.trainings.all():
        training.options |= {name: value for name, value in recipe_data.SMALL.items() if name in training.options}
        training.save(update_fields=["options"])
    for run in study.transfer_runs.all():
        run.settings |= {name: value for name, value in recipe_data.SHORT.items() if name in run.settings}
        run.save(update_fields=["settings"])


def do(job: Job) -> None:
    run_job(job.pk, WORK[job.task])
    job.refresh_from_db()
    assert job.state == Job.State.DONE, f"{job.title}: {job.error}\n{job.log}"


def work(study: Study) -> None:
    """Every job of the study, in the order in which they were asked for."""
    for job in Job.objects.filter(study_slug=study.slug).order_by("pk"):
        do(job)


def table_of(study: Study) -> dict:
    """The table that the recipe is named for, of a report that is made now."""
    entry = make_report(study=study).tables_and_figures[study.slug.replace("-", "_")]
    assert entry["is"] == "table", entry["made"]
    return entry["made"]


def texts(table: dict) -> list[list[str]]:
    return [[cell["text"] for cell in row] for row in table["rows"]]


def made(name: str, folder: Path) -> tuple[Study, dict]:
    recipe = ROOT / f"docs/recipes/{name}.toml"
    if "opennmt-pt.zip" in recipe.read_text(encoding="utf-8"):
        write_checkpoint(folder / "opennmt-pt.zip")
    study = apply(recipe, folder)
    shrink(study)
    work(study)
    return study, table_of(study)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_a_recipe_is_read_and_names_what_there_is(recipe):
    spec = parse_study_file(TextFile(recipe, recipe.name))
    assert spec.slug == recipe.stem
    assert spec.metrics or TABLES[recipe.stem.replace("-", "_")].of_corpus
    assert {run.training for run in spec.runs if run.training} == {training.name for training in spec.trainings}
    assert recipe.name in (recipe.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.soak
@pytest.mark.parametrize("name", [recipe.stem for recipe in RECIPES if recipe.stem not in JUDGED])
def test_a_recipe_makes_its_table(name, folder):
    if name == "plaba-table-4" and missing_pyphen():
        pytest.skip(missing_pyphen())
    study, table = made(name, folder)
    wanted, rows = SHAPES[name], texts(table)
    width = len(wanted.rows[0])
    assert table["head"] == list(wanted.head)
    assert [tuple(row[:width]) for row in rows] == list(wanted.rows)
    empty = {(*row[:width], head) for row in rows for head, text in zip(table["head"], row, strict=True) if text == "–"}
    assert {cell for cell in empty if cell[-1] not in UNSURE.get(name, ())} == EMPTY.get(name, set())
    for family in study.systems.exclude(family="").values_list("family", flat=True).distinct():
        seeds = study.systems.filter(family=family).values_list("seed", flat=True)
        assert len(set(seeds)) == len(seeds) == (3 if name.startswith("plaba") else 1)


@pytest.mark.soak
@pytest.mark.parametrize("name", JUDGED)
def test_a_recipe_of_judgements_lacks_nothing_but_these(name, folder):
    study = apply(ROOT / f"docs/recipes/{name}.toml", folder)
    shrink(study)
    work(study)
    entry = make_report(study=study).tables_and_figures[name.replace("-", "_")]
    assert entry["is"] == "lacking"
    assert [reason for reason in entry["made"]["reasons"] if not reason.startswith(JUDGED[name])] == []
    assert {system.outputs.count() for system in study.systems.all()} == {4}


def cells(rows: tuple[tuple[str, ...], ...], heads: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {(*row, head) for row in rows for head in heads}


EMPTY = {
    "msd-table-4": cells(((MSD_MODELS[0], WEST), (MSD_MODELS[1], WEST)), ("Acc", "PPL", "self-BLEU", "ref-BLEU"))
    | cells((("Gold", EAST), ("Gold", WEST)), ("ref-BLEU",)),
    "msd-table-5": cells(alone(MSD_MODELS[:2]), (f"SARI, {WEST}",)),
    "medlane-table-3": cells(alone((*MEDLANE_MODELS, "↑")), ("METEOR 1.5",)),
    "medlane-table-6": cells(alone((*MEDLANE_MODELS, "↑")), ("METEOR 1.5",))
    | cells((("Ground truth",),), MEDLANE_HEADS[1:]),
    "msd-table-2": {("Annotations", f"{what}, train") for what in ("Expert", "Layman", "ratio")},
}
"""Cells without a number: simplification has one direction alone, and the program of METEOR 1.5 is not here."""
UNSURE = {"plaba-table-4": ("Against the sources", "Against the references")}
"""Columns that need texts whose grades differ, which these few and small models may not write."""


@pytest.mark.soak
def test_ratings_from_elsewhere_are_the_column_of_msd_s_table_4(folder):
    """8 judgements a direction, whose means are worked by hand: 24 / 8 and 26 / 8."""
    study, _ = made("msd-table-4", folder)
    wanted = {EAST: [(5, 4), (3, 3), (2, 1), (4, 2)], WEST: [(1, 2), (2, 2), (5, 5), (4, 5)]}
    rows = ["rater,source,system,content"]
    for way, ratings in wanted.items():
        source, _, target = way.partition(" to ")
        sources = study.directions.get(source_style=source, target_style=target).sentences.filter(split="test")
        for sentence, given in zip(sources.order_by("number"), ratings, strict=True):
            rows += [f"{who},{sentence.text},DeleteAndRetrieve,{value}" for who, value in zip("ab", given, strict=True)]
    (folder / "ratings.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    study = apply(ROOT / "docs/recipes/msd-table-4.toml", folder, RATINGS)
    table = table_of(study)
    assert table["head"][-1].endswith("people")
    by_row = {(row[0], row[1]): row[-1] for row in texts(table)}
    assert (by_row["DeleteAndRetrieve", EAST], by_row["DeleteAndRetrieve", WEST]) == ("3.00", "3.25")
    assert by_row["OpenNMT+PT", EAST] == "–"


RATINGS = """
[[ratings]]
file = "ratings.csv"
mapping = { rater = "rater", source = "source", system = "system", content = "rating: content" }
[ratings.criteria]
content = { scale = "content_5", aspect = "meaning", beside = "source_and_reference" }
"""


@pytest.mark.soak
def test_edit_distance_and_bleu_of_msd_s_table_3_are_those_worked_by_hand(folder):
    """From "Thou art" to "You are" are 3 edits; Yelp's references are their sources and " not", 4 edits.

    All that Yelp's sources say stands in their references, of 11 words to 9: 100 exp(1 - 11 / 9) = 80.07.
    """
    _, table = made("msd-table-3", folder)
    by_row = {row[0]: row[1:] for row in texts(table)}
    assert by_row["Shakespeare to modern"][::2] == ["2", "3.00"]
    assert by_row["Yelp to yelp_rewritten"] == ["2", "80.07", "4.00"]
    assert by_row["Expert to layman"][0] == str(recipe_data.TEST_PAIRS)
