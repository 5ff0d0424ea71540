"""The simulations of the bench, in small: what they count, and that it comes again by its seed."""

import json

from tools.bench.figures import Figures
from tools.bench.simulation_figures import coverage, looks, open_queue, simulated


def by_name(rows):
    return {name: value for name, value, _ in rows}


def test_betting_and_sign_flips_claim_little_at_any_look_and_a_t_test_much():
    any_bet, any_sign, any_t, last_t = by_name(looks(40, 200)).values()
    assert max(any_bet, any_sign) <= 10
    assert any_t > max(any_bet, last_t)


def test_intervals_of_people_and_a_metric_cover_and_are_narrower_where_it_agrees():
    found = by_name(coverage(60, 60, 300))
    covering = [value for name, value in found.items() if name.endswith("intervals that cover")]
    assert len(covering) == 3
    assert min(covering) > 85
    *_, narrow = found.values()
    assert narrow < 85


def test_an_open_queue_saves_judgements_and_its_weighted_means_stay_where_they_were():
    saved, lost, bias = by_name(open_queue(6, 200)).values()
    assert saved > 15
    assert abs(lost) <= 10
    assert bias < 10


def test_figures_are_the_same_again(capsys):
    told = []
    for _ in range(2):
        simulated(2, Figures(as_json=True))
        told.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert told[0] == told[1]
    assert len(told[0]) == 18
