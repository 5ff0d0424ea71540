"""The ranking of metrics as the page of trust draws it."""

from evaluation.views.claims import EDGE, WIDE, axis_of, ranked


def row(metric, value, group, low=None, high=None, p=None, undefined=""):
    return {"metric": metric, "value": value, "low": low, "high": high, "n": 9, "undefined": undefined,
            "group": group, "p": p}  # fmt: skip


def trust(*rows):
    return {"criteria": {"meaning": {"sentence": list(rows)}}}


def test_the_axis_begins_at_zero_or_at_the_half_below_the_lowest_interval():
    assert axis_of(trust(row("ter", 0.4, 1, 0.1, 0.6)), "sentence").start == 0
    assert axis_of(trust(row("ter", 0.4, 1, -0.1, 0.6)), "sentence").start == -0.5
    assert axis_of(trust(row("ter", -0.7, 1)), "sentence").start == -1
    assert axis_of(trust(row("ter", None, None)), "sentence").start == 0
    ticks = axis_of(trust(row("ter", 0.4, 1, -0.1, 0.6)), "sentence").ticks
    assert [text for _, text in ticks] == ["−0.5", "0.0", "0.5", "1.0"]
    assert (ticks[0][0], ticks[-1][0]) == (EDGE, WIDE - EDGE)


def test_rows_say_who_leads_a_group_what_fools_them_and_what_has_no_value():
    given = trust(
        row("bleu", 0.6, 1, 0.5, 0.7), row("chrf", 0.55, 1, 0.4, 0.7, p=0.0002), row("edit_distance", -0.1, 2),
        row("ter", None, None, undefined="There is one point."),
    )  # fmt: skip
    foils = [{"label": "Source copied", "metrics": {
        "bleu": {"place": 1, "of": 3}, "chrf": {"place": 3, "of": 3}, "ter": {"place": None, "of": None},
    }}]  # fmt: skip
    axis = axis_of(given, "sentence")
    first, second, third, last = ranked(given["criteria"]["meaning"], "sentence", axis, foils)
    assert [one.leads for one in (first, second, third, last)] == [True, False, True, False]
    assert (first.cell.text, first.cell.small, first.fooled) == ("0.60", "0.50 to 0.70", ["Source copied"])
    assert first.low < first.x < first.high
    assert (second.p, second.fooled) == ("< 0.001", [])
    assert (third.cell.text, third.turned, third.low) == ("−0.10", False, None)
    assert (last.x, last.cell.why) == (None, "There is one point.")
