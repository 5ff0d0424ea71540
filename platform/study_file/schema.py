"""The JSON Schema (draft 2020-12) of the study file, made from the declarations that its parser reads by.

https://json-schema.org/draft/2020-12/json-schema-core. Names of styles, directions, systems, trainings and campaigns
stand in the file itself: the schema takes any text there, and says what is named.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import override

from annotation import annotator_pool as eligibility
from annotation.campaigns.fields import CampaignFields
from annotation.eligibility_rules import ELIGIBILITY_RULES
from annotation.eligibility_rules._base import RuleField
from annotation.quality import CHECKS, check_checks
from annotation.scales import SCALES
from annotation.study_templates import TEMPLATES
from annotation.task_types import TASK_TYPES
from corpora.selection_rules import SELECTIONS
from evaluation.metrics import METRICS
from foundation.options import LONGEST, Option, list_options, option_named
from modelserving.option_search import LINEAR, LOG, MOST_VALUES, score_option
from modelserving.transfer import TRANSFERS
from study_file.parser import fields
from study_file.parser.fields import BLOCKS, SINGLE, SPLITS
from study_file.parser.toml_table import MOST_BLOCKS, MOST_SEED, MOST_SEEDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAME = "study-file.schema.json"
Shape = dict[str, Any]
SLUG = {"type": "string", "maxLength": 80, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
WORK_SLUG = SLUG | {"pattern": "^[a-z0-9]+([-_]+[a-z0-9]+)*$"}
OPEN: Shape = {"type": "object", "additionalProperties": True}  # editors that are strict ask for it in words
NOT_BLANK = {"type": "string", "pattern": r"\S"}
VARIED: Shape = {
    "anyOf": [
        {"type": "array", "minItems": 2, "maxItems": MOST_VALUES, "uniqueItems": True},
        {"type": "object", "properties": {"low": {"type": "number"}, "high": {"type": "number"},
                                          "scale": {"enum": [LINEAR, LOG], "default": LINEAR}},
         "required": ["low", "high"], "additionalProperties": False},
    ]
}  # fmt: skip
WORD = r"^[^\s!-/:-@\[-^`{-~]{1,60}$"  # letters of any script, digits and _
ROWS = {
    "style": "It is a style of the study.",
    "direction": "It is the name of a direction of the study: SOURCE-TARGET.",
    "system": "They are names of systems of the file.",
    "baseline": "It is the name of a system of the file.",
    "training": "It is the name of a training of the file.",
    "campaign": "It is the slug of a campaign of the template, or of one that stands earlier in the file.",
}


def schema() -> Shape:
    """The schema of a study file on this site, with the entries that installed packages add; its words are English."""
    with override("en"):
        named = {name: _block(name, kind) for name, kind in BLOCKS.items()}
        return {
            "$schema": DIALECT,
            "title": "A Restyle study file",
            "description": "A study as one TOML file, for apply_study, the page and the API. docs/study-file.md.",
            "type": "object",
            "properties": named,
            "required": ["study"],
            "additionalProperties": False,
            "$defs": {"criteria": _criteria()}
            | {f"settings-{name}": _task_settings(name) for name in TASK_TYPES}
            | _shared(
                {f"options-{name}": _options(TRANSFERS[name].Options) for name in TRANSFERS}
                | {f"decoding-{name}": _options(TRANSFERS[name].Decoding) for name in TRANSFERS}
            ),
        }


def _shared(tables: Mapping[str, Shape]) -> dict[str, Shape]:
    """The tables with each option that several models have written once."""
    ways: dict[str, list[Shape]] = {}
    found: dict[str, Shape] = {}
    for name, shape in tables.items():
        found[name] = {**shape, "properties": {}}
        for key, one in shape["properties"].items():
            known = ways.setdefault(key, [])
            if one not in known:
                known.append(one)
            number = known.index(one) + 1
            option = f"option-{key}" + (f"-{number}" if number > 1 else "")
            found[option] = one
            found[name]["properties"][key] = _ref(option)
    return found


def schema_text() -> str:
    """The schema as JSON, each block and each definition on a line of its own."""
    lines = []
    for key, value in schema().items():
        inner = value if key in ("properties", "$defs") else {}
        entries = ",\n".join(f"  {_json(name)}: {_json(shape)}" for name, shape in inner.items())
        lines.append(f" {_json(key)}: " + (f"{{\n{entries}\n }}" if entries else _json(value)))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(name: str, kind: type) -> Shape:
    if name == "metrics":
        return _closed({key: _settings(METRICS[key]) for key in METRICS}) | {"description": "The metrics, by name."}
    shape = _ratings() if name == "ratings" else declared(kind) | _between(name)
    shape = {"description": (kind.__doc__ or "").partition("\n")[0]} | shape
    return shape if name in SINGLE else {"type": "array", "maxItems": MOST_BLOCKS, "items": shape}


def declared(kind: type) -> Shape:
    """The table of a declaration: its fields, those that must be there, and no others."""
    options = list_options(kind)
    shape = _closed({one.name: field(one) for one in options})
    shape["properties"] |= {
        one.old: {"deprecated": True, "description": f"The old name of {one.name}.", **_bare(field(one))}
        for one in options if one.old
    }  # fmt: skip
    both = [never(one.name, one.old) for one in options if one.old]
    needed = [one for one in options if one.required]
    shape["required"] = [one.name for one in needed if not one.old]
    either = [_any(required(one.name), required(one.old)) for one in needed if one.old]
    return shape | ({"allOf": [*both, *either]} if both else {})


def _bare(shape: Shape) -> Shape:
    return {key: value for key, value in shape.items() if key not in ("title", "description", "default")}


def field(one: Option) -> Shape:
    """A field of a block, as the parser reads it."""
    help = " ".join(filter(None, [one.help, ROWS.get(one.row, "")]))
    about = {"title": one.label} if one.label else {}
    about |= {"description": help} if help else {}
    return about | _value(one) | _default(one)


def _default(one: Option) -> Shape:
    usual = one.usual
    plain = isinstance(usual, bool | int | float) or (isinstance(usual, str) and usual)
    return {"default": usual} if plain and not one.required else {}


def _value(one: Option) -> Shape:
    if one.row:
        return _row(one)
    if isinstance(one.rows, type):
        return {"type": "array", "maxItems": min(int(one.high or MOST_BLOCKS), MOST_BLOCKS),
                "items": declared(one.rows) | _between(one.name)}  # fmt: skip
    if one.name == "criteria":
        return _ref("criteria") | ({"minProperties": 1} if one.required else {})
    if one.name in OF_BLOCKS and one.table:
        return OF_BLOCKS[one.name]
    if isinstance(one.table, type) and one.table is not dict:
        return _closed({each.name: field(each) for each in list_options(one.table)}) | _between(one.name)
    if one.table is dict:
        return {"type": "object", "additionalProperties": NOT_BLANK | {"maxLength": one.longest}}
    if one.table:
        return TABLES[one.table]() if one.table in TABLES else OPEN
    if isinstance(one.default, tuple):
        most = {} if one.high is None else {"maxItems": int(one.high)}
        return {"type": "array", "uniqueItems": True, "items": _text(one), **most}
    if isinstance(one.default, str):
        return (SLUG if one.required else WORK_SLUG) if one.name == "slug" else _text(one)
    return _plain(one)


def _plain(one: Option) -> Shape:
    """A flag or a number, within its bounds."""
    if isinstance(one.default, bool):
        return {"type": "boolean"}
    bounds = {"minimum": one.low, "maximum": one.high}
    kind = "integer" if one.whole else "number"
    return {"type": kind} | {key: value for key, value in bounds.items() if value is not None}


def _text(one: Option) -> Shape:
    if not one.choices:
        return NOT_BLANK | {"maxLength": one.longest}
    labels = [str(label) for label in one.labels]
    told = {"x-taplo": {"docs": {"enumValues": labels}}} if labels != list(one.choices) else {}
    return {"enum": list(one.choices), **told}


def _row(one: Option) -> Shape:
    """The name of something in the file, or the names; or a value of the file's own kinds."""
    if one.row in OF_THE_FILE:
        return OF_THE_FILE[one.row]
    if one.row == "system" or isinstance(one.default, tuple):
        exactly = {} if one.high is None else {"minItems": int(one.high), "maxItems": int(one.high)}
        return {"type": "array", "uniqueItems": True, "items": NOT_BLANK, **exactly}
    return NOT_BLANK


