"""School grades and other measures of how easily outputs are read (Kincaid et al. 1975, and others)."""

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaluation.languages import ENGLISH, is_english
from evaluation.metric_contract import mean_statistics
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.readability import (
    FIGURES,
    ONE,
    PARTS,
    VERSION,
    automated,
    coleman_liau,
    dale_chall,
    dale_chall_counts,
    flesch_kincaid,
    gunning_fog,
    lix,
    lix_counts,
    missing_pyphen,
    smog,
    smog_counts,
    text_counts,
    textstat_counts,
    textstat_grades,
)
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.papers import MSD, Paper
from foundation.translation import translatable

# The mean of FKGL, Gunning fog and Coleman-Liau: 'Avg. Readability' in MSD's Table 2 (Cao et al. 2020).

WORDLESS = "None of the outputs has a word."
FAMILIAR = translatable("list of familiar words")
MEAN = 2  # sums of which the mean is taken (`mean_statistics`)


class SchoolGrade(Metric):
    """A school grade from an output's counts; the corpus score is that of the summed counts, or the outputs' mean.

    The mean, `pooled = false`, is the number of programs that grade text by text, as PLABA's and textstat do. In the
    mean each text counts alike, in summed counts each word.

    An output without words has no score, and adds nothing to the corpus: 0 would be the easiest text of all. Lower
    reads more easily; whether that is better depends on the target style, so its poles are simple and complex.
    """

    aspect = "simplicity"
    poles = ("simple", "complex")
    languages = ENGLISH
    because = "the formula was fitted to English, and its sentences and words are counted by rules of English"
    defaults: Mapping[str, Setting] = {"pooled": True}
    counted: Sequence[str] = PARTS
    """The counts that the details hold."""

    @abstractmethod
    def _grade(self, counts: Floats) -> Floats:
        """(..., 5) counts, as PARTS names them, to (...) grades; of no words any finite number."""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        counts = self._counts(batch.outputs, chosen)
        grades = np.where(counts[:, 1] > 0, self._grades(counts, chosen), np.nan)
        sums = dict(zip(PARTS, map(float, counts.sum(axis=0)), strict=False))
        details = {name: sums[name] for name in self.counted}
        wordless = "" if sums["words"] else WORDLESS
        return Scores(grades, details, counts if chosen["pooled"] else mean_statistics(grades), wordless)

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        """(n, k), the first k of PARTS, those that the grade is formed from among them."""
        figures = str(chosen.get("figures", ONE))
        return np.array([text_counts(output, figures) for output in outputs], dtype=np.float64)

    def _grades(self, counts: Floats, chosen: Mapping[str, Setting]) -> Floats:
        """The grade of each output by itself, (n,)."""
        return self._grade(counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """The grade from sentences, words, syllables, long words, letters; from 2 sums the mean of outputs' grades."""
        if sums.shape[-1] == MEAN:
            return super().corpus_of(sums)
        return np.where(sums[..., 1] > 0, self._grade(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        rules = {"lang": "en", "sentences": "restyle-rules", "words": "white-space"}
        if "syllables" in self.counted:
            rules["syllables"] = "restyle-rules"
        rules |= {"figures": str(chosen["figures"])} if "figures" in chosen else {}
        return rules | ({} if chosen["pooled"] else {"corpus": "mean-of-texts"})


class Readability(SchoolGrade):
    """The mean of the three school grades; the details hold each of them."""

    name = "readability"
    label = "Readability"
    paper = MSD
    unit = "school grade, -14 and up"
    version = 2
    defaults: Mapping[str, Setting] = {"figures": ONE, "pooled": True}
    choices = {"figures": FIGURES}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        result = super()._score(batch, chosen)
        sums = np.array([result.details[part] for part in PARTS])
        if not sums[1]:
            return result
        three = {"fkgl": flesch_kincaid(sums), "gunning_fog": gunning_fog(sums), "coleman_liau": coleman_liau(sums)}
        return replace(result, details={**result.details, **{name: float(grade) for name, grade in three.items()}})

    def _grade(self, counts: Floats) -> Floats:
        grades: Floats = (flesch_kincaid(counts) + gunning_fog(counts) + coleman_liau(counts)) / 3
        return grades


# FKGL, the Flesch-Kincaid grade level (Kincaid et al. 1975): 0.39 words a sentence + 11.8 syllables a word - 15.59.

RESTYLE, TEXTSTAT = "restyle", "textstat"


class Fkgl(SchoolGrade):
    """The school grade (US) for which an output is written.

    Sentences, words and syllables are counted by rules of our own, so scores differ from those of EASSE, which splits
    with a trained model, counts punctuation as words and cuts off below 0, and of textstat, which splits at decimals
    ('2.5 mg' ends a sentence). Both count a number as one syllable, as Flesch did: so here, unless `figures` is
    "spoken". `like` "textstat" counts and rounds as textstat 0.7.3 does; with `pooled` false besides, the score is that
    of PLABA's program.
    """

    name = "fkgl"
    label = "FKGL"
    paper = Paper(
        "Kincaid, Fishburne, Rogers and Chissom",
        1975,
        "Derivation of New Readability Formulas for Navy Enlisted Personnel",
        "https://stars.library.ucf.edu/istlibrary/56/",
    )
    unit = "school grade, -3.4 and up"
    version = 3
    counted = PARTS[:3]
    defaults: Mapping[str, Setting] = {"figures": ONE, "like": RESTYLE, "pooled": True}
    choices: Mapping[str, Sequence[str]] = {"figures": FIGURES, "like": (RESTYLE, TEXTSTAT)}

    def unavailable(self, **settings: object) -> str:
        return missing_pyphen() if settings.get("like") == TEXTSTAT else ""

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        if chosen["like"] == TEXTSTAT:
            return np.array([textstat_counts(output) for output in outputs], dtype=np.float64)
        return super()._counts(outputs, chosen)

    def _grades(self, counts: Floats, chosen: Mapping[str, Setting]) -> Floats:
        return textstat_grades(counts) if chosen["like"] == TEXTSTAT else super()._grades(counts, chosen)

    def _grade(self, counts: Floats) -> Floats:
        return flesch_kincaid(counts)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        if chosen["like"] == RESTYLE:
            return super()._signed(chosen)
        mean = {} if chosen["pooled"] else {"corpus": "mean-of-texts"}
        return {"lang": "en", "like": VERSION, "syllables": "pyphen"} | mean


# Gunning's fog index (Gunning 1952): 0.4 x (words a sentence + words of three syllables and more in a hundred).

PAPER = Paper("Gunning", 1952, "The Technique of Clear Writing", "https://archive.org/details/techniqueofclear00gunn")


class GunningFog(SchoolGrade):
    """The years of schooling for which an output is written; the corpus score is that of the summed counts.

    Which words are long: `evaluation.readability.is_long`. Scores differ from those of textstat, which leaves
    out words of a list of easy ones and no names, and of py-readability-metrics, which keeps forms in -ed and -es and
    takes the first word of a sentence for a name.
    """

    name = "gunning_fog"
    label = "Gunning fog"
    paper = PAPER
    unit = "years of schooling, 0 and up"
    version = 2
    counted = PARTS[:4]

    def _grade(self, counts: Floats) -> Floats:
        return gunning_fog(counts)


# Coleman-Liau (Coleman and Liau 1975): 0.0588 letters - 0.296 sentences in a hundred words each, - 15.8.


class ColemanLiau(SchoolGrade):
    """The school grade (US) for which an output is written; the corpus score is that of the summed counts.

    It needs no syllables. Digits count as letters, since numbers count as words; punctuation does not.
    """

    name = "coleman_liau"
    label = "Coleman-Liau"
    paper = Paper(
        "Coleman and Liau",
        1975,
        "A Computer Readability Formula Designed for Machine Scoring",
        "https://doi.org/10.1037/h0076540",
    )
    unit = "school grade, -40 and up"
    version = 2
    counted = ("sentences", "words", "letters")

    def _grade(self, counts: Floats) -> Floats:
        return coleman_liau(counts)


# ARI, the automated readability index (Senter and Smith 1967), and SMOG (McLaughlin 1969).


class AutomatedReadability(SchoolGrade):
    """The school grade (US) for which an output is written; the corpus score is that of the summed counts.

    It needs no syllables. Letters and digits count, punctuation does not (textstat counts it).
    """

    name = "ari"
    label = "ARI"
    paper = Paper(
        "Senter and Smith", 1967, "Automated Readability Index", "https://apps.dtic.mil/sti/citations/AD0667273"
    )
    unit = "school grade, -16 and up"
    counted = ("sentences", "words", "letters")

    def _grade(self, counts: Floats) -> Floats:
        return automated(counts)


class Smog(SchoolGrade):
    """The school grade (US) whose readers understand an output wholly; the corpus score is that of the summed counts.

    It was made for thirty sentences and more: the score of a single sentence is an extrapolation. All words of three
    syllables and more count, names among them; figures do not.
    """

    name = "smog"
    label = "SMOG"
    paper = Paper(
        "McLaughlin", 1969, "SMOG Grading - A New Readability Formula", "https://www.jstor.org/stable/40011226"
    )
    unit = "school grade, 3.1 and up"
    counted = ("sentences", "words", "syllables")

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        return np.array([smog_counts(output) for output in outputs], dtype=np.float64)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        scores = super()._score(batch, chosen)
        sentences, words, long = (scores.details[name] for name in self.counted)  # by their places, as PARTS has them
        return replace(scores, details={"sentences": sentences, "words": words, "long_words": long})

    def _grade(self, counts: Floats) -> Floats:
        return smog(counts)


class DaleChall(SchoolGrade):
    """Dale and Chall's score, about the school grade (US) whose readers understand an output: 4 and below up to 10.

    Their list of 3,000 familiar words is under copyright, and so a file of the lab's own below RESTYLE_MODELS, a word a
    line. With `forms` regular forms of its words and names are familiar too, as the authors have it; programs such as
    textstat count them as hard.
    """

    name = "dale_chall"
    label = "Dale-Chall"
    paper = Paper(
        "Dale and Chall", 1948, "A Formula for Predicting Readability", "https://www.jstor.org/stable/1473169"
    )
    unit = "0 and up, school grades from 4"
    defaults: Mapping[str, Setting] = {"pooled": True, "words": "dale_chall.txt", "forms": True}
    counted = ("sentences", "words", "syllables")

    def unavailable(self, **settings: object) -> str:
        name = str(self.settings(**settings)["words"])
        return "" if local_path(name) else missing_resource_message(FAMILIAR, name)

    def _counts(self, outputs: Sequence[str], chosen: Mapping[str, Setting]) -> Floats:
        path = local_path(str(chosen["words"]), where="metrics.dale_chall.words")
        if path is None:
            raise UserError(missing_resource_message(FAMILIAR, str(chosen["words"])), where="metrics.dale_chall.words")
        familiar = frozenset(path.read_text(encoding="utf-8").lower().split())
        rows = [dale_chall_counts(output, familiar, forms=bool(chosen["forms"])) for output in outputs]
        return np.array(rows, dtype=np.float64)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        scores = super()._score(batch, chosen)
        sentences, words, hard = (scores.details[name] for name in self.counted)  # by their places, as PARTS has them
        return replace(scores, details={"sentences": sentences, "words": words, "unfamiliar": hard})

    def _grade(self, counts: Floats) -> Floats:
        return dale_chall(counts)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        path = local_path(str(chosen["words"]))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8] if path else "none"
        parts = {name: part for name, part in super()._signed(chosen).items() if name != "syllables"}
        return parts | {"familiar": digest, "forms": "yes" if chosen["forms"] else "no"}


# LIX, Björnsson's readability index (1968): words a sentence + words of more than six letters in a hundred.


class Lix(Metric):
    """About 20 (books for children) to 60 (legal texts); the corpus score is that of the summed counts.

    It needs no syllables. Björnsson (1983) measured 250 newspapers in eleven languages by it, the ones that it is
    defined for here: Swedish (47 of a normal newspaper), Norwegian (48), Danish (51), English (52), French (55), German
    (59), Italian (65), Russian (65), Spanish (67), Portuguese (70) and Finnish (72). The languages themselves differ so
    much that numbers of two of them say nothing of their texts. Sentences of English are those of FKGL, of other
    languages those of sentencex. A word is any run between white space that holds a letter or digit.
    """

    name = "lix"
    label = "LIX"
    version = 2
    paper = Paper(
        "Björnsson",
        1983,
        "Readability of Newspapers in 11 Languages",
        "https://doi.org/10.2307/747382",
    )
    unit = "words and per cent, 0 and up"
    aspect = "simplicity"
    poles = ("simple", "complex")
    languages = frozenset(["da", "de", "en", "es", "fi", "fr", "it", "nb", "nn", "no", "pt", "ru", "sv"])
    because = "Björnsson used it for these"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        counts = np.array([lix_counts(output, batch.language) for output in batch.outputs], dtype=np.float64)
        details = dict(zip(("sentences", "words", "long_words"), map(float, counts.sum(axis=0)), strict=True))
        return Scores(self.corpus_of(counts), details, counts, "" if details["words"] else WORDLESS)

    def corpus_of(self, sums: Floats) -> Floats:
        """LIX from sentences, words and long words."""
        return np.where(sums[..., 1] > 0, lix(sums), np.nan)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        english = is_english(str(chosen["language"]))
        return {"sentences": "restyle-rules" if english else "sentencex", "words": "white-space", "long": "7-letters"}


ENTRIES = {
    "readability": Readability(),
    "fkgl": Fkgl(),
    "gunning_fog": GunningFog(),
    "coleman_liau": ColemanLiau(),
    "ari": AutomatedReadability(),
    "smog": Smog(),
    "dale_chall": DaleChall(),
    "lix": Lix(),
}
