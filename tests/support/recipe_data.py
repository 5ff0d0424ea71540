"""The files that the recipes of docs/recipes name, each a few lines in the form in which its corpus is published."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from support import tiny_encoder, tiny_language_model, tiny_transformers

ORGANS = ("lung", "heart", "liver", "kidney", "stomach", "skin")
DAYS = ("two", "three", "four", "five", "seven", "nine")
TEST_PAIRS = 4
SMALL: dict[str, Any] = {
    "epochs": 1, "hidden": 8, "embedding": 8, "layers": 1, "heads": 2, "feedforward": 8, "batch": 4, "tune_most": 2,
    "read": 48, "write": 32, "order": 2, "phrase_length": 2, "tune_rounds": 1, "warmup": 0, "patience": 0,
    "filters": 4, "content": 8, "style": 4, "pretraining": 1, "pretrain": 1,
    "discriminator_updates": 1, "generator_updates": 1,
}  # fmt: skip
"""What makes a training small, of those options that a model has."""
SHORT = {"beam": 1, "longest": 12, "shortest": 3, "retrieved": 1}
"""What makes rewriting short."""


def expert(number: int) -> str:
    return f"patients develop dyspnea {_shared(number)} ."


def layman(number: int) -> str:
    return f"people get short of breath {_shared(number)} ."


def _shared(number: int) -> str:
    """What both styles say alike, different for each number below 36."""
    return f"in {ORGANS[number % 6]} disease when they lie flat after {DAYS[number // 6 % 6]} days of rest"


def write_msd(folder: Path) -> None:
    """36 sentences of each style to train on, and TEST_PAIRS pairs of two days that no other sentence has."""
    sides: tuple[tuple[int, Callable[[int], str]], ...] = ((0, expert), (1, layman))
    alone = [_msd_line(text(number), label) for label, text in sides for number in range(36)]
    pairs = [
        _msd_line(text(number).replace("days", "weeks"), label) for number in range(TEST_PAIRS) for label, text in sides
    ]
    _write(folder / "MSD/train.txt", alone)
    _write(folder / "MSD/test.txt", pairs)


def _msd_line(text: str, label: int) -> str:
    return json.dumps({"text": text, "label": label, "concepts": []})


def write_pairs(folder: Path) -> None:
    """The pairs of the other corpora of MSD's Table 3: two of each, as lines or as a table."""
    gyafc = [f"GYAFC_Corpus/{domain}/test/" for domain in ("Entertainment_Music", "Family_Relationships")]
    for number, place in enumerate(gyafc):
        _write(folder / f"{place}informal", [f"u r gr8 {number}", f"gotta go {number}"])
        _write(folder / f"{place}formal.ref0", [f"You are great {number}", f"I must go {number}"])
    for name in ("yelp", "amazon"):
        sources = [f"the food was bad at {name}", f"never again {name}"]
        _write(folder / f"{name}/sources", sources)
        _write(folder / f"{name}/rewrites", [f"{text} not" for text in sources])
    _write(folder / "shakespeare/test.original", ["Thou art here.", "Thou art there."])
    _write(folder / "shakespeare/test.modern", ["You are here.", "You are there."])
    _write(folder / "simpwiki/test.expert", ["Dyspnea is common.", "It is an infarction."])
    _write(folder / "simpwiki/test.layman", ["Dyspnea is common.", "It is a heart attack."])


def write_gyafc(folder: Path) -> None:
    """Two domains of a small GYAFC with four references to tune and test on, sentences of Yahoo, outputs of systems."""
    sides = {"informal": informal, "formal": formal}
    for place, domain in enumerate(("Entertainment_Music", "Family_Relationships")):
        for split, numbers in (("train", range(12)), ("tune", range(12, 16)), ("test", range(16, 20))):
            for style, written in sides.items():
                other = sides["formal" if style == "informal" else "informal"]
                home = folder / f"GYAFC_Corpus/{domain}/{split}"
                pairs = [(written(20 * place + number), other(20 * place + number)) for number in numbers]
                if split != "train":
                    _write(home / style, [f"{text} {style[0]}" for text, _ in pairs])
                    name = "formal" if style == "informal" else "informal"
                    for number in range(4):
                        _write(home / f"{name}.ref{number}", [f"{text} {number}" for _, text in pairs])
                else:
                    _write(home / style, [text for text, _ in pairs])
    _zip(folder / "GYAFC_Corpus.zip", folder, "GYAFC_Corpus")
    _zip(folder / "Entertainment_Music.zip", folder / "GYAFC_Corpus", "Entertainment_Music")
    for name in ("rule_based", "pbmt", "nmt_baseline", "nmt_copy", "nmt_combined"):
        _write(folder / f"model_outputs/formal.{name}", [f"{formal(number)} {name[:3]}" for number in range(4)])
    for name in ("entertainment_music", "family_relationships"):
        said = [
            *map(informal, range(6)),
            *map(formal, range(4)),
            "too short",
            "is this a question that is asked here ?",
        ]
        _write(folder / f"Yahoo/{name}.txt", said)


