"""Who is ranked together, and over which units."""

import numpy as np

from evaluation.comparability.system_ranking import over_common_units


def there(*rows):
    return np.array([[mark == "x" for mark in row] for row in rows])


def test_systems_that_have_all_are_ranked_over_all():
    found = over_common_units(there("xxxx", "xxxx"), [0, 1])
    assert found.ranked == (0, 1)
    assert found.where.all()
    assert found.outside == {}


def test_one_that_lacks_a_little_is_ranked_over_what_all_have():
    found = over_common_units(there("x" * 20, "." + "x" * 19), [0, 1])
    assert found.ranked == (0, 1)
    assert found.where.tolist() == [False, *[True] * 19]


def test_one_that_lacks_much_stays_outside_with_what_it_has():
    found = over_common_units(there("x" * 20, "x" * 20, "xx" + "." * 18), [0, 1, 2])
    assert found.ranked == (0, 1)
    assert found.where.all()
    assert found.outside == {2: (2, 20)}


def test_a_large_system_of_other_texts_does_not_put_out_two_that_share_theirs():
    found = over_common_units(there("xxxx" + "." * 40, "xxxx" + "." * 40, "...." + "x" * 40), [0, 1, 2])
    assert found.ranked == (0, 1)
    assert found.outside == {2: (0, 4)}


def test_nothing_in_common_is_no_ranking():
    found = over_common_units(there("xx..", "..xx"), [0, 1])
    assert found.ranked == ()
    assert not found.where.any()
    assert found.outside == {0: (2, 4), 1: (2, 4)}


def test_many_that_each_lack_others_may_have_nothing_in_common():
    rows = ["".join("." if at == one else "x" for at in range(10)) for one in range(10)]
    found = over_common_units(there(*rows), list(range(10)))
    assert found.ranked == ()
    assert len(found.outside) == 10


def test_one_alone_is_ranked_where_nobody_else_competes():
    assert over_common_units(there("xx", ".."), [0, 1]).ranked == (0,)
    assert over_common_units(there("xxxxxxxxxx", "x........."), [0, 1]).ranked == ()
