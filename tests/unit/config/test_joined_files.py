"""Files that only name others are collected with those in their places, each script with names of its own."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import InMemoryStorage

from config.templating.static_files import EXPORT, IMPORTED, SCRIPT, JoinedFiles, only_names

SCRIPTS = Path(__file__).resolve().parents[3] / "platform" / "config" / "static" / "restyle" / "js"
ENTRIES = {file for file in SCRIPTS.rglob("*.js") if only_names(file.read_text())}
FILES = {
    "js/entry.js": '// Both.\nimport "./one.js";\nimport "./two.js";\nimport "./shared.js";\n',
    "js/one.js": 'import "./early.js";\nimport { a, b as c } from "./shared.js";\nconst mine = a + c;\n',
    "js/two.js": 'import {\n  a,\n} from "./shared.js";\nconst mine = a;\n',
    "js/shared.js": "export const a = 1;\nexport const b = 2;\n",
    "js/early.js": "export const early = true;\n",
    "css/entry.css": '/* All. */\n@import "one.css";\n@import "both.css";\n',
    "css/both.css": '@import "two.css";\n',
    "css/one.css": "a { color: red; }\n",
    "css/two.css": 'b { background: url("../two.svg"); }\n',
}
JOINED_SCRIPT = """\
import "./early.js";
import * as imported1 from "./shared.js";
import * as imported2 from "./shared.js";
import "./shared.js";
try {

const { a, b: c } = imported1;
const mine = a + c;
} catch (error) { reportError(error); }
try {
const {
  a,
} = imported2;
const mine = a;
} catch (error) { reportError(error); }
"""


@pytest.fixture
def joined():
    storage = InMemoryStorage()
    for name, text in FILES.items():
        with storage.open(name, "w") as file:
            file.write(text)
    return lambda name: JoinedFiles(storage).open(name).read().decode()


def test_scripts_are_joined_each_with_names_of_its_own(joined):
    assert joined("js/entry.js") == JOINED_SCRIPT


def test_sheets_are_joined_in_their_order(joined):
    assert joined("css/entry.css") == f"/* All. */\n{FILES['css/one.css']}\n{FILES['css/two.css']}\n\n"


@pytest.mark.parametrize("name", ["js/one.js", "js/shared.js", "css/one.css"])
def test_a_file_that_says_more_stays_as_it_is(joined, name):
    assert joined(name) == FILES[name]


def parts_of(entry):
    files = [entry.with_name(found[1]) for found in SCRIPT.finditer(entry.read_text())]
    return [file for file in files if not EXPORT.search(file.read_text())]


def test_a_script_that_is_joined_is_imported_by_no_other_which_would_run_it_twice():
    parts = {file for entry in ENTRIES for file in parts_of(entry)}
    assert len(parts) > 10
    for file in set(SCRIPTS.rglob("*.js")) - ENTRIES:
        imported = {(file.parent / found["url"]).resolve() for found in IMPORTED.finditer(file.read_text())}
        assert not imported & parts, file


def test_what_joined_scripts_import_does_not_change_later():
    """They take the value that it has at the beginning."""
    for file in (file for entry in ENTRIES for file in parts_of(entry)):
        for found in IMPORTED.finditer(file.read_text()):
            assert not re.search(r"(?m)^export let ", (file.parent / found["url"]).read_text()), file
