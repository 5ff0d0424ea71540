"""Rows of gold as JSON objects, with nothing left out."""

from datetime import datetime
from typing import Any

from corpora.gold_records.rows import PROVENANCE, GoldRow, row_of


def entry_of(row: GoldRow) -> dict[str, Any]:
    """The row as one JSON object; `orjson` writes its time as ISO 8601."""
    entry: dict[str, Any] = {
        "kind": row.kind,
        "source_id": row.source_id,
        "source_style": row.source_style,
        "target_style": row.target_style,
        "split": row.split,
        "domain": row.domain,
        "annotators": row.annotators,
        "written_at": row.written_at,
        "guideline_version": row.guideline_version,
        "revision": row.revision,
        "campaign": row.campaign,
        "study": row.study,
        "license": row.license,
    }
    entry.update(row.product)
    entry["kind"] = row.kind
    if row.extra:
        entry["extra"] = row.extra
    return entry


def row_from(entry: dict[str, Any], where: str = "") -> GoldRow:
    """The way back from `entry_of`."""
    provenance = {name: entry[name] for name in PROVENANCE if name in entry}
    product = {"kind": entry.get("kind")}
    product.update((key, value) for key, value in entry.items() if key not in PROVENANCE and key != "extra")
    return row_of(provenance, product, entry.get("extra", {}), where)


def row_again(entry: dict[str, Any]) -> GoldRow:
    """As `row_from`, for what this program wrote itself a moment ago: nothing is checked. It takes `entry` apart."""
    extra, kind = entry.pop("extra", {}), entry["kind"]
    given = {name: entry.pop(name) for name in PROVENANCE}
    given["annotators"] = tuple(given["annotators"])
    if given["written_at"]:
        given["written_at"] = datetime.fromisoformat(given["written_at"])
    return GoldRow(product={"kind": kind, **entry}, extra=extra, **given)
