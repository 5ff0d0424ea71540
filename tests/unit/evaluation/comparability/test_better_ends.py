"""A study with both directions: each measure of style stands once for each, with the better end that it has there.

`Right` writes what each direction asks for and is best in all else. `Stiff` is formal and `Loose` informal in both: a
report that took a number's direction for its worth would have one of them lead.
"""

from dataclasses import replace

import numpy as np
import pytest
from support import snapshots

from evaluation.comparability.better_ends import DIRECTIONS_DIFFER, better_in, by_direction, label_of_metric, measured
from evaluation.comparability.order_of_boards import main_criteria
from evaluation.snapshot import joint_scores
from evaluation.table_building import tables_json
from evaluation.table_parts.contents import Figure, Table
from evaluation.tables import TABLES
from evaluation.views.claims import leading, trusted

UNITS = 24
DIRECTIONS = (("informal", "formal"), ("formal", "informal"))
UP, DOWN = "informal to formal", "formal to informal"
NAMES = ["Right", "Stiff", "Loose", "Copy"]
PEOPLE = {
    "formality": ("style", "formality_7"),
    "fluency": ("fluency", "fluency_5"),
    "meaning": ("meaning", "meaning_6"),
}
HIGHER = ("grammaticality", "semantic_similarity", "style_accuracy", "bleu", "sari")


def tone(name, way):
    """How formal a system's outputs are, from -3 to 3, where 1 is the way to formal and -1 back."""
    return {"Right": 2.0 * way, "Stiff": 2.6, "Loose": -2.6, "Copy": -1.5 * way}[name]


def quality(name):
    return {"Right": 4.5, "Stiff": 3.0, "Loose": 2.8, "Copy": 2.0}[name]


def wiggle(*key):
    return float(np.random.default_rng(list(key)).normal(0, 0.2))


