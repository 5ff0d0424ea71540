import numpy as np
import pytest

from evaluation.views.trust import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, matrix, plot_of, reasons


def report(points, correlations=()):
    """Systems A, B, ... at (score, mean); None is a number that is lacking."""
    systems = []
    for number, (score, mean) in enumerate(points):
        low, high = (None, None) if mean is None else (mean - 0.1, mean + 0.1)
        human = {
            "topic": {"mean": mean, "low": low, "high": high, "n": 4, "undefined": "" if mean else "No judgement."}
        }
        metrics = {"ter": {"score": score, "signature": "", "undefined": "" if score is not None else "No reference."}}
        systems.append({"name": chr(65 + number) * 12, "human": human, "metrics": metrics})
    return {"systems": systems, "correlations": list(correlations)}


def correlation(**changes):
    entry = {"metric": "ter", "criterion": "topic", "level": "system", "coefficient": "pearson"}
    return {**entry, "value": 0.5, "low": -0.25, "high": 1.0, "p": 0.0004, "n": 9, "undefined": "", **changes}


def test_points_keep_their_order_and_stay_within_the_frame():
    plot = plot_of(report([(10, 1), (20, 3), (15, 2)]), "ter", "topic")
    by_name = {mark.name[0]: mark for mark in plot.marks}
    assert by_name["A"].x < by_name["C"].x < by_name["B"].x
    assert by_name["A"].y > by_name["C"].y > by_name["B"].y, "up is more"
    assert by_name["C"].y == pytest.approx((by_name["A"].y + by_name["B"].y) / 2, abs=0.2)
    for mark in plot.marks:
        assert LEFT <= mark.x <= WIDTH
        assert TOP <= mark.top < mark.y < mark.bottom <= HEIGHT


def test_labels_of_near_points_do_not_cover_one_another():
    plot = plot_of(report([(10, 2), (10.4, 2.01), (11, 1.99), (30, 4)]), "ter", "topic")
    boxes = []
    for mark in plot.marks:
        wide = len(mark.label) * 7.4
        left = mark.text_x if mark.anchor == "start" else mark.text_x - wide
        boxes.append((left, mark.text_y - 10, left + wide, mark.text_y))
    for number, box in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart = box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
            assert apart, (box, other)


def test_ticks_are_round_and_in_the_frame():
    plot = plot_of(report([(1.66, 1), (32.2, 4.19)]), "ter", "topic")
    assert [text for _, text in plot.x_ticks] == ["0", "10", "20", "30"]
    assert all(LEFT <= x <= WIDTH for x, _ in plot.x_ticks)


def test_the_line_of_least_squares_goes_through_points_on_a_line():
    plot = plot_of(report([(0, 1), (1, 2), (2, 3)]), "ter", "topic")
    first, last = min(plot.marks, key=lambda mark: mark.x), max(plot.marks, key=lambda mark: mark.x)
    assert plot.fit == pytest.approx((first.x, first.y, last.x, last.y), abs=0.3)


@pytest.mark.parametrize("points", [[(5, 2)], [(5, 2), (5, 2)], [(0, 2), (0, 3), (0, 4)]])
def test_one_point_or_equal_ones_make_a_picture_without_a_line(points):
    plot = plot_of(report(points), "ter", "topic")
    assert len(plot.marks) == len(points)
    assert plot.fit is None


def test_systems_without_both_numbers_are_left_out_with_the_reason():
    plot = plot_of(report([(1, 1), (None, 2), (3, None)]), "ter", "topic", humans=["A" * 12])
    assert [mark.is_human for mark in plot.marks] == [True]
    assert plot.left_out == [("B" * 12, "No reference."), ("C" * 12, "No judgement.")]
    assert plot_of(report([(None, 1), (2, None)]), "ter", "topic") is None


def test_the_matrix_takes_one_level_and_coefficient_and_places_intervals():
    other = correlation(level="sentence", value=0.9)
    criteria, rows = matrix(report([], [correlation(), other]), "system", "pearson")
    assert criteria == ["topic"]
    ((label, ((_, found, places),)),) = rows
    assert (label, found.text, found.small) == ("TER", "0.50", "−0.25 to 1.00, p < 0.001, n = 9")
    assert places == (88.0, 46.0, 116.0)


def test_the_matrix_says_why_a_value_is_lacking():
    lacking = correlation(value=None, low=None, high=None, p=None, n=1, undefined="There is one point.")
    _, rows = matrix(report([], [lacking]), "system", "pearson")
    assert rows[0][1][0][1].text == "–"
    assert list(reasons(rows)) == [("TER × topic", "There is one point.")]


def test_marks_line_and_coefficient_are_of_the_same_systems():
    """The source, judged beside the systems, would turn the line round; it is no point of the correlation."""
    made = report([(0, 1), (1, 2), (2, 3), (9, 0.1)])
    made["systems"][3]["role"] = "source"
    plot = plot_of(made, "ter", "topic")
    assert len(plot.marks) == 3
    assert plot.fit[1] > plot.fit[3], "it rises"
    ((name, why),) = plot.left_out
    assert name == "D" * 12
    assert "beside the systems" in why


def test_a_line_that_leaves_the_frame_is_cut_off_and_not_bent():
    points = [(0, 1.0), (1, 5.0), (2, 5.0), (3, 5.0), (4, 5.0), (5, 5.0)]
    plot = plot_of(report(points), "ter", "topic")
    x = np.array([mark.x for mark in plot.marks])
    slope, height = np.polyfit(x, [mark.y for mark in plot.marks], 1)
    left, first, right, last = plot.fit
    assert min(first, last) >= TOP
    assert max(first, last) <= HEIGHT - BOTTOM
    assert [first, last] == pytest.approx([slope * left + height, slope * right + height], abs=0.5)
