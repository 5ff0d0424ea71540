"""The JSON Schema of the study file: it takes what the parser takes, and refuses what the parser refuses."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import meta, validator_for
from unit.foundation.test_declared_fields import values

from foundation.errors import UserError
from foundation.options import Option, list_options
from study_file.parser.fields import BLOCKS, SINGLE
from study_file.parser.parser import declared_study
from study_file.parser.toml_table import TomlTable
from study_file.schema import schema, schema_text

ROOT = Path(__file__).parents[3]
SCHEMA = schema()
VALID = validator_for(SCHEMA)
TONE = {"scale": "formality_7", "aspect": "style"}
STUDY = {
    "study": {"slug": "tone", "title": "Tone", "styles": ["informal", "formal"]},
    "directions": [{"source_style": "informal", "target_style": "formal", "sources": "a.txt"}],
    "documents": [{"file": "a.jsonl", "format": "documents_jsonl"}],
    "gold": [{"file": "gold.zip"}],
    "groups": {"link": ["informal", "formal"]},
    "selections": [{"direction": "informal-formal"}],
    "splits": {"rule": "random", "train": 50, "test": 50},
    "references": [{"direction": "informal-formal", "file": "b.txt"}],
    "systems": [{"name": "Rules", "outputs": [{"direction": "informal-formal", "file": "c.txt"}]}],
    "tables": [{"file": "t.csv", "mapping": {"A": "source"}}],
    "trainings": [{"name": "T", "model": "seq2seq"}, {"name": "U", "model": "seq2seq"}],
    "sweeps": [{"name": "S", "model": "seq2seq", "vary": {"hidden": [64, 128]}}],
    "runs": [{"name": "R", "training": "T"}],
    "ratings": [
        {"format": "mturk", "file": "r.csv", "worker": "W", "source": "S", "output": "O", "response": "R",
         "criteria": {"tone": TONE}},
    ],
    "campaigns": [{"name": "First", "task_type": "rewrite"}, {"name": "Rate", "slug": "r", "task_type": "rate"}],
    "human_studies": [{"name": "People", "slug": "p"}],
    "metrics": {"bleu": {"lowercase": True}},
    "report": {"alpha": 0.01},
}  # fmt: skip
THERE = {
    "style": "formal", "direction": "informal-formal", "system": ["Rules"], "baseline": "Rules", "training": "T",
    "campaign": "first", "scale": "fluency_5", "encoding": "latin-1", "delimiter": ";", "separator": "|",
    "column": "Text", "seeds": [1, 2],
}  # fmt: skip
FIELDS = {block: list_options(kind) for block, kind in BLOCKS.items() if block != "metrics"}
SOME = settings.default.max_examples // 2
OTHERS = [True, 3, -1, 1.5, "", [], [3], {}]
NAMED = ["x", ["x", "x"], {"x": {}}]  # of no use where names stand that the schema cannot know
LOOSE = {
    "study.styles",
    "study.template",
    "study.language",
    "splits.train",
    "splits.tune",
    "splits.test",
    "report.joint",
}
FREE = {"elements", "settings", "decoding", "poles", "style_descriptions", "options"}
"""Fields that the parser compares with others, or whose texts have a form of their own."""


@cache
def files() -> dict[str, str]:
    """Every study file of the project: recipes, the demo study, and those of pages."""
    paths = [*(ROOT / "docs/recipes").glob("*.toml"), ROOT / "platform/demo/study.toml"]
    found = {str(path.relative_to(ROOT)): path.read_text() for path in paths}
    for page in (ROOT / "docs").glob("*.md"):
        blocks = re.findall(r"^```toml\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
        found |= {f"{page.name} {number}": text for number, text in enumerate(blocks) if "[study]" in text}
    return found


def parsed(study: object) -> bool:
    try:
        declared_study(TomlTable(study, (), "study.toml", {}))
    except UserError:
        return False
    return True


def test_it_is_a_schema_of_draft_2020_12() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"  # `meta` goes by it
    meta.validate(SCHEMA)
    assert json.loads(schema_text()) == SCHEMA


@pytest.mark.parametrize("name", files())
def test_every_study_file_of_the_project_is_valid(name: str) -> None:
    assert [error.message for error in VALID.iter_errors(tomllib.loads(files()[name]))] == []


def test_the_study_of_this_test_has_every_block_and_is_taken() -> None:
    assert STUDY.keys() == BLOCKS.keys()
    assert parsed({**STUDY, "splits": STUDY["splits"]})
    assert [error.message for error in VALID.iter_errors(STUDY)] == []


def changed(block: str, key: str, value: object) -> dict[str, object]:
    """The study with this value in the block's last table, and with the blocks that it names things of."""
    study = {name: STUDY[name] for name in ("study", "directions", "systems", "trainings")} | {block: STUDY[block]}
    own = STUDY[block] if block in SINGLE else STUDY[block][-1]
    value = "informal" if (key, value) == ("source_style", "formal") else value
    study[block] = {**own, key: value} if block in SINGLE else [*STUDY[block][:-1], {**own, key: value}]
    return study


@cache
def fitting_or_not(one: Option) -> st.SearchStrategy[object]:
    of_kind = st.just(THERE[one.row]) if one.row else st.just({}) if one.table or one.rows else values(one)
    return of_kind | st.sampled_from(OTHERS if one.row or one.name in FREE else OTHERS + NAMED)


@pytest.mark.parametrize("block", FIELDS)
@settings(max_examples=SOME)
@given(data=st.data())
def test_it_refuses_what_the_parser_refuses(block: str, data: st.DataObject) -> None:
    for one in FIELDS[block]:
        value = data.draw(fitting_or_not(one), label=one.name)
        study = changed(block, one.name, value)
        valid = VALID.is_valid(study)
        assert valid == parsed(study) or (valid and f"{block}.{one.name}" in LOOSE), (
            one.name,
            value,
            [*map(str, VALID.iter_errors(study))],
        )
