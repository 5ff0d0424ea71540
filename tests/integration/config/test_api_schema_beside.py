"""The API's schema comes from a process that ends afterwards, and is the same as if it were written here."""

from config.api.schema import JSON, YAML, write_schema
from foundation import side_process


def test_it_is_written_in_another_process_and_the_same(monkeypatch):
    here = {form: write_schema(form, "en") for form in (JSON, YAML)}
    monkeypatch.setattr(side_process, "_used", True)
    assert {form: side_process.in_process_of_its_own(write_schema, form, "en") for form in here} == here
