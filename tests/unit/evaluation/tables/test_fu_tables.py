"""The tables and figures of Fu et al.: the paper's own rows, and numbers worked out by hand and by scipy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from support.paper_snapshots import FU_SYSTEMS, fu_like
from support.snapshots import bare, by_value, judged, reported, snapshot_of, system, units_of

from evaluation.table_parts.contents import Figure, MissingContent, Table
from evaluation.tables import TABLES
from evaluation.tables.fu import USUAL
from foundation.options import list_options
from foundation.papers import FU
from modelserving.transfer import TRANSFERS

NAMES = ["fu_table_2", "fu_table_3", "fu_table_4", "fu_table_5", "fu_figure_2", "fu_figure_3"]

# Fu et al. 2018, Tables 3 to 5: encoder's dimension (and the style's), transfer strength, content preservation.
AUTO = [(32, 0.035, 0.9118), (64, 0.021, 0.9524), (128, 0.0135, 0.9837)]
MULTI = [(32, 0.9915, 0.8335), (64, 0.9705, 0.8440), (128, 0.842, 0.8705)]
STYLE = [
    (32, 32, 0.593, 0.8966), (32, 64, 0.465, 0.9157), (32, 128, 0.282, 0.9435), (64, 32, 0.596, 0.8957),
    (64, 64, 0.485, 0.9153), (64, 128, 0.2745, 0.9440), (128, 32, 0.595, 0.8960), (128, 64, 0.4825, 0.9146),
    (128, 128, 0.267, 0.9439),
]  # fmt: skip


@pytest.fixture(scope="module")
def snapshot():
    return fu_like()


@pytest.fixture(scope="module")
def published():
    """A snapshot of the paper's fifteen models, in no order, with its numbers."""
    texts = ["a title", "another title"]
    models = [("auto-encoder", {"word": 64, "encoder": one[0]}, *one[1:]) for one in AUTO]
    models += [("multi-decoder", {"word": 64, "encoder": one[0]}, *one[1:]) for one in MULTI]
    models += [("style-embedding", {"word": 64, "encoder": one[0], "style": one[1]}, *one[2:]) for one in STYLE]
    models = [models[at] for at in np.random.default_rng(1).permutation(len(models))]
    systems = [
        system(f"{family} {number}", texts, family=family, options=options)
        for number, (family, options, *_) in enumerate(models)
    ]
    scores = {
        "transfer_strength": [by_value([strength] * 2) for *_, strength, _ in models],
        "content_preservation": [by_value([content] * 2) for *_, content in models],
    }
    return snapshot_of(units_of(texts), systems, (), scores)


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def values(table):
    return [tuple(cell.value for cell in row) for row in table.rows]


def test_each_stands_where_the_paper_has_it():
    assert [TABLES[name].paper for name in NAMES] == [FU] * 6
    for name in NAMES:
        kind, number = name.removeprefix("fu_").split("_")
        assert TABLES[name].number == f"{kind.capitalize()} {number}"


@pytest.mark.parametrize(("name", "rows"), [("fu_table_3", AUTO), ("fu_table_4", MULTI), ("fu_table_5", STYLE)])
def test_tables_3_to_5_give_the_papers_rows_in_its_order(published, name, rows):
    table = made(name, published)
    assert values(table) == [pytest.approx(row) for row in rows]
    assert list(table.head)[-2:] == ["Transfer strength", "Content preservation"]
    assert list(table.head)[:-2] == ["encoder", "style"][: len(rows[0]) - 2]
    assert table.notes[0] == "In all of them word is 64."
    assert table.rows[0][-1].text == f"{rows[0][-1]:.4f}"
    assert set(table.rows[0][-1].rows) == {"system", "metric"}


def test_seeds_of_one_model_are_one_row(snapshot):
    table = made("fu_table_5", snapshot)
    assert [row[0].value for row in table.rows] == [32, 64], "the smaller style first"
    strength = [found.corpus for found in snapshot.scores["transfer_strength"]]
    assert table.rows[1][1].value == pytest.approx((strength[4] + strength[5]) / 2)
    assert table.rows[1][1].parts["deviation"] == pytest.approx(np.std([strength[4], strength[5]], ddof=1))
    assert table.rows[0][1].value == pytest.approx(strength[6])