OF_THE_FILE: Mapping[str, Shape] = {
    "column": {"anyOf": [{"type": "integer", "minimum": 1}, NOT_BLANK]},
    "delimiter": {"type": "string", "pattern": r"^([\s\S]?|tab|none)$"},
    "encoding": NOT_BLANK | {"maxLength": fields.SHORT, "examples": ["utf-8", "latin-1", "windows-1252", "utf-16"]},
    "separator": {"type": "string", "minLength": 1},
    "seeds": {
        "type": "array", "minItems": 1, "maxItems": MOST_SEEDS, "uniqueItems": True,
        "items": {"type": "integer", "minimum": 0, "maximum": MOST_SEED},
    },
    "scale": {"anyOf": [{"enum": SCALES.own_names()}, {"type": "string", "pattern": r"\||/"}]},
}  # fmt: skip
MEANINGS = {"type": "object", "additionalProperties": {"anyOf": [NOT_BLANK | {"maxLength": fields.SHORT},
                                                                 {"type": "boolean"}]}}  # fmt: skip
OF_BLOCKS: Mapping[str, Shape] = {
    "mapping": MEANINGS | {"minProperties": 1},
    "answers": MEANINGS,
    "elements": {
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": NOT_BLANK | {"maxLength": 100}},
    },
}
"""Tables of blocks whose keys the file chooses itself."""

