"""Tables of texts, a small one of each kind, with what is right: sources, references by set, outputs by system."""

import gzip
import json
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from support.workbooks import MAIN, workbook, zipped

TWO = {"hey you there": "Hello.", "k thx bye": "Thank you."}
BOTH = [("hey you there", "Hello."), ("k thx bye", "Thank you.")]
CSV = "informal,formal\nhey you there,Hello.\nk thx bye,Thank you.\n"
HEADED = [("informal", "formal"), *BOTH]


@dataclass(frozen=True)
class Kind:
    """A file, the answers to what it has to ask, and what is right: sources, references by set, outputs by system."""

    name: str
    content: str | bytes
    answers: dict[str, str] = field(default_factory=dict)
    references: list[dict[str, str]] = field(default_factory=lambda: [TWO])
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=lambda: list(TWO))


def json_lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def in_parquet(columns: dict[str, list[Any]]) -> bytes:
    held = BytesIO()
    parquet.write_table(pa.table(columns), held)
    return held.getvalue()


ERRORS = ('<row r="1"><c r="A1" t="inlineStr"><is><t>informal</t></is></c><c r="B1" t="inlineStr"><is><t>formal</t>'
          '</is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>hey you there</t></is></c><c r="B2" t="e"><v>#N/A'
          '</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>k thx bye</t></is></c><c r="B3" t="inlineStr"><is>'
          "<t>Thank you.</t></is></c></row>")  # fmt: skip
OUTPUTS = {"A": {"hey you there": "Hi.", "k thx bye": "Thanks."}, "B": {"hey you there": "Yo.", "k thx bye": "Ta."}}
LONG = "source,system,text\nhey you there,A,Hi.\nhey you there,B,Yo.\nk thx bye,A,Thanks.\nk thx bye,B,Ta.\n"
ANNOTATED = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Formality|value


#Text=hey you there
1-1	0-3	hey	informal	
1-2	4-7	you	_	
1-3	8-13	there	_	

