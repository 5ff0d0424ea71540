"""Whether a plain summary says what its source, or a knowledge base, says too, by questions (You and Guo 2025)."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.languages import ENGLISH
from evaluation.learned_scorers import estimators
from evaluation.learned_scorers.bertscore_model import layer_of
from evaluation.learned_scorers.encoders import load_encoder
from evaluation.learned_scorers.question_answering import Answered, load_answerer, load_asker, words_f1
from evaluation.metrics._base import MetricInput, ModelMetric, Scores, Setting
from evaluation.metrics.bertscore import matched
from evaluation.metrics.entailment import splitter
from foundation import model_folders
from foundation.base_folder import check_sizes
from foundation.errors import UserError
from foundation.local_resources import local_path
from foundation.papers import Paper

PARTS = {
    "classifier": "a classifier of (source, sentence) whose second label says that the sentence explains",
    "keywords": "an instruct model that names the keywords of a sentence",
    "questions": "a sequence model that writes questions",
    "answers": "a model that answers questions by spans",
    "encoder": "the encoder of BERTScore",
    "query": "the encoder of queries",
    "article": "the encoder of snippets",
    "knowledge": "the knowledge base, as .jsonl with title and content a line, or a folder for each of several",
}
MISSING = "PlainQAFact needs the folder '{name}' below RESTYLE_MODELS with these parts: {parts}."
UNREADABLE = "Line {line} of {file} is not a JSON object with title and content."
SNIPPETS = 3  # of each knowledge base for a sentence
RUN = re.compile(r"[\w\s,-]+")
WORD_EDGE = re.compile(r"\b")
SAME = 0.6  # F1 of words above which a question gives its own answer back
KEYWORD_TOKENS = 512
ASKED = (
    "You find the units of information of a plain language summary, which will be asked about.",
    "Write the most important keywords of this text, as they stand in it, with commas between them:\n",
)


class PlainQaFact(ModelMetric):
    """A classifier tells each sentence of an output for a simplification of the source or an explanation. Its keywords
    are answers, to which questions are written. Those that the sentence itself answers so are asked of the source, and
    of an explanation also of the snippets of the knowledge base that are nearest to it. A sentence has the mean
    BERTScore (F1) of the answers found with its own, 0 where none is found or nothing is asked; an output the mean
    of these.

    `model` is a folder of folders: see `PARTS`. The details have the means over the sentences of all outputs, as the
    authors' program sums up: all, `explanations` and `simplifications`. The prompt for keywords is ours.
    """

    name = "plainqafact"
    label = "PlainQAFact"
    paper = Paper(
        "You and Guo", 2025,
        "PlainQAFact: Retrieval-augmented Factual Consistency Evaluation Metric for Biomedical Plain Language "
        "Summarization", "https://arxiv.org/abs/2503.08890",
    )  # fmt: skip
    unit = "0 to 1"
    needs = frozenset({"sources"})
    higher_is_better = True
    aspect = "content"
    languages = ENGLISH
    because = "the models of its questions and answers are"

    def unavailable(self, **settings: object) -> str:
        return _lacking(str(self.settings(**settings)["model"]))

    def folder(self, chosen: Mapping[str, Setting]) -> Path:
        name = str(chosen["model"])
        if said := _lacking(name):
            raise UserError(said, where=self._where)
        return local_path(name, where=self._where) or Path()

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        checker = _Checker(self.folder(chosen))
        sentences_of = splitter(batch.language)
        explained, simplified, of_outputs = list[float](), list[float](), list[float]()
        for source, output in zip(batch.sources, batch.outputs, strict=True):
            scores = []
            for sentence in sentences_of(output) if output.strip() else ():
                explains, score = checker.score(source, sentence)
                (explained if explains else simplified).append(score)
                scores.append(score)
            of_outputs.append(float(np.mean(scores)) if scores else float("nan"))
        details = {
            name: float(np.mean(values))
            for name, values in (
                ("sentences", [*explained, *simplified]), ("explanations", explained), ("simplifications", simplified)
            )
            if values
        }  # fmt: skip
        return Scores(np.array(of_outputs), details)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        name = str(chosen["model"])
        safe = model_folders.signature_safe(name)
        if _lacking(name):
            return {"model": f"none-{safe}"}
        folder = local_path(name, where=self._where) or Path()
        digests = [model_folders.weights_digest(folder / part) for part in PARTS if part != "knowledge"]
        return {"model": f"{safe}_{'-'.join(one[:6] for one in digests)}", "base": _digest(folder / "knowledge")}


class _Checker:
    """The parts of a folder, each loaded when it is first asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def score(self, source: str, sentence: str) -> tuple[bool, float]:
        """Whether the sentence explains, and its score."""
        explains = bool(np.argmax(estimators.load_headed(self.folder / "classifier").logits(source, sentence)) == 1)
        context = f"{source} {self._snippets(sentence)}" if explains else source
        answerer, pairs = load_answerer(self.folder / "answers"), []
        for keyword in self._keywords(sentence):
            question = load_asker(self.folder / "questions").ask(sentence, keyword)
            own = answerer.answer(question, sentence)
            if own.is_there and words_f1(keyword, own.text) > SAME:
                pairs.append((keyword, answerer.answer(question, context)))
        return explains, float(np.mean([self._alike(keyword, found) for keyword, found in pairs])) if pairs else 0.0

    def _keywords(self, sentence: str) -> list[str]:
        named = [word.strip() for word in listed(_namer(self.folder / "keywords").name(sentence)).split(",")]
        return [word for word in named if word and word in sentence]

    def _alike(self, keyword: str, found: Answered) -> float:
        """BERTScore's F1 of the answer with the keyword; 0 where the text does not say it."""
        if not found.is_there:
            return 0.0
        folder = self.folder / "encoder"
        known = load_encoder(folder, layer_of(folder)).embed([found.text, keyword])
        return float(matched(known[found.text], known[keyword])[2])

    def _snippets(self, sentence: str) -> str:
        """The snippets nearest to the sentence, by the inner product of the encoders' first states."""
        query = _encoder(self.folder / "query").pooled([sentence], "cls")[0]
        found = []
        for texts, vectors in _bases(self.folder):
            nearest = np.argsort(-(vectors @ query), kind="stable")[:SNIPPETS]
            found += [texts[place] for place in nearest]
        return " ".join(found)