# Rules between the keys of a table.


def required(*keys: str) -> Shape:
    return {"required": list(keys)}


def _any(*shapes: Shape) -> Shape:
    return {"anyOf": list(shapes)}


def never(*keys: str) -> Shape:
    """The keys do not stand together."""
    return {"not": required(*keys)}


def needs(key: str, *others: str) -> Shape:
    """Beside the key one of the others stands."""
    return _any(never(key), *map(required, others))


def chosen(key: str, of: Sequence[str], part: str, shapes: Callable[[str], Shape], usual: str = "") -> list[Shape]:
    """For each value of a key the shape of another; a key that is left out has the `usual` value."""
    return [
        {
            "if": {"properties": {key: {"const": name}}} | ({} if name == usual else required(key)),
            "then": {"properties": {part: shapes(name)}},
        }
        for name in of
    ]


def _ref(name: str) -> Shape:
    return {"$ref": "#/$defs/" + name.replace("/", "~1")}


def _of(what: str) -> Callable[[str], Shape]:
    return lambda name: _ref(f"{what}-{name}")


def _between(name: str) -> Shape:
    """The rules of a block."""
    by_split = [*(never(split, other) for split in SPLITS for other in ("file", "source", "format"))]
    table_of = [needs("source", "text"), needs("text", "source"), needs("format", "source"), *by_split]
    one_file = _any(*map(required, ("file", *SPLITS)))
    if name == "study":
        styles = {"minItems": 2, "items": {"pattern": WORD}}
        return {"allOf": [{"properties": {"styles": styles}}], "anyOf": [required("styles"), required("template")]}
    if name == "directions":
        rules = [never(split, other) for split in SPLITS for other in ("sources", "split")]
        return {"allOf": [*rules, needs("in_two_splits", *SPLITS)]}
    if name in ("references", "outputs"):
        return {"allOf": [*table_of, one_file]}
    if name == "systems":
        short = {"anyOf": [{"type": "number"}, {"type": "string", "maxLength": 100}]}
        parts = {"outputs": {"minItems": 1}, "options": {"additionalProperties": short}}
        return {"allOf": [{"properties": parts}], "oneOf": [required("outputs"), required("references")]}
    if name == "tables":
        return {"allOf": [{"properties": {"settings": MEANINGS}}]}
    if name == "selections":
        return {"allOf": chosen("rule", list(SELECTIONS), "settings", _selection_settings, "everything")}
    if name == "trainings":
        rules = [*chosen("model", list(TRANSFERS), "options", _of("options")),
                 *chosen("model", list(TRANSFERS), "preset", _presets)]  # fmt: skip
        ask = [name for name in TRANSFERS if "required" in _options(TRANSFERS[name].Options)]
        must = {"if": {"properties": {"model": {"enum": ask}}}, "then": required("options")}
        return {"allOf": [never("seed", "seeds"), must, *rules]}
    if name == "sweeps":
        return {"allOf": [{"properties": {"vary": {"minProperties": 1, "additionalProperties": VARIED}}},
                          *chosen("model", list(TRANSFERS), "vary", _option_names),
                          *chosen("model", list(TRANSFERS), "options", _option_names),
                          *chosen("model", list(TRANSFERS), "score", _scores),
                          *chosen("model", list(TRANSFERS), "preset", _presets)]}  # fmt: skip
    if name == "runs":
        made = [required(key) for key in ("training", "checkpoint", "model")]
        return {"oneOf": made, "allOf": chosen("model", list(TRANSFERS), "decoding", _of("decoding"))}
    if name == "campaigns":
        return _campaigns()
    if name == "comparison":
        return needs("baseline", "criterion")
    return {}


