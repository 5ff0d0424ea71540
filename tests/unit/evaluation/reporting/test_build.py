"""A report as two processes make it is the one whose parts are made one by one; so are its tables."""

import orjson
from support.snapshots import built_of, gyafc_like, reported

from evaluation.reporting import build_report
from evaluation.table_building import tables_json


def plain(made):
    return orjson.loads(orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY))


def test_a_report_is_its_parts():
    content, tables = map(plain, build_report(built_of(gyafc_like())))
    in_parts = reported(gyafc_like())
    assert content == dict(in_parts.report)
    assert tables == plain(tables_json(in_parts))
