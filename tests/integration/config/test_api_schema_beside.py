"""The API's schema comes from a process that ends afterwards, and is the same as if it were written here."""

from config.api.schema import JSON, write_schema
from foundation import side_process


def test_it_is_written_in_another_process_and_the_same(monkeypatch):
    here = write_schema(JSON, "en")
    monkeypatch.setattr(side_process, "_used", True)
    assert side_process.in_process_of_its_own(write_schema, JSON, "en") == here