def _campaigns() -> Shape:
    """A stage of a template needs no name and task; each kind of work has its settings."""
    slugs = {stage.slug for template in TEMPLATES for stage in TEMPLATES[template].stages}
    a_stage = {"properties": {"slug": {"enum": sorted(slugs)}}, "required": ["slug"]}
    task = option_named(CampaignFields, "task_type")
    whole = {"required": ["name"], "anyOf": [required(task.name), required(task.old)]}
    settings = [
        rule for key in (task.name, task.old) for rule in chosen(key, list(TASK_TYPES), "settings", _of("settings"))
    ]
    old = [never(one.name, one.old) for one in list_options(CampaignFields) if one.old]
    return {"required": [], "anyOf": [whole, a_stage], "allOf": [*old, *settings]}


def _ratings() -> Shape:
    table = declared(fields.RatingsTableBlock)
    texts = {"type": "object", "additionalProperties": {"type": "string"}}
    table["properties"] |= {key: table["properties"][key] | texts for key in ("settings", "answers", "mapping")}
    return _any(table, declared(fields.RatingsBlock))


# Settings of the entries of registries.


def _closed(properties: Mapping[str, Shape]) -> Shape:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _options(kind: type) -> Shape:
    """The options of a model, which it checks itself: a text may be blank."""
    options = list_options(kind)
    needed = [one.name for one in options if one.required and not one.default]
    return _closed({one.name: field(one) | _blank(one) for one in options}) | (required(*needed) if needed else {})


def _blank(one: Option) -> Shape:
    free = isinstance(one.default, str) and not (one.choices or one.required)
    return {"pattern": ""} if free else {}


def _option_names(name: str) -> Shape:
    return {"propertyNames": {"enum": [one.name for one in list_options(TRANSFERS[name].Options)]}}


def _scores(name: str) -> Shape:
    score = score_option(TRANSFERS[name].Options)
    return {"enum": list(score.choices) if score else []}


def _presets(name: str) -> Shape:
    return {"enum": list(TRANSFERS[name].presets)}


