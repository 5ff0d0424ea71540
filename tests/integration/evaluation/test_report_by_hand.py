"""Studies drawn at random: the numbers of their reports are worked out anew from the answers that can be exported.

The plain computation (`support.plain_statistics`) knows the export's rows, the file's and the texts; of BLEU and chrF
it is sacreBLEU's.
"""

from collections import defaultdict
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import sacrebleu
from django.db import transaction
from hypothesis import given, settings
from support.drawn_studies import SCALES, by_output, designs, made, said_of, texts_of
from support.plain_statistics import leaderboard as plain
from support.plain_statistics.agreement import alpha

from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.make_report import make_report
from evaluation.drilldown import rows_behind
from evaluation.snapshot_builder.build import build_snapshot, read_study
from evaluation.table_parts.columns import joint_column, subsets_of

pytestmark = pytest.mark.django_db
JOINT = ["J = product by sentence: fluency, meaning", "T = product of means: fluency, meaning"]
METRICS = ("bleu", "chrf", "pinc")
DRAWS, ALPHA = 1000, 0.05
SOME = settings.default.max_examples // 3  # a study and its report take half a second


@settings(max_examples=SOME)
@given(designs())
def test_every_number_is_worked_out_anew(design):
    with transaction.atomic():
        drawn = made(design)
        choose_report(study=drawn.study, averaging=design["averaging"], joint=JOINT, variant="raw")
        choose_metrics(study=drawn.study, metrics={name: {} for name in METRICS})
        content = make_report(study=drawn.study).content
        held_to(drawn, content, design["averaging"])
        transaction.set_rollback(True)


def held_to(drawn, content, averaging):
    rows, home = {row["name"]: row for row in content["systems"]}, drawn.home
    order = [system.name for system in drawn.systems]
    values = {name: {system.name: by_output(drawn, system, name) for system in drawn.systems} for name in SCALES}
    boards = content["leaderboard"]
    for criterion in [name for name in SCALES if any(values[name].values())]:
        for system in drawn.systems:
            held_to_mean(drawn, system, criterion, rows[system.name], averaging)
        number = partial(averaged_over, values[criterion], averaging)
        present = {name: at_every_place(units, home) for name, units in values[criterion].items()}
        held_to_board(boards["criteria"][criterion], present, number, order, home)
        held_to_tests(boards["criteria"][criterion], values[criterion], averaging, home)
        held_to_agreement(content["agreement"], criterion, drawn)
    held_to_standardized(drawn, rows, averaging)
    held_to_joint_scores(drawn, content, values, averaging)
    texts = {system.name: texts_of(drawn, system) for system in drawn.systems}
    for metric in METRICS:
        held_to_metric(metric, texts, rows, boards["metrics"][metric], home)
    pincs = {name: {n: [pinc(one[1], one[0])] for n, one in of.items()} for name, of in texts.items()}
    held_to_tests(boards["metrics"]["pinc"], pincs, "sentence", home)
    held_to_correlations(content["correlations"], values, pincs, averaging, home)
    for criterion, rests in content["trust"]["criteria"].items():
        held_to_trust(rests, values[criterion], pincs, averaging, home)
    assert content["raters"]["count"] == len({row[0] for row in drawn.rows})


def at_every_place(units, home):
    """All units of the sources of some: what was judged at one place stands for the others when systems are ranked."""
    sources = {home[unit] for unit in units}
    return {unit for unit, source in home.items() if source in sources}


def averaged_over(values, averaging, name, units):
    return plain.averaged(plain.only(values[name], units), averaging)


def held_to_mean(drawn, system, criterion, row, averaging):
    said = said_of(drawn, system, criterion)
    values, found = by_output(drawn, system, criterion), row["human"][criterion]
    wanted = plain.averaged(values, averaging)
    assert found["mean"] == pytest.approx(wanted), (criterion, system.name)
    assert found["n"] == len(said)
    if len(said) > 1:
        low, high = plain.interval(said, averaging)
        assert (found["low"], found["high"]) == (pytest.approx(low), pytest.approx(high))
    without = plain.averaged(by_output(drawn, system, criterion, drawn.excluded), averaging)
    assert row["variants"]["filtered"].get(criterion, {"mean": None})["mean"] == pytest.approx(without)
    if wanted is not None:
        behind = rows_behind(drawn.study, {"system": system.name, "criterion": criterion})
        assert behind.value == pytest.approx(wanted)
        assert behind.many == len(said)


