"""A guesser: tells things apart by everything in the answers that a browser or a program got, but not by their words.

Each observation is a dict of numbers by name. Of a text it is the length and what number, handle, time or word it is,
of a list how many there are, of a page every attribute and every text. `differences` adds how each number changed since
the observation before and until the one after, so that a count which moves for some alone is seen.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html.parser import HTMLParser
from typing import Any

import numpy as np
from scipy.stats import mannwhitneyu
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

Seen = dict[str, float]
HEX = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
ABSENT = -1.0
WORDS: dict[str, int] = {}  # each word's number, in the order in which they were met


def of_text(name: str, text: str) -> Seen:
    """What a text is besides its words: its length, the numbers in it, and which of the texts so far it is."""
    found: Seen = {f"{name} length": len(text)}
    if HEX.fullmatch(text):
        bits = text.replace("-", "")
        return found | {f"{name} bits {at}": int(bits[at : at + 8], 16) for at in range(0, 32, 8)}
    try:
        return found | {f"{name} moment": datetime.fromisoformat(text).timestamp()}
    except ValueError:
        pass
    found |= {f"{name} number {at}": float(one) for at, one in enumerate(NUMBER.findall(text)[:8])}
    return found | {f"{name} word": WORDS.setdefault(NUMBER.sub("#", text), len(WORDS))}


def of_json(value: Any, name: str = "", hidden: frozenset[str] = frozenset()) -> Seen:
    """What a JSON value is; of the texts under the keys `hidden` only that they are there."""
    if isinstance(value, Mapping):
        found = {f"{name} keys": float(len(value))}
        for key, one in value.items():
            found |= {f"{name}.{key}": 1.0} if key in hidden else of_json(one, f"{name}.{key}", hidden)
        return found
    if isinstance(value, list):
        found = {f"{name} count": float(len(value))}
        for at, one in enumerate(value):
            found |= of_json(one, f"{name}[{at}]", hidden)
        return found
    if isinstance(value, str):
        return of_text(name, value)
    return {name: ABSENT if value is None else float(value)}


class _Page(HTMLParser):
    """Every attribute and every text of a page, by its tag and how many such came before."""

    def __init__(self, texts: frozenset[str]) -> None:
        super().__init__()
        self.texts, self.seen, self.met = texts, {}, defaultdict(int)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.met[tag] += 1
        for name, value in attributes:
            if value not in self.texts:
                self.seen |= of_text(f"<{tag} {self.met[tag]} {name}>", value or "")

    def handle_data(self, data: str) -> None:
        if data.strip() and data.strip() not in self.texts:
            self.met["text"] += 1
            self.seen |= of_text(f"text {self.met['text']}", data.strip())


def of_page(html: str, texts: Iterable[str]) -> Seen:
    """What a page is, without the `texts` that it shows."""
    page = _Page(frozenset(texts))
    page.feed(html)
    size = len(html) - sum(len(text) * html.count(text) for text in page.texts)
    return {**page.seen, "size": size, **{f"tags {tag}": count for tag, count in page.met.items()}}


def of_headers(headers: Mapping[str, str]) -> Seen:
    """What the headers are; the length of the body is told by `size`."""
    found: Seen = {"headers": float(len(headers))}
    for name, value in headers.items():
        if name.lower() != "content-length":
            found |= of_text(f"header {name}", value)
    return found


def differences(seen: Sequence[Seen]) -> list[Seen]:
    """Each observation with how far it is from the one before and the one after."""
    whole = []
    for at, one in enumerate(seen):
        before, after = seen[max(0, at - 1)], seen[min(len(seen) - 1, at + 1)]
        since = {f"{name} since": value - before.get(name, ABSENT) for name, value in one.items()}
        until = {f"{name} until": after.get(name, ABSENT) - value for name, value in one.items()}
        steps = {f"{name} step": abs(value) for name, value in (since | until).items()}
        whole.append({**one, **since, **until, **steps})
    return whole


def tells(seen: Sequence[Seen], wanted: Sequence[bool], bound: float = 1e-6) -> dict[str, float]:
    """The features that tell the wanted ones from the others, and a tree of them all, with their p where it is below
    `bound`.

    A feature by Mann-Whitney's test, for all features together (Bonferroni); the tree by what it says in 5-fold
    cross-validation, by the same test. By chance that is one run in a million.
    """
    label = np.asarray(wanted)
    assert 0 < label.sum() < len(label)
    names = sorted({name for one in seen for name in one})
    table = np.array([[one.get(name, ABSENT) for name in names] for one in seen])
    kept = np.flatnonzero((table != table[0]).any(axis=0))
    table, names = table[:, kept], [names[at] for at in kept]
    if not names:
        return {}
    p = mannwhitneyu(table[label], table[~label], axis=0, method="asymptotic").pvalue * len(names)
    found = {name: float(one) for name, one in zip(names, p, strict=True) if one < bound}
    tree = DecisionTreeClassifier(max_depth=4, min_samples_leaf=5, random_state=0)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    said = cross_val_predict(tree, table, label, cv=folds, method="predict_proba")[:, 1]
    of_tree = float(mannwhitneyu(said[label], said[~label], alternative="greater").pvalue)
    return found | ({"tree": of_tree} if of_tree < bound else {})