def _setting(default: Any, choices: Sequence[str] | None, bounds: tuple[float, float] | None) -> Shape:
    if isinstance(default, bool):
        return {"type": "boolean", "default": default}
    if isinstance(default, int | float):
        low, high = bounds or (None, None)
        ends = {"minimum": low, "maximum": high}
        kind = "integer" if isinstance(default, int) else "number"
        return {"type": kind, "default": default} | {key: end for key, end in ends.items() if end is not None}
    if isinstance(default, str):
        return {"enum": list(choices), "default": default} if choices else {"type": "string", "maxLength": LONGEST}
    if isinstance(default, Mapping):
        return OPEN
    return {"type": "array"}


def _settings(entry: Any) -> Shape:
    """The settings of a metric, a quality check or a kind of work."""
    choices, bounds = getattr(entry, "choices", {}), entry.bounds
    return _closed({key: _setting(usual, choices.get(key), bounds.get(key)) for key, usual in entry.defaults.items()})


def _task_settings(name: str) -> Shape:
    shape = _settings(TASK_TYPES[name])
    shape["properties"].pop("criteria", None)  # they have a table of their own
    return shape


def _selection_settings(name: str) -> Shape:
    """Numbers may be written as texts."""
    usual = SELECTIONS[name].defaults
    kinds = {key: _setting(value, None, None) for key, value in usual.items()}
    return _closed(
        {key: {**one, "type": [one["type"], "string"]} if one["type"] in ("integer", "number") else one
         for key, one in kinds.items()}
    )  # fmt: skip


def _criteria() -> Shape:
    return {
        "type": "object",
        "description": "The criteria, by name.",
        "patternProperties": {WORD: declared(fields.CriterionBlock)},
        "additionalProperties": False,
    }


def _rule_field(ask: RuleField) -> Shape:
    kinds: dict[str, Shape] = {
        "flag": {"type": "boolean"},
        "whole": {"type": "integer", "minimum": 1, "maximum": ask.high},
        "part": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "names": {"type": "array", "minItems": 1, "items": NOT_BLANK | {"maxLength": 100}},
        "campaigns": {"type": "array", "items": NOT_BLANK | {"maxLength": 100}},
        "campaign": {"type": "string", "minLength": 1},
    }
    about = {"title": ask.label} | ({"description": ask.help} if ask.help else {})
    return about | kinds[ask.kind] | ({} if ask.usual is None else {"default": ask.usual})


def _crew() -> Shape:
    """The eligibility rules; a number in place of a table stands for the first field."""
    shapes = {}
    for name in ELIGIBILITY_RULES:
        asks = ELIGIBILITY_RULES[name].asks
        shape = _rule_field(asks[0])
        if asks[0].key:
            table = _closed({ask.key: _rule_field(ask) for ask in asks})
            table["required"] = [ask.key for ask in asks if ask.usual is None and ask.kind != "campaigns"]
            shape = _any(table, shape) if asks[0].kind in ("whole", "part") else table
        shapes[name] = {"title": ELIGIBILITY_RULES[name].label, "description": ELIGIBILITY_RULES[name].about} | shape
    return _closed(shapes)


def _checks() -> Shape:
    """The quality checks; false switches one off."""
    return _closed(
        {
            name: {"title": CHECKS[name].label, "description": CHECKS[name].about}
            | _any({"type": "boolean"}, _check_settings(name))
            for name in CHECKS
        }
    )


def _check_settings(name: str) -> Shape:
    """The parts and counts of a check that gives no bounds have those of all checks."""
    usual = {
        key: (1, 1_000_000) if isinstance(value, int) else (0.0, 1.0) for key, value in CHECKS[name].defaults.items()
    }
    bounds = {**usual, **CHECKS[name].bounds}
    return _closed({key: _setting(value, None, bounds[key]) for key, value in CHECKS[name].defaults.items()})


TABLES: Mapping[Any, Callable[[], Shape]] = {eligibility.check: _crew, check_checks: _checks}
"""The tables that an action checks itself, by their check."""
