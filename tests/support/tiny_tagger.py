"""A perceptron tagger of NLTK's, trained on a few sentences, in a folder as NLTK's data has it."""

import json
from pathlib import Path

from nltk.tag.perceptron import PerceptronTagger

NAME = "averaged_perceptron_tagger_eng"
SENTENCES = [
    [("the", "DT"), ("dog", "NN"), ("sings", "VBZ"), (".", ".")],
    [("she", "PRP"), ("saw", "VBD"), ("a", "DT"), ("doctor", "NN"), ("in", "IN"), ("1999", "CD"), (".", ".")],
    [("my", "PRP$"), ("bro", "NN"), ("luv", "VBP"), ("that", "DT"), ("song", "NN")],
    [("two", "CD"), ("new", "JJ"), ("songs", "NNS"), ("please", "VBP"), ("all", "DT"), ("ppl", "NNS")],
]


def make_tagger(folder: Path) -> PerceptronTagger:
    """Written to the folder, and itself."""
    tagger = PerceptronTagger(load=False)
    tagger.train(SENTENCES, nr_iter=4)
    folder.mkdir(parents=True)
    parts = {"weights": tagger.model.weights, "tagdict": tagger.tagdict, "classes": sorted(tagger.classes)}
    for part, value in parts.items():
        (folder / f"{NAME}.{part}.json").write_text(json.dumps(value), encoding="utf-8")
    return tagger
