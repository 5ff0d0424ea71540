"""A WordNet of a few words in the form of wndb(5WN), for tests where the real one is not installed."""

from collections import defaultdict
from pathlib import Path

# Part of speech, its letter in the data, the words of a sense; each sense is written where it stands in its file.
SENSES = [
    ("noun", "n", ["car", "auto", "automobile", "motor_car"]),
    ("noun", "n", ["car", "railcar"]),
    ("noun", "n", ["doctor", "Dr.", "physician"]),
    ("noun", "n", ["foot", "pes"]),
    ("noun", "n", ["illness", "sickness", "malady"]),
    ("verb", "v", ["buy", "purchase"]),
    ("verb", "v", ["doctor"]),
    ("adj", "a", ["large", "big"]),
    ("adj", "a", ["galore(ip)", "plenteous"]),
    ("adv", "r", ["quickly", "rapidly", "speedily"]),
]
IRREGULAR = {"noun": ["feet foot"], "verb": ["bought buy"], "adj": ["bigger big"], "adv": []}
HEAD = "  1 A few words in the form of WordNet 3.0 Copyright nobody.  \n"


def make(folder: Path) -> Path:
    """The files in that folder, which is made; NLTK's reader takes them too."""
    folder.mkdir(parents=True)
    for part, forms in IRREGULAR.items():
        data, index = HEAD, defaultdict(list)
        for at, letter, words in [(part, letter, words) for each, letter, words in SENSES if each == part]:
            offset = len(data)
            named = " ".join(f"{word} 0" for word in words)
            frames = " 00" if letter == "v" else ""
            data += f"{offset:08d} 03 {letter} {len(words):02x} {named} 000{frames} | {at}  \n"
            for word in words:
                index[word.partition("(")[0].lower()].append(offset)
        letter = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}[part]
        lines = [_line(word, letter, offsets) for word, offsets in sorted(index.items())]
        (folder / f"data.{part}").write_text(data, encoding="utf-8")
        (folder / f"index.{part}").write_text(HEAD + "".join(lines), encoding="utf-8")
        (folder / f"{part}.exc").write_text("".join(f"{line}\n" for line in forms), encoding="utf-8")
    (folder / "lexnames").write_text("".join(f"{at:02d}\tnoun.{at}\t1\n" for at in range(45)), encoding="utf-8")
    return folder


def _line(word: str, letter: str, offsets: list[int]) -> str:
    return f"{word} {letter} {len(offsets)} 0 {len(offsets)} 0 {' '.join(f'{offset:08d}' for offset in offsets)}  \n"
