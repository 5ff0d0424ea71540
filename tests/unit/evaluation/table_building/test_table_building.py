"""All tables of a study: those that ask for nothing of its report are the same before it is there."""

import orjson
from support.snapshots import bare, gyafc_like, msd_like, reported

from evaluation.table_building import tables_before, tables_json

NEEDING = {"leaderboard", "correlations", "agreement", "systems", "trust_by_criterion"}


def plain(tables):
    return orjson.loads(orjson.dumps(tables, option=orjson.OPT_SERIALIZE_NUMPY))


def test_tables_are_the_same_before_the_report_and_after():
    for snapshot in (reported(gyafc_like()), reported(msd_like()), reported(bare())):
        whole, before = plain(tables_json(snapshot)), plain(tables_before(snapshot))
        assert before == {name: whole[name] for name in before}
        assert len(before) > len(whole) / 2
        assert not before.keys() & NEEDING


def test_what_is_made_is_not_made_again():
    snapshot = reported(gyafc_like())
    whole = tables_json(snapshot)
    assert list(tables_json(snapshot, {"gyafc_table_2": "kept"})) == list(whole)
    assert tables_json(snapshot, {"gyafc_table_2": "kept"})["gyafc_table_2"] == "kept"