#Text=k thx bye
2-1	14-15	k	*	
2-2	16-19	thx	*	
2-3	20-23	bye	_	
"""
SECOND = {"k thx bye": "Thank you."}
LATE = "".join(f"plain sentence {n} here\tthe rewritten sentence {n}\n" for n in range(240))

TEXTS = {
    "comma": Kind("a.csv", CSV),
    "semicolon": Kind("a.csv", CSV.replace(",", ";")),
    "tab": Kind("a.tsv", CSV.replace(",", "\t")),
    "bar, called text": Kind("a.txt", CSV.replace(",", "|")),
    "byte order mark": Kind("a.csv", CSV.encode("utf-8-sig")),
    "utf-16": Kind("a.csv", CSV.encode("utf-16")),
    "line ends of Windows": Kind("a.csv", CSV.replace("\n", "\r\n")),
    "gzip": Kind("a.csv.gz", gzip.compress(CSV.encode())),
    "one text a line": Kind("a.txt", "hey you there\nk thx bye\n", references=[]),
    "json list": Kind("a.json", json.dumps([{"informal": one, "formal": other} for one, other in BOTH])),
    "json lines": Kind("a.jsonl", json_lines(*({"informal": one, "formal": other} for one, other in BOTH))),
    "json with NaN": Kind("a.jsonl", '{"informal": "hey you there", "formal": NaN}\n'
                          '{"informal": "k thx bye", "formal": "Thank you."}\n', references=[SECOND]),
    "parquet": Kind("a.parquet", in_parquet({"informal": list(TWO), "formal": list(TWO.values())})),
    "parquet with NaN": Kind("a.parquet", in_parquet({"informal": list(TWO), "formal": list(TWO.values()),
                                                      "domain": [float("nan")] * 2})),
    "workbook": Kind("a.xlsx", workbook({"Texts": HEADED})),
    "hidden sheet": Kind("a.xlsx", workbook({"Old": [("informal",), ("old one here",)], "Texts": HEADED},
                                            hidden={"Old"})),
    "active sheet": Kind("a.xlsx", workbook({"Notes": [("a note",), ("one more",)], "Texts": HEADED}, active=1)),
    "title row in a workbook": Kind("a.xlsx", workbook({"Texts": [("Our texts",), *HEADED]}), {"above": "1"}),
    "cells with errors": Kind("a.xlsx", workbook({"Texts": f'<worksheet xmlns="{MAIN}"><sheetData>{ERRORS}</sheetData>'
                                                  "</worksheet>"}), {"errors": "empty"}, [SECOND]),
    "comment above": Kind("a.csv", "# exported 2025\n" + CSV, {"above": "1"}),
    "title above": Kind("a.csv", "Our texts 2025,\n,\n" + CSV, {"above": "1"}),
    "delimiter named above": Kind("a.csv", "sep=;\n" + CSV.replace(",", ";")),
    "quote after many rows": Kind(
        "a.tsv", "informal\tformal\n" + LATE + '"she said ""no"" then"\t"She said: ""No""."\n',
        references=[{f"plain sentence {n} here": f"the rewritten sentence {n}" for n in range(240)}
                    | {'she said "no" then': 'She said: "No".'}],
        sources=[*(f"plain sentence {n} here" for n in range(240)), 'she said "no" then'],
    ),
    "one backslash": Kind(
        "a.csv", 'informal,formal\n"hey you there","Hello."\n"he said \\"no\\" lol","He said no."\n',
        {"quoting": "backslash"}, [{"hey you there": "Hello.", 'he said "no" lol': "He said no."}],
        sources=["hey you there", 'he said "no" lol'],
    ),
    "space before a quote": Kind("a.csv", 'informal, formal\n"hey you there", "Hello."\n"k thx bye", "Thank you."\n'),
    "speech between tabs": Kind("a.tsv", 'informal\tformal\n"hey you there\tHello.\nk thx bye"\tThank you.\n',
                                references=[{'"hey you there': "Hello.", 'k thx bye"': "Thank you."}],
                                sources=['"hey you there', 'k thx bye"']),
    "header is the styles": Kind("a.tsv", "informal\tformal\nhey you there\tHello.\nk thx bye\tThank you.\n"),
    "no header": Kind("a.csv", "my name is bob\tI am called Bob.\nhe was late again\tHe was late once more.\n",
                      {"columns": "reference"}, [{"my name is bob": "I am called Bob.",
                                                  "he was late again": "He was late once more."}],
                      sources=["my name is bob", "he was late again"]),
    "first text may be a name": Kind("a.txt", "Time\nhey you there\nk thx bye\n", {"header": "no"}, [],
                                     sources=["Time", *TWO]),
    "text, simplified": Kind("a.csv", CSV.replace("informal,formal", "text,simplified")),
    "text1, text2": Kind("a.csv", CSV.replace("informal,formal", "text1,text2"), {"columns": "reference"}),
    "text2 is the source": Kind("a.csv", "text1,text2\nHello you.,hey you there\nThank you.,k thx bye\n",
                                {"columns": "swapped"}, [{"hey you there": "Hello you.", "k thx bye": "Thank you."}]),
    "doccano": Kind("a.jsonl", json_lines(*({"id": n, "text": one, "label": [other]}
                                            for n, (one, other) in enumerate(BOTH)))),
    "a column of systems": Kind("a.csv", LONG, references=[], outputs=OUTPUTS),
    "Chinese": Kind("a.csv", "id,sentence,simplification\n1,患者出现发热症状。,病人发烧了。\n"
                    "2,每日服用两片药物。,每天吃两片药。\n",
                    references=[{"患者出现发热症状。": "病人发烧了。", "每日服用两片药物。": "每天吃两片药。"}],
                    sources=["患者出现发热症状。", "每日服用两片药物。"]),
    "style and task are labels": Kind("a.csv", "informal,formal,style,task\nhey you there,Hello.,angry,7\n"
                                      "k thx bye,Thank you.,calm,7\n"),
    "a first reference is missing": Kind("a.csv", "source,ref0,ref1\nhey you there,,Hello.\n"
                                         "k thx bye,Thanks.,Thank you.\n",
                                         references=[{"k thx bye": "Thanks."}, TWO]),
    "nan in a column of texts": Kind("a.csv", CSV.replace("Hello.", "nan"), {}, [SECOND]),
    "cells missing at the end": Kind("a.csv", '"informal","formal","Approve","Reject"\n"hey you there","Hello."\n'
                                     '"k thx bye","Thank you."\n'),
    "guarded from a spreadsheet": Kind("a.csv", "informal,formal\n'=) hey you,Hello.\nk thx bye,'@you: thanks.\n",
                                       references=[{"=) hey you": "Hello.", "k thx bye": "@you: thanks."}],
                                       sources=["=) hey you", "k thx bye"]),
    "two Unicode forms of one source": Kind("a.csv", "source,system,text\ndéjà vu,A,Hi.\n"
                                            "de\u0301ja\u0300 vu,B\u200b,Yo.\n",
                                            references=[], sources=["déjà vu"],
                                            outputs={"A": {"déjà vu": "Hi."}, "B\u200b": {"déjà vu": "Yo."}}),
    "a sheet a system": Kind(
        "a.xlsx", workbook({name: [("source", "output"), *texts.items()] for name, texts in OUTPUTS.items()}),
        {"part": "*"}, [], OUTPUTS,
    ),
    "a file a system": Kind("a.zip", zipped({"A.csv": "source,output\nhey you there,Hi.\nk thx bye,Thanks.\n",
                                             "B.csv": "source,output\nhey you there,Yo.\nk thx bye,Ta.\n"}),
                            references=[], outputs=OUTPUTS),
    "sentences of INCEpTION": Kind("doc.tsv", ANNOTATED, references=[]),
    "a data set folder": Kind("a.zip", zipped({"README.md": "---\nlicense: mit\n---\n# Texts\n",
                                               "data/train-00000-of-00001.parquet": in_parquet(
                                                   {"informal": list(TWO), "formal": list(TWO.values())})})),
}  # fmt: skip