def _zip(archive: Path, home: Path, name: str) -> None:
    with ZipFile(archive, "w") as written:
        for path in sorted((home / name).rglob("*")):
            if path.is_file():
                written.write(path, path.relative_to(home))


def informal(number: int) -> str:
    return f"omg u gotta see the {ORGANS[number % 6]} doc in {DAYS[number // 6 % 6]} days lol"


def formal(number: int) -> str:
    return f"You ought to consult the {ORGANS[number % 6]} physician within {DAYS[number // 6 % 6]} days ."


def write_titles(folder: Path) -> None:
    """Titles of papers and of news, whole and by split."""
    for style, written in (("paper", expert), ("news", layman)):
        whole = [written(number) for number in range(30)]
        _write(folder / f"title/{style}.txt", [*whole, " ".join(whole[:2])])
        for split, numbers in (("train", range(24)), ("tune", range(24, 27)), ("test", range(27, 30))):
            _write(folder / f"title/{style}.{split}", [written(number) for number in numbers])


def write_medlane(folder: Path) -> None:
    """Blocks of three lines to train on, of five to tune and test on."""
    for name, numbers in (("train", range(16)), ("valid", range(16, 20)), ("test", range(20, 24))):
        _write(folder / f"MedLane/{name}.txt", [line for number in numbers for line in _block(number, name)])


def _block(number: int, split: str) -> list[str]:
    when = f"for {ORGANS[number % 6]} pain after {DAYS[number // 6]} days ."
    source = f"pt was given asa {when}"
    plain, addressed = f"the patient was given aspirin {when}", f"you were given aspirin {when}"
    if split == "train":
        return [source, plain, addressed, ""]
    forms = f"was given asa[acetylsalicylic acid] {when}"
    return [
        source,
        f"1 pt[patient] {forms}",
        f"2 {plain}",
        f"3 you {forms.replace('was', 'were')}",
        f"4 {addressed}",
        "",
    ]


def write_plaba(folder: Path) -> None:
    """Ten questions, each with an abstract of two sentences and one adaptation."""
    data: dict[str, Any] = {}
    for number in range(10):
        abstract = {"1": expert(number).capitalize(), "2": f"Mortality was {number} percent."}
        adapted = {"1": layman(number).capitalize(), "2": f"Of 100 people {number} died."}
        entry = {"Title": f"A trial, {number}", "abstract": abstract, "adaptations": {"adaptation1": adapted}}
        data[str(number + 1)] = {"question": f"What helps, {number}?", "question_type": "C", f"31000{number}": entry}
    (folder / "PLABA").mkdir()
    (folder / "PLABA/data.json").write_text(json.dumps(data, indent=4), encoding="utf-8")


def write_models(models: Path) -> None:
    """Every pretrained folder that a recipe names."""
    texts = (*map(expert, range(12)), *map(layman, range(12)))
    for kind, names in FOLDERS.items():
        for name in names:
            tiny_transformers.make(kind, models / name, texts)
    for name in ("roberta-large", "all-mpnet-base-v2"):
        tiny_encoder.make(models / name)
    rated = [f'"{formal(number)} {number}",4' for number in range(30)] + [
        f'"{informal(number)} {number}",1' for number in range(30)
    ]
    _write(models / "gug.csv", ["Sentence,Average", *rated])
    known = sorted({"the", *(word for text in texts for word in text.split())})
    _write(models / "glove.6B.100d.txt", [f"{word} {place % 7 + 1} {place % 5} 1" for place, word in enumerate(known)])
    tiny_language_model.make(models / "bert-base-uncased", masked=True)


FOLDERS: Mapping[tiny_transformers.Kind, tuple[str, ...]] = {
    "t5": ("t5-base", "T0_3B"), "bart": ("bart-base", "bart-large-cnn"), "pegasus": ("pegasus-large",),
    "bert": ("PubMedBERT",),
}  # fmt: skip


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
