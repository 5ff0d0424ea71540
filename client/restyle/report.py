"""The report of a study: its scores as rows, as a table, and all of it as the site wrote it (docs/report.md)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from restyle.frames import Rows, html_table, text_table

if TYPE_CHECKING:
    import pandas
    import polars


class Report:
    """`data` is the JSON of the report; `out_of_date` says whether something has changed since."""

    def __init__(self, data: Mapping[str, Any], *, out_of_date: bool = False) -> None:
        self.data = dict(data)
        self.out_of_date = out_of_date

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the order of the report."""
        return [str(one["name"]) for one in self.data["systems"]]

    @property
    def scores(self) -> Rows[dict[str, Any]]:
        """A row for each system and measure: `by` is `people` for a criterion, `metric` for a metric.

        `value` is None where `undefined` says why; `low` and `high` bound 95%, if there is an interval. Systems of one
        `cluster` are not shown to differ, and `stars` mark a difference from the baseline.
        """
        rows: Rows[dict[str, Any]] = Rows()
        boards = self.data["leaderboard"]
        for system in self.data["systems"]:
            for name, one in system["human"].items():
                rows.append(_row(system["name"], "people", name, one["mean"], one, boards["criteria"]))
            for name, one in system["metrics"].items():
                rows.append(_row(system["name"], "metric", name, one["score"], one, boards["metrics"]))
        return rows

    @property
    def table(self) -> Rows[dict[str, Any]]:
        """A row for each system, a column for each criterion and metric."""
        rows: Rows[dict[str, Any]] = Rows()
        for system in self.data["systems"]:
            people = {name: one["mean"] for name, one in system["human"].items()}
            metrics = {name: one["score"] for name, one in system["metrics"].items()}
            rows.append({"system": system["name"], **people, **metrics})
        return rows

    def to_pandas(self) -> "pandas.DataFrame":
        """The scores, a row for each system and measure."""
        return self.scores.to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The scores, a row for each system and measure."""
        return self.scores.to_polars()

    def __repr__(self) -> str:
        return f"Report({self.data['study']!r}, {len(self.data['systems'])} systems)"

    def __str__(self) -> str:
        return text_table(self.table)

    def _repr_html_(self) -> str:
        return html_table(self.table, caption=f"Report of {self.data['study']}")


def _row(
    system: str, by: str, name: str, value: Any, one: Mapping[str, Any], boards: Mapping[str, Any]
) -> dict[str, Any]:
    ranked = boards.get(name, {"rows": []})["rows"]
    place: Mapping[str, Any] = next((row for row in ranked if row["system"] == system), {})
    rest = {key: place.get(key, one.get(key)) for key in ("low", "high", "n", "cluster", "stars")}
    return {"system": system, "by": by, "measure": name, "value": value, **rest, "undefined": one["undefined"]}
