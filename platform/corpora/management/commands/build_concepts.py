"""The folder of concepts, from the files that the user has of the UMLS."""

from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

from accounts.management.telling import TellingCommand
from corpora.knowledge.concepts.index import MEASURES, Manifest

SETTINGS = ("language", "threshold", "window", "similarity", "shortest", "types")


class Command(TellingCommand):
    help = "Make the folder of concepts for QuickUMLS from the UMLS's MRCONSO.RRF, MRSTY.RRF and, if there, MRDEF.RRF."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = {field.name: field.default for field in fields(Manifest) if field.name in SETTINGS}
        parser.add_argument("--umls", type=Path, required=True, help="the folder with the RRF files (META)")
        parser.add_argument("--out", type=Path, required=True, help="the folder, which RESTYLE_CONCEPTS then names")
        parser.add_argument("--language", default=usual["language"], help="of the names, as the UMLS calls it")
        parser.add_argument("--threshold", type=float, default=usual["threshold"], help="least similarity, 0 to 1")
        parser.add_argument("--window", type=int, default=usual["window"], help="most words of a mention")
        parser.add_argument("--similarity", choices=MEASURES, default=usual["similarity"])
        parser.add_argument("--shortest", type=int, default=usual["shortest"], help="least characters of a mention")
        parser.add_argument(
            "--types", action="extend", nargs="+", metavar="TUI", help="semantic types; those of QuickUMLS by default"
        )

    def handle(self, *, umls: Path, out: Path, **options: Any) -> None:
        from corpora.knowledge.concepts.build import build

        wanted = Manifest(**{name: options[name] for name in SETTINGS})
        made = build(umls, out, wanted, self.stdout.write)
        self.stdout.write(f"{made.concepts:,} concepts with {made.terms:,} terms: RESTYLE_CONCEPTS={out.resolve()}")