class _Namer:
    """An instruct model that names keywords, greedily."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        loaded: Any = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model = loaded.eval()

    def name(self, sentence: str) -> str:
        """The keywords as the model writes them: behind a heading, if it writes one."""
        import torch

        system, user = ASKED
        if self.tokenizer.chat_template:
            turns = [{"role": "system", "content": system}, {"role": "user", "content": user + sentence}]
            prompt = self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        else:
            prompt = f"{system}\n\n{user}{sentence}\n\n"
        given = self.tokenizer(prompt, return_tensors="pt", add_special_tokens=not self.tokenizer.chat_template)
        ids = given["input_ids"]
        room = int(getattr(self.model.config, "max_position_embeddings", 1 << 20)) - ids.shape[1]
        with torch.inference_mode():
            written = self.model.generate(
                input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False,
                max_new_tokens=max(1, min(KEYWORD_TOKENS, room)), pad_token_id=self.tokenizer.pad_token_id,
            )  # fmt: skip
        return str(self.tokenizer.decode(written[0, ids.shape[1] :], skip_special_tokens=True))


def listed(text: str) -> str:
    """The list in what a model wrote, as the authors' program takes it: all behind a heading with an empty line, else
    the first words with commas between them ('Keywords: a, b.' is 'a, b'), else the text."""
    _, behind, rest = text.partition(":\n\n")
    if behind:
        return rest
    for run in RUN.findall(text):
        parts = run.split(",")
        for place, (part, following) in enumerate(pairwise(parts)):
            begins = WORD_EDGE.search(part)
            if begins and begins.start() < len(part) and following:
                more = takewhile(bool, parts[place + 1 :])
                return ",".join([part[begins.start() :], *more])
    return text


def _lacking(name: str) -> str:
    """The sentence that says which parts are missing; "" where all are there."""
    try:
        folder = local_path(name)
    except UserError as error:
        return str(error)
    lacks = [part for part in PARTS if folder is None or not (folder / part).is_dir()]
    named = "; ".join(f"{part} ({PARTS[part]})" for part in lacks)
    return MISSING.format(name=name or "plainqafact", parts=named) if lacks else ""


@lru_cache(maxsize=1)
def _bases(folder: Path) -> Sequence[tuple[Sequence[str], NDArray[np.float32]]]:
    """Each knowledge base: its snippets, without line breaks, and their vectors (n, width), of title and content."""
    knowledge = folder / "knowledge"
    places = [knowledge, *sorted(one for one in knowledge.iterdir() if one.is_dir())]
    bases = [
        rows for place in places if (rows := [row for file in sorted(place.glob("*.jsonl")) for row in _rows(file)])
    ]
    if not bases:
        raise UserError("The knowledge base has no .jsonl with snippets.", where="metrics.plainqafact.model")
    return [_embedded(rows, folder) for rows in bases]


def _embedded(rows: Sequence[tuple[str, str]], folder: Path) -> tuple[Sequence[str], NDArray[np.float32]]:
    encoder = _encoder(folder / "article")
    vectors = encoder.pooled(
        [f"{title} {encoder.tokenizer.sep_token or ''} {content}" for title, content in rows], "cls"
    )
    return [content.strip().replace("\n", "") for _, content in rows], vectors


def _rows(file: Path) -> list[tuple[str, str]]:
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            found.append((str(row["title"]), str(row["content"])))
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(UNREADABLE, line=number, file=file.name, where="metrics.plainqafact.model") from error
    return found


def _digest(folder: Path) -> str:
    """A digest of the names and sizes of the knowledge base's files, and of their contents."""
    import hashlib

    digest = hashlib.sha256()
    for file in sorted([*folder.glob("*.jsonl"), *folder.glob("*/*.jsonl")]):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=2)
def _encoder(folder: Path) -> Any:
    from evaluation.learned_scorers.encoders import Encoder

    return Encoder(folder, None)


@lru_cache(maxsize=1)
def _namer(folder: Path) -> _Namer:
    return _Namer(folder)


METRIC = PlainQaFact()
