"""Uploads that are far more once they are read: the web server says one sentence, keeps nothing, and reads nothing."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.exploding_files import TABLES

from corpora.models import Study, Upload
from foundation.confined import turns
from foundation.confined.messages import Limits

OF_EACH = [pytest.param(form, *made[0], id=form) for form, made in TABLES.items()]


@pytest.mark.parametrize(("form", "name", "make"), OF_EACH)
def test_page_and_api_say_one_sentence(
    browser: Client, study: Study, form: str, name: str, make: Callable[[], bytes]
) -> None:
    data = make()
    for address, given in (
        (reverse("table_new", args=["tone"]), {"target": "texts"}),
        (reverse("api:table-import", args=["tone"]), {"dry_run": "true"}),
    ):
        answer: Any = browser.post(address, {**given, "file": SimpleUploadedFile(f"x.{form}", data)})
        assert answer.status_code in (400, 422)
        said = answer.json()["detail"] if "api" in address else " ".join(answer.context["form"].errors["file"])
        assert said.startswith("x")
        assert said.endswith(".")
    assert not Upload.objects.exists()


def test_where_as_many_files_are_read_as_may_be_page_and_api_answer_503(
    browser: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.raise_request_exception = False
    monkeypatch.setattr(turns, "LIMITS", Limits(at_once=0))
    monkeypatch.setattr(turns, "_longest", 0)
    for address, given in (
        (reverse("table_new", args=["tone"]), {"target": "texts"}),
        (reverse("api:table-import", args=["tone"]), {"dry_run": "true"}),
    ):
        answer: Any = browser.post(address, {**given, "file": SimpleUploadedFile("x.csv", b"source,text\na,b\n")})
        assert (answer.status_code, answer["Retry-After"]) == (503, "10")
        assert "Send yours again in a few seconds" in answer.text
    assert not Upload.objects.exists()


def test_whoever_asks_loads_no_library_that_reads_files() -> None:
    """In a process of its own, since others of this one do."""
    program = """
import sys
from pathlib import Path
from support.exploding_files import TABLES
from support.workbooks import workbook
from corpora.formats import TextFile
from corpora.table_parser import understand
with understand(TextFile(workbook({"a": [["source", "text"], ["a", "b"]]}), "x.xlsx")) as table:
    assert [row.cells for row in table.records()] == [("a", "b")]
print(*{"python_calamine", "pyarrow", "pandas", "expat"} & sys.modules.keys())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                         env={"PYTHONPATH": ":".join(filter(None, sys.path))})  # fmt: skip
    assert ran.stdout.strip() == ""