def held_to_board(board, present, number, order, home):
    """Values, what orders them, and places; `number(system, units)`, `present` {system: what it has}."""
    values = {row["system"]: row for row in board["rows"]}
    ranked = plain.ranked(number, present, order, home)
    sign = 1 if board["better"] else -1
    for name in order:
        wanted = number(name, present[name]) if present[name] else None
        assert values[name]["value"] == pytest.approx(wanted, abs=1e-9), name
        assert values[name]["ranked"] == pytest.approx(ranked.get(name), abs=1e-7), (name, board["note"])
        if name in ranked:
            above = sum(sign * (other - ranked[name]) > 1e-7 for other in ranked.values())
            assert values[name]["place"] == 1 + above
    assert bool(board["note"]) >= (len({frozenset(present[name]) for name in ranked}) > 1)


def held_to_tests(board, values, averaging, home):
    """p against the share of all swaps, within what draws may be off; what follows from p exactly."""
    rows = {row["system"]: row for row in board["rows"]}
    competing = [row["system"] for row in board["rows"] if row["ranked"] is not None]
    baseline = next((name for name in values if name in competing), None)
    tested = [name for name in values if name in competing and rows[name]["difference"] is not None]
    exact = {(a, b): plain.exact_p(values[a], values[b], averaging, home) for a, b in combinations(competing, 2)}
    for name in tested:
        row = rows[name]
        difference, _, units = plain.swapped(values[name], values[baseline], averaging, home)
        assert row["difference"] == pytest.approx(difference, abs=1e-9)
        p = exact.get((name, baseline), exact.get((baseline, name)))
        assert (row["p"] is None) == (p is None), units
        assert p is None or row["p"] == pytest.approx(p, abs=off_by(p))
    corrected = plain.holm([rows[name]["p"] for name in tested])
    assert [rows[name]["corrected"] for name in tested] == pytest.approx(corrected)
    assert [rows[name]["stars"] for name in tested] == ["*" if p is not None and p < ALPHA else "" for p in corrected]
    after = dict(zip(exact, plain.holm(list(exact.values())), strict=True))
    if all(p is None or abs(p - ALPHA) > len(exact) * off_by(p) for p in after.values()):
        differ = {pair for pair, p in after.items() if p is not None and p < ALPHA}
        numbers = plain.clusters(competing, lambda a, b: (a, b) in differ)
        assert {name: rows[name]["cluster"] for name in competing} == numbers


def off_by(p):
    """Six deviations of the share of so many draws, and the one that is added to them."""
    return 6 * (p * (1 - p) / DRAWS) ** 0.5 + 2 / DRAWS


def held_to_agreement(rows, criterion, drawn):
    """Alpha over texts, each of a sentence, that two people judged; a judgement of one system is of another text."""
    row = next(row for row in rows if (row["criterion"], row["coefficient"]) == (criterion, "krippendorff_alpha"))
    judged = defaultdict(dict)
    for rater, number, _, text, system, asked, value in drawn.rows:
        if asked == criterion:
            judged[number, text, system][rater] = value
    several = {key: of for key, of in judged.items() if len(of) > 1}
    assert row["items"] == len(several)
    wanted = alpha([[int(value) for value in of.values()] for of in several.values()], "ordinal")
    if row["value"] is not None:
        assert row["value"] == pytest.approx(wanted)


def held_to_standardized(drawn, rows, averaging):
    """Each value less its rater's mean on the criterion, over their deviation; none of who gave one value alone."""
    given = defaultdict(list)
    for rater, *_, criterion, value in drawn.rows:
        given[rater, criterion].append(value)
    for criterion in SCALES:
        for system in drawn.systems:
            standardized = defaultdict(list)
            for number, _, rater, value in said_of(drawn, system, criterion):
                own = given[rater, criterion]
                if len(set(own)) > 1:
                    standardized[number].append((value - np.mean(own)) / np.std(own, ddof=1))
            found = rows[system.name]["variants"]["z"].get(criterion, {"mean": None})["mean"]
            assert found == pytest.approx(plain.averaged(standardized, averaging), abs=1e-9), (criterion, system.name)


def on_0_to_1(values, criterion):
    _, low, high = SCALES[criterion]
    return {n: [(value - low) / (high - low) for value in of] for n, of in values.items()}