def ways():
    return [1 if unit < UNITS // 2 else -1 for unit in range(UNITS)]


def both_ways(directions=DIRECTIONS, meant=None, only=None):
    """Formality judged and scored by what it is, all else by who is better."""
    sources = [f"source number {unit} with {'a ' * (unit % 5)}few words" for unit in range(UNITS)]
    direction = [0 if way > 0 else 1 for way in ways()]
    units = snapshots.units_of(
        sources, [[f"reference {source}"] for source in sources], directions=directions, direction=direction
    )
    units = replace(units, domains=["Music" if unit % 2 else "Family" for unit in range(UNITS)])
    kept = [unit for unit in range(UNITS) if only is None or direction[unit] == only]
    systems = [
        snapshots.system(name, [f"{name} {unit}" if unit in kept else None for unit in range(UNITS)]) for name in NAMES
    ]
    judged = []
    for name, (aspect, scale) in PEOPLE.items():
        rows = [
            (unit, place, rater, value(name, system, unit) + wiggle(unit, place, rater))
            for unit in kept
            for place, system in enumerate(NAMES)
            for rater in range(2)
        ]
        made = snapshots.judged(name, rows, aspect=aspect, scale=scale, level="ordinal", ends=(-3.0, 6.0))
        judged.append(replace(made, poles=("informal", "formal") if name == "formality" else None))
    metrics = {"formality": lambda name, unit: tone(name, ways()[unit])}
    metrics |= {metric: lambda name, unit: quality(name) for metric in HIGHER}
    metrics["ter"] = lambda name, unit: 10 - quality(name)
    scores = {
        metric: [
            snapshots.by_value(
                [of(name, unit) + wiggle(unit, place, 9) if unit in kept else np.nan for unit in range(UNITS)]
            )
            for place, name in enumerate(NAMES)
        ]
        for metric, of in metrics.items()
    }
    scale = {"lowest": 0.0, "highest": 4.0}  # on which it was learnt
    scores["grammaticality"] = [replace(one, details=scale) for one in scores["grammaticality"]]
    made = snapshots.snapshot_of(units, systems, judged, scores, meant=meant or {}, baseline=3, correction="holm")
    return snapshots.reported(by_direction(made))


def value(criterion, name, unit):
    return tone(name, ways()[unit]) if criterion == "formality" else quality(name)


@pytest.fixture(scope="module")
def snapshot():
    return both_ways()


def test_each_measure_of_style_stands_once_for_each_direction(snapshot):
    assert list(snapshot.judgements["raw"]) == [f"formality ({UP})", f"formality ({DOWN})", "fluency", "meaning"]
    assert [one.better for one in snapshot.judgements["raw"].values()] == [True, False, True, True]
    keys = [key for key in snapshot.scores if key.startswith("formality")]
    assert keys == [f"formality ({UP})", f"formality ({DOWN})"]
    assert [measured(snapshot, key).better for key in keys] == [True, False]
    assert label_of_metric(keys[1]) == f"Formality ({DOWN})"
    here = snapshot.units.direction == 1
    for one in snapshot.scores[keys[1]]:
        assert (one.there == here).all()
        assert np.isnan(one.sentences[~here]).all()
        assert one.corpus == pytest.approx(one.sentences[here].mean())


def test_the_system_that_does_what_each_direction_asks_leads_every_board(snapshot):
    board = snapshot.report["leaderboard"]
    boards = [(name, one) for kind in ("criteria", "metrics", "combined") for name, one in board[kind].items()]
    assert len(boards) == 4 + 2 + len(HIGHER) + 1 + 2
    for name, one in boards:
        style = name.startswith("formality")
        expected = {UP: ["Stiff", "Right"], DOWN: ["Loose", "Right"]}[name[11:-1]] if style else ["Right"]
        assert [row["system"] for row in one["rows"]][: len(expected)] == expected, name


def test_the_main_criterion_of_a_plan_is_that_of_its_direction(snapshot):
    up, down = f"formality ({UP})", f"formality ({DOWN})"
    for planned, expected in (
        ([("formality", ("formal", "informal"))], [down]), ([("formality", ())], [up, down]),
        ([("meaning", ("formal", "informal")), ("gone", ())], ["meaning"]), ([], []),
    ):  # fmt: skip
        assert main_criteria(replace(snapshot, planned=planned)) == expected


def test_claims_name_them(snapshot):
    boards = snapshot.report["leaderboard"]["criteria"]
    assert "Stiff" in leading("Formality", boards[f"formality ({UP})"])
    said = leading("Formality", boards[f"formality ({DOWN})"])
    assert "Loose" in said
    assert "Stiff" not in said


def test_every_best_number_of_every_table_is_a_good_systems(snapshot):
    """No table marks the formal one best where it goes to informal, nor the informal one where it goes to formal."""
    tables = {name: TABLES[name].make(snapshot) for name in TABLES}
    seen = 0
    for name, made in tables.items():
        if not isinstance(made, Table) or made.head[0] not in ("System", "Model"):
            continue
        for row in made.rows:
            for head, cell in zip(made.head, row, strict=True):
                said = f"{head} {row[1].text}"
                wrong = {"Stiff"} if DOWN in said else {"Loose"} if UP in said else {"Stiff", "Loose"}
                if cell.best:
                    seen += 1
                    assert row[0].text not in {*wrong, "Copy"}, (name, head, row[0].text)
    assert seen > 40
    assert sum(isinstance(table, Table) for table in tables.values()) > 12


def test_the_drawn_leaderboard_has_a_panel_a_direction(snapshot):
    made = TABLES["leaderboard_figure"].make(snapshot)
    assert isinstance(made, Figure)
    first = {row["panel"]: row["system"] for row in reversed(made.rows)}
    assert first[f"Formality ({UP})"] == "Stiff"
    assert first[f"Formality ({DOWN}) (low is good)"] == "Loose"


def test_a_metric_of_style_agrees_with_people_in_both_directions(snapshot):
    found = snapshot.report["trust"]["criteria"]
    for direction in (UP, DOWN):
        there = {row["metric"]: row for row in found[f"formality ({direction})"]["sentence"]}
        assert there[f"formality ({direction})"]["value"] > 0.9
        other = DOWN if direction == UP else UP
        assert f"formality ({other})" not in there
        assert (
            f"formality ({direction}) agrees best"
            in trusted("x", found[f"formality ({direction})"], "sentence").lower()
        )
    assert not any(row["metric"].startswith("formality") for row in found["fluency"]["sentence"])


def test_correlations_compare_the_same_direction(snapshot):
    pairs = {
        (one["metric"], one["criterion"]): one for one in snapshot.report["correlations"] if one["level"] == "system"
    }
    assert (f"formality ({UP})", f"formality ({DOWN})") not in pairs
    assert (f"formality ({UP})", "fluency") in pairs
    levels = {one["n"] for one in snapshot.report["correlations"] if one["level"] == "sentence"}
    assert levels == {len(NAMES) * UNITS, len(NAMES) * UNITS // 2}


def test_styles_of_other_names_have_to_be_declared():
    """Without that neither end is the better one; nobody is marked, and all directions stay together."""
    ways_named = (("chat", "letter"), ("letter", "chat"))
    bare = both_ways(ways_named)
    assert bare.judgements["raw"]["formality"].better is None
    assert measured(bare, "formality").better is None
    board = bare.report["leaderboard"]["criteria"]["formality"]
    assert board["better"] is None
    assert "no system is best" in leading("Formality", board)
    said = both_ways(ways_named, {"informal": "chat", "formal": "letter"})
    assert [one.better for one in said.judgements["raw"].values()] == [True, False, True, True]
    assert said.report["leaderboard"]["criteria"]["formality (letter to chat)"]["rows"][0]["system"] == "Loose"


@pytest.mark.parametrize(("only", "first"), [(0, "Stiff"), (1, "Loose")])
def test_a_study_of_one_direction_has_one_row(only, first):
    made = both_ways(only=only)
    assert list(made.judgements["raw"]) == ["formality", "fluency", "meaning"]
    assert made.report["leaderboard"]["criteria"]["formality"]["rows"][0]["system"] == first
    assert made.report["leaderboard"]["metrics"]["formality"]["rows"][0]["system"] == first
    assert better_in(made, "formality") is (only == 0)
    assert tables_json(made)["leaderboard"]["made"]["head"][3] == "Formality"


def without_outputs(snapshot, system, direction):
    """The study of before with no output, score or judgement of a system in a direction."""
    here = snapshot.units.direction == direction

    def narrowed(judged):
        kept = ~((judged.system == system) & here[judged.unit])
        names = ("unit", "system", "rater", "value", "text")
        return replace(judged, **{name: getattr(judged, name)[kept] for name in names})

    rows = list(snapshot.systems)
    written = [None if out else text for text, out in zip(rows[system].outputs, here, strict=True)]
    rows[system] = replace(rows[system], outputs=written)
    scores = {
        name: [
            snapshots.by_value(np.where(here, np.nan, one.sentences)) if place == system else one
            for place, one in enumerate(of)
        ]
        for name, of in snapshot.scores.items()
    }
    judged = {name: narrowed(one) for name, one in snapshot.judgements["raw"].items()}
    variants = dict.fromkeys(("raw", "z", "filtered"), judged)
    return replace(snapshot, systems=rows, scores=scores, judgements=variants, measured={})


def one_way_less():
    """`Loose`, of the family of `Right` and `Stiff`, has no output in the second direction."""
    plain = both_ways(directions=(("technical", "plain"), ("plain", "technical")))
    few = {name: of for name, of in plain.scores.items() if name in ("bleu", "sari")}
    rows = [replace(row, family="Rules" if row.name != "Copy" else "Copy") for row in plain.systems]
    judged = {"raw": {name: one for name, one in plain.judgements["raw"].items() if name == "fluency"}}
    made = without_outputs(replace(plain, scores=few, systems=rows, judgements=judged, joint=[]), 2, 1)
    return made, snapshots.reported(by_direction(made))


THERE, BACK = "technical to plain", "plain to technical"


def test_no_number_is_over_two_directions_where_a_system_has_outputs_of_one():
    before, after = one_way_less()
    assert list(after.scores) == [f"{name} ({way})" for name in ("bleu", "sari") for way in (THERE, BACK)]
    assert list(after.judgements["raw"]) == [f"fluency ({THERE})", f"fluency ({BACK})"]
    there = before.units.direction == 0
    for place, scored in enumerate(before.scores["bleu"]):
        ways = [after.scores[f"bleu ({way})"][place] for way in (THERE, BACK)]
        assert ways[0].corpus == pytest.approx(scored.sentences[there].mean())
        assert (ways[1] is None) == (NAMES[place] == "Loose")
    boards = after.report["leaderboard"]["metrics"]
    for way, ranked in ((THERE, set(NAMES)), (BACK, {"Right", "Stiff", "Copy"})):
        rows = boards[f"bleu ({way})"]["rows"]
        assert {row["system"] for row in rows if row["place"] is not None} == ranked
        assert {row["n"] for row in rows if row["system"] in ranked} == {UNITS // 2}
    lacking = next(row for row in boards[f"bleu ({BACK})"]["rows"] if row["system"] == "Loose")
    assert (lacking["value"], lacking["undefined"]) == (None, "It has no outputs in this direction.")
    assert after.report["directions"] == [
        {"direction": THERE, "units": UNITS // 2}, {"direction": BACK, "units": UNITS // 2}
    ]  # fmt: skip


def test_the_mean_of_seeds_is_over_one_direction_then():
    _, after = one_way_less()
    family = next(one for one in after.report["families"] if one["name"] == "Rules")
    for way, seeds in ((THERE, ["Right", "Stiff", "Loose"]), (BACK, ["Right", "Stiff"])):
        values = [after.scores[f"bleu ({way})"][NAMES.index(name)].corpus for name in seeds]
        assert family["metrics"][f"bleu ({way})"]["n"] == len(seeds)
        assert family["metrics"][f"bleu ({way})"]["mean"] == pytest.approx(np.mean(values))


def test_ranks_are_apart_by_direction_too():
    before, _ = one_way_less()
    rows = [
        (unit, place, 0, 1 + place)
        for unit in range(UNITS)
        for place in range(len(NAMES))
        if before.systems[place].outputs[unit] is not None
    ]
    ranks = snapshots.judged("rank", rows, level="ordinal", ends=(1.0, 4.0))
    after = snapshots.reported(by_direction(replace(before, judgements={"raw": {"rank": ranks}})))
    boards = after.report["leaderboard"]["criteria"]
    assert list(boards) == [f"rank ({THERE})", f"rank ({BACK})"]
    for way, copied in ((THERE, 4.0), (BACK, 3.0)):
        assert {row["system"]: row["value"] for row in boards[f"rank ({way})"]["rows"]}["Copy"] == copied
    assert [one["undefined"] for one in after.report["rater_models"]["ranks"].values()]


def test_all_tables_are_made_of_a_study_that_lacks_a_direction():
    _, after = one_way_less()
    assert len(tables_json(after)) > 0


def test_systems_with_outputs_both_ways_keep_one_number():
    plain = both_ways(directions=(("technical", "plain"), ("plain", "technical")))
    assert "bleu" in plain.scores
    assert "fluency" in plain.judgements["raw"]
    assert plain.report["directions"] == []


def test_scores_of_several_measures_have_no_number_over_different_directions():
    whole = replace(both_ways(), joint=joint_scores(["J = mean of means: fluency, meaning"]))
    board = snapshots.reported(whole).report["leaderboard"]
    assert board["combined"]["human"]
    assert not board["joint"]["J"]["undefined"]
    apart = snapshots.reported(replace(without_outputs(whole, 2, 1), measured=whole.measured))
    board = apart.report["leaderboard"]
    assert board["combined"] == {"human": None, "metrics": None}
    assert board["joint"]["J"]["undefined"] == DIRECTIONS_DIFFER
    assert board["joint"]["J"]["rows"] == []
