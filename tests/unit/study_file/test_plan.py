"""The plan of a study as blocks of a study file: what it writes of a declared field, the study file's reader takes."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.foundation.test_declared_fields import values

from annotation.campaigns.fields import CampaignFields
from corpora.text_files.decoding import TextFile
from evaluation.human_studies.fields import HumanStudyFields
from foundation.errors import UserError
from foundation.options import Option, list_options
from study_file.parser.toml_file import read_toml
from study_file.parser.toml_table import TomlTable
from study_file.plan import given_fields
from study_file.study_archive import toml_of


def drawn(one: Option) -> st.SearchStrategy[object]:
    """Values of a field, empty texts among them; of a table or of rows those of their fields."""
    if isinstance(one.rows, type):
        return st.lists(table(one.rows), max_size=2)
    if isinstance(one.table, type):
        return table(one.table)
    return values(one) | st.just("") if isinstance(one.default, str) else values(one)


def table(kind: type) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional={one.name: drawn(one) for one in list_options(kind)})


FIELDS = {
    f"{kind.__name__}.{one.name}": one
    for kind in (CampaignFields, HumanStudyFields)
    for one in list_options(kind)
    if not (
        one.row or one.required or (callable(one.rows or one.table) and not isinstance(one.rows or one.table, type))
    )
}


@pytest.mark.parametrize("name", FIELDS)
@given(data=st.data())
def test_what_a_plan_writes_the_study_file_takes(name: str, data: st.DataObject) -> None:
    one = FIELDS[name]
    try:
        stored = one.check(data.draw(drawn(one)))
    except UserError:
        return
    written = toml_of(given_fields([one], SimpleNamespace(**{one.name: stored}), {}))
    found, lines = read_toml(TextFile(written.encode(), "study.toml"))
    table = TomlTable(found, (), "study.toml", lines)
    if one.name in found:
        assert one.check(table.option(one)) == stored, written
    else:
        assert stored == one.check({} if one.default is None and one.table else one.default), stored
