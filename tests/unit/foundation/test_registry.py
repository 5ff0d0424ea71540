import sys
from pathlib import Path

import pytest

from foundation.errors import UserError
from foundation.registry import Registry, UnknownName


@pytest.fixture
def shapes(tmp_path, monkeypatch):
    """A package of entries on disk; `square` cannot be imported, so whoever imports it by the way is found out."""
    folder = tmp_path / "shapes_for_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "_base.py").write_text("raise RuntimeError('not an entry')")
    (folder / "circle.py").write_text("SHAPE = object()")
    (folder / "circlet.py").write_text("SHAPE = object()")
    (folder / "square.py").write_text("raise RuntimeError('imported')")
    (folder / "notes.txt").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield Registry[object]("shape", "shapes_for_test", folder, attribute="SHAPE")
    for name in [name for name in sys.modules if name.split(".")[0] == "shapes_for_test"]:
        del sys.modules[name]


def test_names_are_the_files_without_importing(shapes):
    assert shapes.names() == shapes.own_names() == ["circle", "circlet", "square"]
    assert any(one is shapes for one in Registry.made)
    assert list(shapes) == shapes.names()
    assert len(shapes) == 3
    assert "square" in shapes
    assert not any(name.startswith("shapes_for_test") for name in sys.modules)


def test_files_with_an_underscore_are_no_entries(shapes):
    assert "_base" not in shapes
    assert "__init__" not in shapes
    with pytest.raises(UnknownName):
        shapes["_base"]


def test_an_entry_is_imported_once_when_asked_for(shapes):
    circle = shapes["circle"]
    assert circle is sys.modules["shapes_for_test.circle"].SHAPE
    assert shapes["circle"] is circle
    assert "shapes_for_test.square" not in sys.modules
    with pytest.raises(RuntimeError, match="imported"):
        shapes["square"]


def test_an_unknown_name_offers_the_nearest(shapes):
    with pytest.raises(UnknownName) as raised:
        shapes["cirkle"]
    assert str(raised.value) == "There is no shape 'cirkle'; did you mean circle, circlet?"
    assert isinstance(raised.value, UserError)
    assert isinstance(raised.value, KeyError)


def test_a_name_near_to_none_offers_all(shapes):
    with pytest.raises(UnknownName, match=r"did you mean circle, circlet, square\?$"):
        shapes["zzzz"]
    assert shapes.get("zzzz") is None


def test_a_name_cannot_reach_out_of_the_folder(shapes):
    (Path(shapes.folder).parent / "outside.py").write_text("SHAPE = 1")
    with pytest.raises(UnknownName):
        shapes["../outside"]


def test_a_file_may_hold_a_family_of_entries(shapes):
    """Their names are the keys of its ENTRIES, read from its text: nothing of it is run to list them."""
    (shapes.folder / "polygons.py").write_text(
        '"""Polygons."""\nENTRIES: dict[str, object] = {"triangle": 3, "pentagon": 5}\n'
    )
    assert shapes.names() == ["circle", "circlet", "pentagon", "square", "triangle"]
    assert "polygons" not in shapes
    assert "shapes_for_test.polygons" not in sys.modules
    assert (shapes["triangle"], shapes["pentagon"]) == (3, 5)
    assert shapes.module_of("triangle") == "shapes_for_test.polygons"
    assert shapes.module_of("circle") == "shapes_for_test.circle"


def test_two_files_with_an_entry_of_one_name_are_refused(shapes):
    (shapes.folder / "rounds.py").write_text('"""Rounds."""\nENTRIES = {"circle": 1}\n')
    with pytest.raises(UserError, match=r"^Both circle.py and rounds.py in shapes_for_test hold an entry 'circle'.$"):
        shapes.names()


def test_a_file_that_python_cannot_read_says_so_when_it_is_asked_for(shapes):
    (shapes.folder / "torn.py").write_text('"""Torn."""\nENTRIES = {"torn": \n')
    assert "torn" in shapes
    with pytest.raises(SyntaxError):
        shapes["torn"]