def test_a_family_is_found_however_it_is_written(snapshot):
    assert [row[0].value for row in made("fu_table_4", snapshot).rows] == [32]
    assert [row[0].value for row in made("fu_table_3", snapshot).rows] == [32, 64, 128]
    assert made("fu_table_4", snapshot).notes[0].startswith("Several seeds")


def test_options_that_are_words_come_after_numbers(snapshot):
    systems = [replace(row, options={"encoder": "bi"}) if row.name == "auto 32" else row for row in snapshot.systems]
    table = made("fu_table_3", reported(replace(snapshot, systems=systems)))
    head = list(table.head)
    assert [row[head.index("encoder")].text for row in table.rows] == ["64", "128", "bi"]


def test_tables_3_to_5_say_what_is_lacking(snapshot):
    missing = "No system is of the family auto-encoder: give its systems that family, and their dimensions as options."
    assert made("fu_table_3", bare()).reasons == [
        "Choose Transfer strength and Content on the page Choose metrics.", missing
    ]  # fmt: skip
    plain = [replace(row, options={}) for row in snapshot.systems]
    assert made("fu_table_4", replace(snapshot, systems=plain)).reasons == [
        "The systems of the family Multi-Decoder have no options: give each its dimensions, such as the encoder's."
    ]


def test_table_2_has_every_systems_outputs(snapshot):
    table = made("fu_table_2", snapshot)
    names = [row[0].text for row in table.rows]
    assert names[0] == "Source"
    assert names[-7:] == [name for name, *_ in FU_SYSTEMS]
    unit = snapshot.units.sources.index(table.rows[0][1].text)
    assert table.rows[-1][1].text == snapshot.systems[-1].outputs[unit]


def test_figure_2_has_a_point_a_system_and_the_lower_bound(snapshot):
    figure = made("fu_figure_2", snapshot)
    assert [row["system"] for row in figure.rows] == [name for name, *_ in FU_SYSTEMS]
    for place, row in enumerate(figure.rows):
        assert row["transfer_strength"] == snapshot.scores["transfer_strength"][place].corpus
        assert row["content_preservation"] == snapshot.scores["content_preservation"][place].corpus
        assert row["lower_bound"] == pytest.approx(0.53), "the mean of 0.50 to 0.56"
    assert figure.rows[4]["options"] == "encoder 32, style 64"
    assert "lower bound of content preservation is 0.530" in figure.describes
    copied = replace(by_value([1.0]), details={"lower_bound": 0.609})
    with_foil = replace(snapshot, baselines={"copied_source": {"content_preservation": copied}})
    assert made("fu_figure_2", with_foil).rows[0]["lower_bound"] == 0.609


def test_figure_2_leaves_out_what_was_not_scored(snapshot):
    nothing = by_value([np.nan] * 12)
    scores = {**snapshot.scores, "transfer_strength": [nothing, None, *snapshot.scores["transfer_strength"][2:]]}
    assert len(made("fu_figure_2", replace(snapshot, scores=scores)).rows) == 5
    scores = {**snapshot.scores, "transfer_strength": [nothing] * 7}
    assert made("fu_figure_2", replace(snapshot, scores=scores)).reasons == [
        "No system has both a transfer strength and a content preservation. None of the sentences has a score."
    ]
    without = {name: [replace(one, details={}) for one in found] for name, found in snapshot.scores.items()}
    figure = made("fu_figure_2", replace(snapshot, scores=without))
    assert figure.notes == []
    assert [layer["mark"]["type"] for layer in figure.spec["layer"]] == ["line", "point"], "no rule"
    assert [layer["mark"]["type"] for layer in made("fu_figure_2", snapshot).spec["layer"]] == ["line", "point", "rule"]


