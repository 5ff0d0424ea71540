"""Writes docs/reference/ and docs/study-file.schema.json from the declarations and registries.

SECRET_KEY=x PYTHONPATH=.:platform python -m tools.reference
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import django
from django.utils.translation import override

DOCS = Path(__file__).resolve().parents[1] / "docs"
WRITTEN = "Written by `python -m tools.reference` from the declarations in the code.\n"
OF_THE_FILE = {
    "style": "a style of the study", "direction": "the name of a direction, SOURCE-TARGET",
    "system": "names of systems of the file", "baseline": "the name of a system of the file",
    "training": "the name of a training of the file", "campaign": "the slug of a campaign that stands earlier",
    "column": "a column, as a number from 1 or a name", "delimiter": "one character, `tab` or `none`",
    "encoding": "the name of an encoding", "separator": "one or more characters", "seeds": "whole numbers from 0",
    "scale": "the name of a [scale](scales.md), or a scale of your own in one line",
}  # fmt: skip


def pages() -> dict[Path, str]:
    """The text of each file that is written."""
    from study_file.schema import NAME, schema_text

    with override("en"):
        written = {
            "study-file": study_file(), "models": models(), "metrics": metrics(), "statistics": statistics(),
            "scales": scales(), "work": work(),
        }  # fmt: skip
    return {DOCS / "reference" / f"{name}.md": text for name, text in written.items()} | {DOCS / NAME: schema_text()}


def page(title: str, *parts: str) -> str:
    return "\n".join([f"# {title}\n", WRITTEN, *parts])


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    """A table; columns that every row leaves empty are left out."""
    listed, names = list(rows), head.split(" | ")
    kept = [place for place in range(len(names)) if any(row[place] for row in listed)]
    lines = [[names[place] for place in kept], ["---"] * len(kept), *([row[place] for place in kept] for row in listed)]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |\n" for line in lines
    )


def code(value: object) -> str:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    return f"`{text}`" if text else ""


def codes(values: Iterable[object]) -> str:
    return ", ".join(code(value) for value in values if str(value))


def of(paper: Any) -> str:
    """The authors and the year of a paper, as a link to its address; without one, its text."""
    return f"[{paper.authors} {paper.year}]({paper.url})" if paper and paper.url else str(paper or "")


# The fields of a declaration.


def kind_of(one: Any) -> str:
    """The kind of value of an option, in words."""
    from foundation.options import number_in_words
    from study_file.parser import fields as declarations

    if one.row in OF_THE_FILE:
        several = one.row == "style" and isinstance(one.default, tuple)
        return "two styles of the study" if several else OF_THE_FILE[one.row]
    if one.what == "model":
        return "a [model](models.md)"
    if one.choices:
        return ("some of " if isinstance(one.default, tuple) else "") + codes(one.choices)
    if isinstance(one.table, type) and one.table is not dict:
        return f"table of {codes(each.name for each in fields(one.table))}"
    if isinstance(one.rows, type):
        return f"list of tables of {codes(each.name for each in fields(one.rows))}"
    if one.table or one.rows:
        return "table of texts" if one.table is dict else "table"
    if isinstance(one.default, tuple):
        return "list of texts"
    if isinstance(one.default, bool):
        return "`true` or `false`"
    if isinstance(one.default, str):
        if one.longest == declarations.FILE:
            return "file"
        return "text" + (f" of at most {number_in_words(one.longest)} characters" if one.longest < 2000 else "")
    bounded = one.low is not None or one.high is not None
    return ("whole number" if one.whole else "number") + (f" {one.range}" if bounded else "")


def usual(one: Any) -> str:
    if one.required and not one.default:
        return "required"
    value = one.usual
    return "" if value is None or value in ("", ()) else code(value if value != "\t" else "tab").replace(".0`", "`")


def about(one: Any) -> str:
    said = one.help or one.label
    return f"{kind_of(one)}. {said.removesuffix('.')}." if said else kind_of(one)


def fields(kind: type) -> list[Any]:
    """Its options, those that must be there first."""
    from foundation.options import list_options

    return sorted(list_options(kind), key=lambda one: not (one.required and not one.default))


def declared(kind: type) -> str:
    rows = [
        (code(one.name) + (f" (earlier {code(one.old)})" if one.old else ""), about(one), usual(one))
        for one in fields(kind)
    ]
    return table("key | value | if left out", rows)


def setting(key: str, default: Any, entry: Any) -> str:
    """A setting of a metric, a check or a kind of work: `order` (whole number from 1 to 6; 3)."""
    choices = getattr(entry, "choices", {}).get(key)
    bounds = entry.bounds.get(key)
    if isinstance(default, bool | Mapping | list) or (isinstance(default, str) and not choices):
        said = code(default) if isinstance(default, bool) else ""
    elif choices:
        said = codes(choices) + (f"; {code(default)}" if default else "")
    else:
        ends = f"{bounds[0]:g} to {bounds[1]:g}; " if bounds else ""
        said = f"{ends}{code(default)}"
    return f"`{key}`" + (f" ({said})" if said else "")


def settings(entry: Any) -> str:
    return ", ".join(setting(key, usual, entry) for key, usual in entry.defaults.items())


# The pages.


def study_file() -> str:
    from annotation.campaigns.fields import Example, Pay
    from evaluation.human_studies.fields import Costs
    from study_file.parser import fields as declarations

    parts = []
    for name, kind in declarations.BLOCKS.items():
        if name == "metrics":
            parts.append("## `[metrics]`\n\nEach line is a [metric](metrics.md) with its settings.\n")
            continue
        title = f"[{name}]" if name in declarations.SINGLE else f"[[{name}]]"
        parts.append(f"## `{title}`\n\n{declared(kind)}")
        if name == "ratings":
            parts.append(f"With `mapping` it is any table:\n\n{declared(declarations.RatingsTableBlock)}")
        if name == "systems":
            parts.append(f"### `outputs`\n\n{declared(declarations.OutputBlock)}")
        if name == "campaigns":
            parts.append(
                f"### `[campaigns.pay]`\n\n{declared(Pay)}\n### `[[campaigns.examples]]`\n\n{declared(Example)}"
            )
        if name == "human_studies":
            parts.append(f"### `[human_studies.costs]`\n\n{declared(Costs)}")
    criteria = (
        "## Criteria\n\nA line of `[ratings.criteria]`, `[campaigns.criteria]` or `[human_studies.criteria]`.\n\n"
    )
    parts.append(criteria + declared(declarations.CriterionBlock))
    return page("The keys of the study file", "[study-file.md](../study-file.md) explains them.\n", *parts)


def models() -> str:
    from foundation.options import list_options
    from modelserving.transfer import TRANSFERS

    rows, said = [], dict[tuple[str, str], dict[str, list[str]]]()
    for name in TRANSFERS.own_names():
        kind = TRANSFERS[name]
        rows.append((code(name), kind.label, kind.needs, codes(kind.presets), of(kind.paper)))
        for one in [*list_options(kind.Options), *list_options(kind.Decoding)]:
            names = said.setdefault((one.name, about(one)), {}).setdefault(usual(one) or "none", [])
            names += [name] * (name not in names)
    options = [
        (code(option), told, "; ".join(f"{left_out}: {codes(names)}" for left_out, names in sorted(usuals.items())))
        for (option, told), usuals in sorted(said.items())
    ]
    return page(
        "Models and their options", "[models.md](../models.md) explains them.\n",
        table("model | on pages | is trained on | presets | paper", rows),
        "## Options\n\nThe options of trainings (`options`) and of runs (`decoding`), with the value that each model "
        "has where the option is left out.\n",
        table("option | value | if left out", options),
    )  # fmt: skip


def metrics() -> str:
    from evaluation.metrics import METRICS

    ends = {True: "", False: "lower", None: "neither"}
    rows = [
        (
            code(name), one.label, one.unit, ends[one.higher_is_better], ", ".join(sorted(one.needs)), settings(one),
            codes(sorted(one.languages)), of(one.paper),
        )
        for name, one in METRICS.own().items()
    ]  # fmt: skip
    return page(
        "Metrics and their settings", "[metrics.md](../metrics.md) explains them.\n",
        table("metric | on pages | unit | better | needs | settings | languages | paper", rows),
    )  # fmt: skip


def statistics() -> str:
    from evaluation.statistics import STATISTICS

    rows = []
    for name in STATISTICS.own_names():
        one: Any = STATISTICS[name]
        kind = type(one).__name__
        words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind).strip()
        rows.append((code(name), one.label, words, getattr(one, "effect", ""), of(one.paper)))
    return page(
        "Statistics", "[statistics.md](../statistics.md) explains them.\n",
        table("statistic | on pages | kind | effect | paper", rows),
    )  # fmt: skip


def first_line(registry: Any, name: str) -> str:
    import importlib

    return (importlib.import_module(registry.module_of(name)).__doc__ or "").split("\n\n")[0].strip().removesuffix(".")


def scales() -> str:
    from annotation.scales import SCALES

    rows = [
        (
            code(name), one.label, first_line(SCALES, name), one.measurement,
            "; ".join(f"{level.value:g} {level.label}".strip() for level in one.levels), one.beside.replace("_", " "),
            of(one.paper),
        )
        for name, one in SCALES.own().items()
    ]  # fmt: skip
    return page(
        "Scales", "[annotation.md](../annotation.md) explains them.\n",
        table("scale | on pages | what it measures | measurement | values | beside the text | paper", rows),
    )  # fmt: skip


def work() -> str:
    from annotation.eligibility_rules import ELIGIBILITY_RULES
    from annotation.quality import CHECKS
    from annotation.span_taxonomies import TAXONOMIES
    from annotation.task_types import TASK_TYPES

    def rows(registry: Any) -> Iterator[tuple[str, ...]]:
        for name in registry.own_names():
            one = registry[name]
            said = one.about if hasattr(one, "about") else first_line(registry, name)
            yield code(name), one.label, said, rule(one) if hasattr(one, "asks") else settings(one)

    def marked(name: str) -> tuple[str, ...]:
        one = TAXONOMIES[name]
        costs = "; ".join(f"{key} {cost:g}" for key, cost in one.weights.items())
        kinds = ", ".join(f"{kind.name}{' (source)' * (kind.sides == ('source',))}" for kind in one.kinds)
        return code(name), kinds, ", ".join(step.label for step in one.severities), costs, of(one.paper)

    contents = ((code(name), TASK_TYPES[name].answer_content) for name in TASK_TYPES.own_names())
    return page(
        "Work: kinds, eligibility rules, quality checks", "[annotation.md](../annotation.md) explains them.\n",
        "## Kinds of work\n", table("kind of work | on pages | what people do | settings", rows(TASK_TYPES)),
        "## The content of an answer\n",
        "`POST api/studies/STUDY/campaigns/CAMPAIGN/answers/` takes it as `content`, and so does a revision.\n",
        table("kind of work | `content`", contents),
        "## Taxonomies of marked spans\n",
        table("taxonomy | kinds | severities | costs of a mark | paper", map(marked, TAXONOMIES.own_names())),
        "## Eligibility rules\n", table("eligibility rule | on pages | what it asks | value", rows(ELIGIBILITY_RULES)),
        "## Quality checks\n", table("quality check | on pages | what it finds | settings", rows(CHECKS)),
    )  # fmt: skip


RULE_KINDS = {"flag": "`true` or `false`", "whole": "whole number", "part": "part of 1", "names": "list of names",
              "campaign": "slug of a campaign", "campaigns": "slugs of campaigns"}  # fmt: skip


def rule(one: Any) -> str:
    """The value of an eligibility rule: a table of what it asks, or one thing."""
    return ", ".join((f"`{ask.key}` " if ask.key else "") + f"({RULE_KINDS[ask.kind]})" for ask in one.asks)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
