"""The matrix of trust: metrics by criteria, the best on average first."""

from evaluation.views.trust import trust_matrix


def row(metric, value, group=2, why=""):
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return {"metric": metric, "value": value, "low": low, "high": high, "group": group, "undefined": why}


def matrix(**criteria):
    trust = {"criteria": {name: {"sentence": rows} for name, rows in criteria.items()}, "foils": []}
    return trust_matrix(trust, "sentence")


def test_metrics_stand_by_their_mean_agreement():
    found = matrix(fluency=[row("bleu", 0.2), row("fkgl", 0.9, 1)], meaning=[row("bleu", 0.4), row("fkgl", 0.1)])
    assert [one.label for one in found] == ["FKGL", "BLEU"]
    assert [(one.text, one.best, shade) for one, shade in found[0].shades] == [("0.90", True, 9), ("0.10", False, 1)]


def test_what_has_no_number_says_why_and_stands_last():
    found = matrix(fluency=[row("bleu", None, None, "All are equal."), row("fkgl", -0.31)])
    assert [one.label for one in found] == ["FKGL", "BLEU"]
    assert [(one.text, shade) for one, shade in found[0].shades] == [("−0.31", 0)]
    assert (found[1].agreements[0].text, found[1].agreements[0].why) == ("–", "All are equal.")


def test_a_metric_without_a_row_for_a_criterion_has_an_empty_field():
    found = matrix(fluency=[row("bleu", 1.0)], meaning=[])
    assert [one.text for one in found[0].agreements] == ["1.00", "–"]
    assert found[0].shades[0][1] == 9