def test_figure_3_is_scipys_spearman(snapshot):
    figure = made("fu_figure_3", snapshot)
    one, found = snapshot.judgements["raw"]["similarity"], snapshot.scores["content_preservation"]
    expected = [
        (found[place].sentences[unit], one.value[(one.system == place) & (one.unit == unit)].mean())
        for place in (2, 4) for unit in range(12) if (place, unit) != (2, 0)
    ]  # fmt: skip
    assert [(row["content_preservation"], row["people"]) for row in figure.rows] == [
        pytest.approx(pair) for pair in expected
    ]
    rho = stats.spearmanr(*zip(*expected, strict=True))
    assert figure.notes[0].startswith(f"Spearman's rho is {rho.statistic:.3f} over 23 outputs (p = 0.002)")
    assert rho.pvalue < 0.001  # which takes outputs of one source as independent


def test_the_noise_of_figure_3_is_small_and_the_same_each_time(snapshot):
    rows = made("fu_figure_3", snapshot).rows
    noise = np.array([row["shown"] - row["people"] for row in rows])
    assert 0 < np.abs(noise).max() < 0.06 * 5, "five deviations of 3% of a scale from 0 to 2"
    assert made("fu_figure_3", snapshot).rows == rows
    assert made("fu_figure_3", replace(snapshot, seed=2)).rows != rows


def test_figure_3_of_ties_has_no_correlation():
    texts = [f"title {one}" for one in range(6)]
    people = [judged("similarity", [(unit, 0, 0, 2.0) for unit in range(6)], aspect="meaning", scale="similarity_3",
                     ends=(0, 2))]  # fmt: skip
    scores = {"content_preservation": [by_value(np.linspace(0, 1, 6))]}
    figure = made("fu_figure_3", snapshot_of(units_of(texts), [system("S", texts)], people, scores))
    assert figure.notes[0].startswith("There is no correlation: ")


def test_figure_3_says_what_is_lacking(snapshot):
    found = made("fu_figure_3", bare()).reasons
    assert found[0] == "Choose Content on the page Choose metrics."
    assert found[1].startswith("People have not judged meaning")
    unscored = {"content_preservation": [by_value([np.nan] * 12)] * 7}
    assert made("fu_figure_3", replace(snapshot, scores=unscored)).reasons == [
        "No output has both a judgement and a score of content preservation."
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_without_systems_still_answers(name):
    found = made(name, replace(bare(), systems=[], baseline=None))
    assert isinstance(found, Table | Figure | MissingContent)


@pytest.mark.parametrize(("like", "said"), [("|longest:80|", True), ("|longest:20-last|", False)])
def test_a_table_says_where_a_metric_is_not_as_the_program_of_the_authors(published, like, said):
    """Whose word a number follows where the paper is silent is told beside it."""
    signed = [replace(one, signature=f"metric:transfer_strength|model:lstm{like}") for one in
              published.scores["transfer_strength"]]  # fmt: skip
    table = made("fu_table_5", replace(published, scores={**published.scores, "transfer_strength": signed}))
    note = 'Transfer strength: not all as the authors\' program, which the setting like = "fu" would have.'
    assert (note in table.notes) == said


def test_a_model_of_the_usual_dimensions_has_its_row_too():
    """A system that was trained here keeps only the options that are not as usual: the row of 64 was left out."""
    dimensions = [{"hidden": 32}, {}, {"hidden": 128}]
    systems = [
        system(f"Auto-encoder {number}", ["a"], seed=1, options=options) for number, options in enumerate(dimensions)
    ]
    scores = {name: [by_value([value]) for value in (0.1, 0.2, 0.3)] for name in ("transfer_strength",
                                                                                "content_preservation")}  # fmt: skip
    table = made("fu_table_3", snapshot_of(units_of(["a title"]), systems, (), scores))
    assert table.head == ["hidden", "Transfer strength", "Content preservation"]
    assert [row[0].text for row in table.rows] == ["32", "64", "128"]


def test_the_usual_dimensions_are_those_of_the_models():
    for name in ("auto_encoder", "multi_decoder", "style_embedding"):
        usual = {one.name: one.default for one in list_options(TRANSFERS[name].Options)}
        wanted = USUAL | ({"style": 64} if name == "style_embedding" else {})
        assert {key: usual[key] for key in wanted} == wanted
