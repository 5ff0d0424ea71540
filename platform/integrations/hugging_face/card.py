"""The card of a data set on the Hub: YAML that its programs read, then Markdown for people.

https://huggingface.co/docs/hub/datasets-cards, .../datasets-gated and .../datasets-data-files-configuration
"""

import json
from collections.abc import Mapping

from annotation.gold.release.metadata import Described, bibtex, spdx_of

SPLITS = {"train": "train", "tune": "validation", "test": "test"}
"""The names that programs of the Hub know the splits by."""


def card_of(told: Described, tables: Mapping[str, Mapping[str, str]], *, terms: str) -> str:
    """The text of `README.md`. Where the study has terms, readers must agree to them before they see a file."""
    known = spdx_of(told.license)
    lines = [
        f"pretty_name: {_text(told.name)}",
        f"language:\n- {told.language.partition('-')[0]}" * bool(told.language),
    ]
    lines.append(f"license: {known.lower()}" if known else "license: other")
    if not known and told.license:
        lines.append(f"license_name: {_text(told.license)}")
    lines.append("tags:\n- text-style-transfer\n- restyle")
    if tables:
        lines += ["configs:", *(line for name, files in tables.items() for line in _configuration(name, files))]
    if terms:
        lines.append(f"extra_gated_prompt: {_text(terms)}")
        lines.append("extra_gated_fields:\n  I accept these terms: checkbox")
    head = "\n".join(filter(None, lines))
    parts = "".join(f"\n## {name}\n\n{text}\n" for name, text in told.sheet.items())
    cited = f"\n## Citation\n\n```bibtex\n{bibtex(told)}\n```\n"
    return f"---\n{head}\n---\n\n# {told.name}\n\n{told.abstract}\n{parts}{cited}"


def _configuration(name: str, files: Mapping[str, str]) -> list[str]:
    lines = [f"- config_name: {name}", "  data_files:"]
    for split, path in files.items():
        lines += [f"  - split: {SPLITS[split]}", f"    path: {path}"]
    return lines


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
