"""By system: every draw of sources, worked out again in plain Python from the drawn texts and judgements themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.correlation import bootstrap_system_scores, correlate_system_scores
from evaluation.metrics import METRICS, MetricInput
from evaluation.resampling import Bootstrap, SufficientStatistics
from evaluation.statistics import STATISTICS, Coefficient, of_kind

pytestmark = pytest.mark.filterwarnings("error")

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "here",
    "there",
    ".",
    "Really",
    "very",
    "slowly",
    "home",
    "again",
    "beautiful",
]
SOURCES, JUDGED, SYSTEMS = 14, 9, 5
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def made(seed=0):
    """Texts of 5 systems over 14 sources, and judgements of 9 of the sources, one or two an output."""
    numbers = np.random.default_rng(seed)

    def text():
        return " ".join(numbers.choice(WORDS, numbers.integers(1, 9)))

    sources = [text() for _ in range(SOURCES)]
    references = [[text() for _ in range(numbers.integers(1, 4))] for _ in sources]
    outputs = [[references[i][0] if numbers.random() < s / 9 else text() for i in range(SOURCES)] for s in range(5)]
    judged = [[list(numbers.integers(1, 6, numbers.integers(1, 3))) for _ in range(JUDGED)] for _ in range(SYSTEMS)]
    return sources, references, outputs, judged


def mean(sums):
    return np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)


def summed(metric, texts):
    sources, references, outputs, judged = texts
    scores = [
        SufficientStatistics(
            np.arange(SOURCES),
            metric.score(MetricInput(sources, o, references)).sufficient_statistics,
            metric.corpus_of,
        )
        for o in outputs
    ]
    human = [
        SufficientStatistics(np.arange(JUDGED), np.array([(sum(v), len(v)) for v in values], dtype=float), mean)
        for values in judged
    ]
    return scores, human


def correlate_systems(metrics, criteria, coefficients, draws):
    xs, ys = bootstrap_system_scores(metrics, criteria, draws)
    return {
        (metric, criterion, name): correlate_system_scores(coefficient, xs[metric], ys[criterion])
        for metric in xs for criterion in ys for name, coefficient in coefficients.items()
    }  # fmt: skip


def places(draws):
    """Each draw written out: the number of a source as often as it is drawn."""
    (weights,) = draws.sums([(np.arange(SOURCES), np.eye(SOURCES))])
    return [np.repeat(np.arange(SOURCES), row.astype(int)) for row in weights]


def plain(metric, texts, drawn):
    """Corpus scores and human means of one draw, by the metric's own `score` and Python's arithmetic."""
    sources, references, outputs, judged = texts
    scores = [
        metric.score(
            MetricInput([sources[i] for i in drawn], [each[i] for i in drawn], [references[i] for i in drawn])
        ).corpus
        for each in outputs
    ]
    values = [[value for i in drawn if i < JUDGED for value in each[i]] for each in judged]
    return scores, [sum(each) / len(each) for each in values]


def scipys_p(coefficient, x, y):
    """Of few systems the exact p of rank coefficients, over all orders."""
    if coefficient is stats.pearsonr:
        return coefficient(x, y).pvalue
    return stats.permutation_test(
        (np.array(x),), lambda order: coefficient(order, y).statistic, permutation_type="pairings", n_resamples=np.inf
    ).pvalue


@pytest.mark.parametrize("name", ["bleu", "sari", "ter", "fkgl", "pinc"])
def test_is_what_scoring_the_drawn_texts_gives(name):
    metric, texts = METRICS[name], made()
    draws = Bootstrap(np.arange(JUDGED), 60, 3, beside=np.arange(SOURCES))
    scores, human = summed(metric, texts)
    metrics, criteria = bootstrap_system_scores({"m": scores}, {"c": human}, draws)
    x, y = metrics["m"], criteria["c"]
    again = [plain(metric, texts, drawn) for drawn in places(draws)]
    assert x.drawn == pytest.approx(np.array([one for one, _ in again]), abs=1e-9)
    assert y.drawn == pytest.approx(np.array([one for _, one in again]), abs=1e-9)
    found = correlate_systems({"m": scores}, {"c": human}, of_kind(Coefficient), draws)
    for coefficient, scipy in SCIPY.items():
        one = found["m", "c", coefficient]
        values = [scipy(*pair).statistic for pair in again]
        assert (one.low, one.high) == pytest.approx(tuple(np.percentile(values, [2.5, 97.5])), abs=1e-9)
        whole = plain(metric, texts, range(SOURCES))
        assert one.value == pytest.approx(scipy(*whole).statistic, abs=1e-9)
        assert one.p == pytest.approx(scipys_p(scipy, *whole))
        assert (one.n, one.undefined) == (SYSTEMS, "")


def test_the_order_of_systems_and_rows_does_not_matter():
    scores, human = summed(METRICS["bleu"], made())
    draws = Bootstrap(np.arange(JUDGED), 50, beside=np.arange(SOURCES))
    turned = [SufficientStatistics(score.groups[::-1], score.rows[::-1], score.value_of) for score in scores[::-1]]
    found = correlate_systems({"m": scores}, {"c": human}, of_kind(Coefficient), draws)
    again = correlate_systems({"m": turned}, {"c": human[::-1]}, of_kind(Coefficient), draws)
    for key, one in found.items():
        assert (again[key].value, again[key].low, again[key].high) == pytest.approx((one.value, one.low, one.high))


@pytest.mark.parametrize("name", sorted(SCIPY))
class TestWithoutAnInterval:
    def entry(self, name, scores, human, draws=None):
        draws = draws or Bootstrap(np.arange(JUDGED), 100, beside=np.arange(SOURCES))
        return correlate_systems({"m": scores}, {"c": human}, {name: STATISTICS[name]}, draws)["m", "c", name]

    def test_a_pair_is_taken_over_the_systems_that_have_both(self, name):
        scores, human = summed(METRICS["fkgl"], made())
        alone = self.entry(name, scores[1:], human[1:])
        assert self.entry(name, [None, *scores[1:]], human) == self.entry(name, scores, [None, *human[1:]]) == alone
        assert (alone.n, alone.undefined) == (4, "")

    def test_three_systems_have_none(self, name):
        scores, human = summed(METRICS["fkgl"], made())
        few = self.entry(name, [None, None, *scores[2:]], human)
        assert few.value is not None
        assert (few.low, few.n) == (None, 3)
        assert few.undefined == "There is no interval: it needs 4 points or more, and there are 3."
        none = self.entry(name, [None] * 5, human)
        assert (none.n, none.undefined) == (0, "A correlation needs three points or more; there are 0.")

    def test_three_judged_sources_have_none(self, name):
        scores, human = summed(METRICS["fkgl"], made())
        few = [SufficientStatistics(one.groups[:3], one.rows[:3], one.value_of) for one in human]
        found = self.entry(name, scores, few, Bootstrap(np.arange(3), 100, beside=np.arange(SOURCES)))
        assert found.undefined == "There is no interval: it needs 4 groups of points or more, and there are 3."

    def test_a_system_that_most_draws_leave_out(self, name):
        scores, human = summed(METRICS["fkgl"], made())
        human[2] = SufficientStatistics(human[2].groups[:1], human[2].rows[:1], mean)
        found = self.entry(name, scores, human)
        assert found.value is not None
        assert found.undefined == "There is no interval: in too many of the bootstrap draws a point has no value."

    def test_draws_in_which_all_means_are_one(self, name):
        """Every output has a 3, and one source tells the systems apart: a third of the draws leave it out."""
        scores, _ = summed(METRICS["fkgl"], made())
        human = [
            SufficientStatistics(np.arange(JUDGED), np.array([[3.0 + (i == 0) * s, 1] for i in range(JUDGED)]), mean)
            for s in range(SYSTEMS)
        ]
        found = self.entry(name, scores, human)
        assert found.value is not None
        assert found.undefined == "There is no interval: in too many of the bootstrap draws all values are the same."


rows = st.integers(4, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=2, max_size=2)
)


@pytest.mark.parametrize("name", sorted(SCIPY))
@given(pair=rows)
def test_each_row_is_scipys_ties_and_all(name, pair):
    """Also where equal values differ by the rounding of their sums."""
    x, y = (np.array([values], dtype=float) / 3 for values in pair)
    shaken = x * (1 + np.array([1e-15, -1e-15, 0, 2e-16] * 2)[: x.shape[1]])
    found = STATISTICS[name].rowwise(np.vstack((x, shaken)), np.vstack((y, y)))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(found).all()
    else:
        assert found == pytest.approx(SCIPY[name](x[0], y[0]).statistic, abs=1e-9)


@pytest.mark.parametrize("name", sorted(SCIPY))
def test_no_draws_have_no_values(name):
    assert STATISTICS[name].rowwise(np.empty((0, 5)), np.empty((0, 5))).shape == (0,)
