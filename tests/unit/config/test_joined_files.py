"""Sheets and scripts are collected with what they import in its place; a module that several pages need runs once."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage, InMemoryStorage

from annotation.task_types import TASK_TYPES
from config.templating.static_files import BASE, EXPORT, IMPORTED, JoinedFiles

STATIC = Path(__file__).resolve().parents[3] / "platform" / "config" / "static"
FILES = {
    BASE: 'import "./one.js";\nimport "./two.js";\n',
    "restyle/js/one.js": 'import { a, b as c } from "./shared.js";\nconst mine = a + c;\n',
    "restyle/js/two.js": 'import {\n  a,\n} from "./shared.js";\nconst mine = a;\n',
    "restyle/js/shared.js": "export const a = 1;\nexport function b() {}\n",
    "restyle/js/page/first.js": (
        'import { a } from "../shared.js";\nimport { both } from "./both.js";\nimport { only } from "./only.js";\n'
        'import { now } from "./changing.js";\nstart(a, both, only, now);\n'
    ),
    "restyle/js/page/second.js": 'import { both } from "./both.js";\nstart(both);\n',
    "restyle/js/page/both.js": "export const both = 2;\n",
    "restyle/js/page/only.js": "export const only = 3;\n",
    "restyle/js/page/changing.js": "export let now = 4;\n",
    "restyle/js/alone.js": "start();\n",
    "css/entry.css": '/* All. */\n@import "one.css";\n@import "both.css";\n',
    "css/both.css": '@import "two.css";\n',
    "css/one.css": "a { color: red; }\n",
    "css/two.css": 'b { background: url("../two.svg"); }\n',
}
JOINED_BASE = """\
let module0;
try { module0 = (() => {
const a = 1;
function b() {}
return { a, b };
})(); } catch (error) { reportError(error); }
let module1;
try { module1 = (() => {
const { a, b: c } = module0;
const mine = a + c;
return {  };
})(); } catch (error) { reportError(error); }
"""
JOINED_FIRST = """\
import { module0, module4 } from "../site.js";
import { now } from "./changing.js";
let inner0;
try { inner0 = (() => {
const only = 3;
return { only };
})(); } catch (error) { reportError(error); }
let inner1;
try { inner1 = (() => {
const { a } = module0;
const { both } = module4;
const { only } = inner0;

start(a, both, only, now);
return {  };
})(); } catch (error) { reportError(error); }
"""


def stored(files):
    storage = InMemoryStorage()
    for name, text in files.items():
        with storage.open(name, "w") as file:
            file.write(text)
    return JoinedFiles(storage)


@pytest.fixture
def joined():
    files = stored(FILES)
    return lambda name: files.open(name).read().decode()


def test_the_scripts_of_every_page_are_one_with_what_several_scripts_import(joined):
    said = joined(BASE)
    assert said.startswith(JOINED_BASE)
    assert "const both = 2;" in said
    assert said.endswith("export { module0, module1, module2, module3, module4 };\n")


def test_a_page_s_script_holds_what_it_alone_imports(joined):
    assert joined("restyle/js/page/first.js") == JOINED_FIRST


@pytest.mark.parametrize(
    ("name", "path"), [("restyle/js/one.js", "./site.js"), ("restyle/js/page/both.js", "../site.js")]
)
def test_a_script_that_every_page_has_runs_no_second_time_under_its_own_name(joined, name, path):
    assert joined(name) == f'import "{path}";\n'


def test_sheets_are_joined_in_their_order(joined):
    assert joined("css/entry.css") == f"/* All. */\n{FILES['css/one.css']}\n{FILES['css/two.css']}\n\n"


@pytest.mark.parametrize("name", ["restyle/js/alone.js", "restyle/js/page/changing.js", "css/one.css"])
def test_a_file_that_imports_nothing_or_whose_values_change_stays_as_it_is(joined, name):
    assert joined(name) == FILES[name]


def test_scripts_that_import_each_other_are_refused():
    files = stored({"restyle/js/a.js": 'import "./b.js";\n', "restyle/js/b.js": 'import "./a.js";\n'})
    with pytest.raises(ValueError, match=r"a\.js imports itself by way of .*b\.js"):
        files.open("restyle/js/a.js")


def test_one_name_from_two_files_that_stay_by_themselves_is_refused():
    files = stored({
        "restyle/js/a.js": 'import { now } from "./b.js";\nimport "./c.js";\nimport { now } from "./c.js";\n',
        "restyle/js/b.js": "export let now = 1;\n", "restyle/js/c.js": "export let now = 2;\n",
    })  # fmt: skip
    with pytest.raises(ValueError, match=r"now comes from .*c\.js and from .*b\.js"):
        files.open("restyle/js/a.js")


def test_a_file_whose_values_change_imports_none_that_is_joined():
    files = stored(
        {
            "restyle/js/a.js": 'import { b } from "./b.js";\nexport let now = b;\n',
            "restyle/js/b.js": "export const b = 1;\n",
        }
    )
    with pytest.raises(ValueError, match=r"a\.js has `export let`.* may not import restyle/js/b\.js"):
        files.open("restyle/js/a.js")


# The site's own scripts.


@pytest.fixture(scope="module")
def ours():
    return JoinedFiles(FileSystemStorage(STATIC))


def scripts():
    return [file.relative_to(STATIC).as_posix() for file in sorted((STATIC / "restyle" / "js").rglob("*.js"))]


def test_every_script_can_be_joined_and_each_import_and_export_is_read(ours):
    for name in scripts():
        text = (STATIC / name).read_text()
        assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(IMPORTED.findall(text)), name
        assert len(re.findall(r"^export\b", text, re.MULTILINE)) == len(EXPORT.findall(text)), name
        assert ours.open(name).read(), name


def test_no_script_of_a_tag_runs_again_within_another_of_the_same_page(ours):
    """A work page has tags for its own script, those of its kind of work, and the one that runs last."""
    kinds = {f"restyle/js/annotation/{one}" for kind in TASK_TYPES.values() for one in scripts_of(kind)}
    assert len(kinds) > 6
    tags = {"restyle/js/annotation/work.js", "restyle/js/annotation/shown.js", *kinds}
    assert not tags & set(ours.base())
    for script in sorted(tags):
        assert not (set(ours.inner(script)) - {script}) & tags, script


def scripts_of(kind):
    """Those of a kind of work under all settings."""
    settings = {**kind.defaults, "highlight_concepts": True, "addressed": True}
    return kind.scripts({**settings, "criteria": [{"name": "a", "scale": "slider_100"}], "of": "rewrite"})