def held_to_joint_scores(drawn, content, values, averaging):
    boards, order = content["leaderboard"]["joint"], [system.name for system in drawn.systems]
    if not all(any(of.values()) for of in values.values()):
        assert all(board["undefined"] for board in boards.values())
        return
    parts = {name: [on_0_to_1(values[criterion][name], criterion) for criterion in SCALES] for name in order}
    snapshot = build_snapshot(drawn.study, read_study(drawn.study), content).snapshot
    halves = {"even": {n for n in drawn.home if n % 2 == 0}, "odd": {n for n in drawn.home if n % 2}}
    for joint, of in (("J", by_sentence), ("T", partial(of_means, averaging))):
        if not boards[joint]["rows"]:
            continue
        found = {row["system"]: row["value"] for row in boards[joint]["rows"]}
        for name in order:
            assert found[name] == pytest.approx(of(parts[name], set(drawn.home))), (joint, name)
        for part in subsets_of(snapshot):
            if part.label in halves:
                cells = [cell.value for cell in joint_column(snapshot, joint, part).cells]
                assert cells == pytest.approx([of(parts[name], halves[part.label]) for name in order]), part.label
    if boards["J"]["rows"]:
        judged = {name: at_every_place(part[0].keys() & part[1].keys(), drawn.home) for name, part in parts.items()}
        held_to_board(boards["J"], judged, lambda name, units: by_sentence(parts[name], units), order, drawn.home)


def by_sentence(parts, units):
    both = parts[0].keys() & parts[1].keys() & units
    return plain.mean(plain.mean(parts[0][n]) * plain.mean(parts[1][n]) for n in both)


def of_means(averaging, parts, units):
    means = [plain.averaged(plain.only(part, units), averaging) for part in parts]
    return None if None in means else means[0] * means[1]


def held_to_metric(metric, texts, rows, board, home):
    scored = {name: {n: one for n, one in of.items() if metric == "pinc" or one[2]} for name, of in texts.items()}

    def number(name, units):
        return corpus_score(metric, [scored[name][n] for n in sorted(units)])

    for name, of in scored.items():
        found = rows[name]["metrics"][metric]
        assert (found["score"] is None, found["n"]) == (not of, len(of))
    if any(scored.values()):
        held_to_board(board, {name: set(of) for name, of in scored.items()}, number, list(scored), home)


def corpus_score(metric, rows):
    sources, outputs, references = zip(*rows, strict=True)
    if metric == "pinc":
        return plain.mean(map(pinc, outputs, sources))
    authority = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF}[metric]()
    return authority.corpus_score(outputs, [list(of) for of in zip(*references, strict=True)]).score


def pinc(output, source):
    """100 x the mean over n = 1 to 4 of the share of the output's distinct n-grams that its source lacks."""
    shares = []
    for n in range(1, 5):
        new, old = (
            {tuple(words[at : at + n]) for at in range(len(words) - n + 1)}
            for words in (output.lower().split(), source.lower().split())
        )
        shares += [len(new - old) / len(new)] if new else []
    return 100 * plain.mean(shares) if shares else 0.0


def held_to_correlations(rows, values, pincs, averaging, home):
    """Pearson's r with PINC: over judged outputs, and over systems that are made comparable."""
    for row in rows:
        if (row["metric"], row["coefficient"]) == ("pinc", "pearson"):
            judged = values[row["criterion"]]
            points = outputs_of if row["level"] == "sentence" else partial(systems_of, averaging, home)
            held_to_r(row, points(pincs, judged))


def held_to_trust(rests, judged, pincs, averaging, home):
    """PINC scored every output, so that nothing narrows what it is compared over but who was judged."""
    of_judged = {name: pincs[name] for name, of in judged.items() if of}
    sentence, system = (
        next(row for row in rests[level] if row["metric"] == "pinc") for level in ("sentence", "system")
    )
    held_to_r(sentence, outputs_of(pincs, judged))
    held_to_r(system, systems_of(averaging, home, of_judged, judged))
    sources = {name: {home[n] for n in of} for name, of in judged.items() if of}
    uneven = len(set(map(frozenset, sources.values()))) > 1
    assert (rests["uneven"] is not None) == uneven
    if uneven:
        shared, every = set.intersection(*sources.values()), set.union(*sources.values())
        assert (rests["uneven"]["shared"], rests["uneven"]["judged"]) == (len(shared), len(every))


def outputs_of(pincs, judged):
    return [(pincs[name][n][0], plain.mean(of[n])) for name, of in judged.items() for n in of]


def systems_of(averaging, home, pincs, judged):
    scores, means = comparable(pincs, "sentence", home), comparable(judged, averaging, home)
    return [(scores[name], means[name]) for name in scores if name in means]


def held_to_r(row, points):
    assert row["n"] == len(points)
    if row["value"] is not None:
        assert row["value"] == pytest.approx(np.corrcoef(*zip(*points, strict=True))[0, 1], abs=1e-6)


def comparable(given, averaging, home):
    """The systems' own numbers where all have the same sources, else what fits the differences of each two."""
    present = {name: set(of) for name, of in given.items() if of}
    number = partial(averaged_over, given, averaging)
    if len({frozenset(home[unit] for unit in units) for units in present.values()}) < 2:
        return {name: number(name, units) for name, units in present.items()}
    return plain.comparable(number, present, home)
