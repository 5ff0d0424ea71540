"""Run by a Python that has pandas and polars and nothing of the site: rows become frames, and frames tables to send.

Its arguments are the folder of the client, and the data of a report as JSON.
"""

import json
import sys
from importlib import import_module

sys.path.insert(0, sys.argv[1])

from restyle import Report, RestyleError
from restyle.frames import csv_of

pandas, polars = import_module("pandas"), import_module("polars")  # of that Python; the suite has neither
COLUMNS = {"src": ["a", None], "n": [1, None], "out": ["x, y", "é"]}


def refused(table: object) -> str:
    try:
        csv_of(table)
    except RestyleError as error:
        return str(error)
    return ""


def main(report: Report) -> dict[str, object]:
    frames = {"pandas": report.to_pandas(), "polars": report.to_polars()}
    plain = {name: json.loads(frame.to_json(orient="records") if name == "pandas" else json.dumps(frame.to_dicts()))
             for name, frame in frames.items()}  # fmt: skip
    frame = pandas.DataFrame(COLUMNS)
    half = pandas.Series(["\ud800"] * len(frame), dtype=object)  # pandas' own texts hold no surrogate beside pyarrow
    sent = {
        "pandas": csv_of(frame), "index": csv_of(frame.set_index("src")), "polars": csv_of(polars.DataFrame(COLUMNS)),
        "query": csv_of(polars.DataFrame({"src": ["a"]}).lazy()),
    }  # fmt: skip
    return {
        "frames": plain, "sent": {name: content.decode() for name, content in sent.items()},
        "nested": refused(polars.DataFrame({"texts": [["a", "b"]]})), "surrogate": refused(frame.assign(out=half)),
    }  # fmt: skip


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Report(json.loads(sys.argv[2])))))
