"""A tune set is scored in the words of the study's language."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import sacrebleu

from modelserving.neural_transfer.validation import by_metric
from modelserving.training.dataset import DevSet, TrainingData

SOURCES = ["患者于三日前出现发热，遂入院治疗。", "该药物可引起恶心、呕吐。"]
WRITTEN = ["病人三天前开始发烧，就住院了。", "这种药可能让人恶心、呕吐。"]
REFERENCES = ["病人三天前开始发烧，所以住院了。", "吃这种药可能会恶心、想吐。"]


class Rewrites:
    """A model that has been trained: it knows what to write."""

    def within(self, context):
        return self

    def transfer(self, texts, direction, options):
        return [WRITTEN[SOURCES.index(text)] for text in texts]


@pytest.mark.parametrize("language", ["zh", ""])
def test_bleu_of_a_tune_set_is_sacrebleus(language):
    data = TrainingData("clinical", "lay", dev=DevSet(SOURCES, [REFERENCES]), language=language)
    validation = by_metric(Rewrites(), data, SimpleNamespace(tune_most=10, tune_by="bleu"))
    value, samples = validation.score(nullcontext())
    wanted = sacrebleu.BLEU(trg_lang=language).corpus_score(WRITTEN, [REFERENCES]).score
    assert value == pytest.approx(wanted)
    assert [sample.output for sample in samples] == WRITTEN
