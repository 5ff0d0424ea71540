"""A study in Chinese and one in Russian: every metric is right by an authority, or undefined and says why."""

import math
from collections import Counter
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
import regex
import sacrebleu
from django.apps import apps
from django.db import connection
from rapidfuzz.distance import Levenshtein
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.metrics import METRICS
from evaluation.models import MetricScore
from evaluation.ngrams import missing_tokenizer

pytestmark = pytest.mark.django_db

CHINESE = {
    "sources": [
        "患者于三日前出现发热、咳嗽等症状，遂入院治疗。",
        "该药物可引起恶心、呕吐及食欲减退。",
        "术后应避免剧烈运动，并定期复查。",
        "高血压患者每日钠盐摄入量不宜超过5克。",
        "检查结果显示肝功能指标轻度升高。",
        "建议空腹服用，服药期间禁止饮酒。",
    ],
    "first": [
        "病人三天前开始发烧、咳嗽，所以住院了。",
        "这种药可能让人恶心、呕吐，也不想吃饭。",
        "手术以后不要做剧烈运动，还要按时复查。",
        "有高血压的人，每天吃盐不要超过5克。",
        "检查发现肝脏的指标有一点高。",
        "最好饭前吃药，吃药的时候不能喝酒。",
    ],
    "second": [
        "三天前病人发烧咳嗽，于是住进了医院。",
        "吃这种药可能会恶心、想吐、没有胃口。",
        "做完手术别剧烈运动，要定期去复查。",
        "血压高的人每天的盐不能多于5克。",
        "肝功能的检查结果稍微偏高。",
        "空腹时吃药，吃药期间别喝酒。",
    ],
    "systems": {
        "Near": [
            "病人三天前开始发烧、咳嗽，就住院了。",
            "这种药可能让人恶心、呕吐，不想吃饭。",
            "手术以后不要剧烈运动，要定期复查。",
            "有高血压的人每天吃盐不要超过5克。",
            "检查发现肝脏的指标有点高。",
            "最好饭前吃药，吃药期间不能喝酒。",
        ],
        "Half": [
            "患者三天前发烧、咳嗽，所以入院治疗。",
            "这种药物可引起恶心、呕吐，没有胃口。",
            "术后避免剧烈运动，还要复查。",
            "高血压患者每天吃盐不宜超过5克。",
            "检查结果显示肝脏指标有一点高。",
            "建议饭前吃药，服药期间不能喝酒。",
        ],
        "Far": [
            "今天天气很好，我们去公园。",
            "他喜欢看书，也喜欢听音乐。",
            "这家店的面条很好吃。",
            "火车下午三点出发。",
            "妹妹在学校学习画画。",
            "明天我要早一点起床。",
        ],
    },
}
RUSSIAN = {
    "sources": [
        "Пациенту показано незамедлительное проведение хирургического вмешательства.",
        "Препарат следует принимать перорально дважды в сутки.",
        "При повышении температуры тела необходимо обратиться к врачу.",
        "Отмечается умеренное повышение артериального давления.",
        "В период лечения употребление алкоголя противопоказано.",
        "Результаты обследования свидетельствуют об отсутствии патологии.",
    ],
    "first": [
        "Больному нужна срочная операция.",
        "Лекарство надо пить два раза в день.",
        "Если поднялась температура, идите к врачу.",
        "Давление немного повышено.",
        "Пока вы лечитесь, пить алкоголь нельзя.",
        "Обследование показало, что всё в порядке.",
    ],
    "second": [
        "Человеку срочно нужна операция.",
        "Принимайте лекарство дважды в день.",
        "При температуре обратитесь к врачу.",
        "Давление чуть выше нормы.",
        "Во время лечения не пейте спиртного.",
        "Анализы хорошие, болезни нет.",
    ],
    "systems": {
        "Near": [
            "Больному срочно нужна операция.",
            "Лекарство надо пить дважды в день.",
            "Если поднялась температура, обратитесь к врачу.",
            "Давление немного выше нормы.",
            "Пока вы лечитесь, не пейте алкоголь.",
            "Обследование показало, что болезни нет.",
        ],
        "Half": [
            "Пациенту показана срочная операция.",
            "Препарат следует пить два раза в сутки.",
            "При повышении температуры идите к врачу.",
            "Отмечается повышение давления.",
            "В период лечения пить алкоголь нельзя.",
            "Результаты обследования в порядке.",
        ],
        "Far": [
            "Сегодня хорошая погода, и мы идём в парк.",
            "Он любит читать и слушать музыку.",
            "В этом кафе вкусный суп.",
            "Поезд уходит в три часа дня.",
            "Сестра учится рисовать.",
            "Завтра я встану пораньше.",
        ],
    },
}
NEEDS_A_MODEL = {
    "alignscore", "bertscore", "bleurt", "comet", "comet_qe", "content_likelihood", "labse", "perplexity_lm",
    "semantic_similarity", "sle", "summac_conv", "summac_zs", "xcomet",
}  # fmt: skip
ENGLISH_ALONE = {
    "ari", "ascore", "coleman_liau", "cwr", "dale_chall", "edit_distance_masked", "fkgl", "grammaticality",
    "gunning_fog", "lens", "lens_salsa", "meteor", "meteor_1_5", "plainqafact", "readability", "smog", "terp",
}  # fmt: skip
WITHOUT_MATERIAL = {
    "hit": "No reference has the full forms of terms in brackets.", "formality": "no formality model",
    "preference_reward": "There are too few judgements to learn from",
}  # fmt: skip
TRAINED = {"style_accuracy", "transfer_strength", "perplexity_ngram", "content_preservation"}


@pytest.fixture(autouse=True)
def _no_models(monkeypatch):
    for name in ("RESTYLE_MODELS", "RESTYLE_BERTSCORE_MODEL", "RESTYLE_FORMALITY", "RESTYLE_CONCEPTS"):
        monkeypatch.delenv(name, raising=False)


def study_of(texts, language):
    made = create_study(slug=f"in-{language}", title=language, styles=["expert", "lay"], language=language)
    direction = add_direction(study=made, source_style="expert", target_style="lay")
    add_sources(direction=direction, texts=texts["sources"])
    for name in ("first", "second"):
        add_references(direction=direction, texts=texts[name], origin=name)
    for name, outputs in texts["systems"].items():
        add_system(study=made, name=name, outputs={direction: outputs}, origin="written for this test")
    return made


def counted(study):
    """The report's numbers with every metric there is, by system."""
    choose_metrics(study=study, metrics={name: {} for name in METRICS})
    content = make_report(study=study).content
    return {system["name"]: system["metrics"] for system in content["systems"]}


def ngrams(words, n):
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def plain_f1(first, second, n):
    mine, theirs = ngrams(first, n), ngrams(second, n)
    shared = (mine & theirs).total()
    return 2 * shared / (mine.total() + theirs.total()) if shared else 0.0


def plain_subsequence(first, second):
    row = [0] * (len(second) + 1)
    for word in first:
        before = row
        row = [0]
        for j, other in enumerate(second):
            row.append(before[j] + 1 if word == other else max(before[j + 1], row[-1]))
    return 2 * row[-1] / (len(first) + len(second))


def plain_rouge(outputs, references, words, of):
    pairs = zip(outputs, references, strict=True)
    return np.mean([max(of(words(out), words(ref)) for ref in refs) for out, refs in pairs])


def plain_pinc(sources, outputs, words):
    def one(source, output):
        kinds = [(set(ngrams(words(output), n)), set(ngrams(words(source), n))) for n in range(1, 5)]
        shares = [len(mine - theirs) / len(mine) for mine, theirs in kinds if mine]
        return 100 * sum(shares) / len(shares)

    return np.mean([one(*pair) for pair in zip(sources, outputs, strict=True)])


def times(counts, number):
    return Counter({gram: count * number for gram, count in counts.items()})


def plain_sari(sources, outputs, references, words):
    """Xu et al. as EASSE has it: sets of added n-grams, and counts weighed by references of kept and deleted ones."""
    sums = np.zeros((4, 3, 2))
    for source, output, refs in zip(sources, outputs, references, strict=True):
        for n in range(1, 5):
            src, out = (times(ngrams(words(text), n), len(refs)) for text in (source, output))
            agreed = sum((ngrams(words(ref), n) for ref in refs), Counter())
            added, wanted = set(out) - set(src), set(agreed) - set(src)
            kept, to_keep = src & out, src & agreed
            gone, to_go = src - out, src - agreed
            rows = [
                (len(added & wanted), len(added) + len(wanted)),
                ((kept & to_keep).total() / len(refs), (kept.total() + to_keep.total()) / len(refs)),
                ((gone & to_go).total() / len(refs), (gone.total() + to_go.total()) / len(refs)),
            ]
            sums[n - 1] += rows
    right, either = sums[..., 0], sums[..., 1]
    return 100 * np.mean(np.divide(2 * right, either, out=np.zeros_like(right), where=either > 0))


def plain_cider(outputs, references, words):
    """CIDEr-D of Vedantam et al.: clipped cosines of tf-idf, a penalty for length, ten times the mean."""
    n_sets = len(references)
    found = [Counter() for _ in range(5)]
    for refs in references:
        for n in range(1, 5):
            found[n].update(set().union(*(ngrams(words(ref), n) for ref in refs)))

    def vector(text, n):
        return {k: v * (math.log(n_sets) - math.log(max(1, found[n][k]))) for k, v in ngrams(words(text), n).items()}

    def one(out, ref):
        apart = (max(len(words(out)) - 1, 0) - max(len(words(ref)) - 1, 0)) ** 2
        cosines = []
        for n in range(1, 5):
            a, b = vector(out, n), vector(ref, n)
            norms = [math.sqrt(sum(v * v for v in each.values())) for each in (a, b)]
            shared = sum(min(a[k], b[k]) * b[k] for k in a.keys() & b.keys())
            cosines.append(shared / (norms[0] * norms[1]) if all(norms) else 0.0)
        return sum(cosines) / 4 * math.exp(-apart / 72)

    pairs = zip(outputs, references, strict=True)
    return 10 * np.mean([np.mean([one(out, ref) for ref in refs]) for out, refs in pairs])


def authorities(texts, outputs, language, words, ter):
    """What each metric that is defined must be: sacreBLEU's number, or a plain recomputation over its words."""
    sources, references = texts["sources"], [texts["first"], texts["second"]]
    pairs = list(zip(*references, strict=True))
    lower = lambda text: words(text.lower())  # noqa: E731
    spoken = lambda text: [word for word in lower(text) if regex.search(r"[\p{L}\p{N}]", word)]  # noqa: E731
    bleu = [
        sacrebleu.BLEU(trg_lang=language, max_ngram_order=n).corpus_score(outputs, references).score
        for n in range(1, 5)
    ]
    return {
        "bleu": bleu[3], "bleu_1": bleu[0], "bleu_2": bleu[1], "bleu_3": bleu[2], "bleu_mean": sum(bleu) / 4,
        "self_bleu": sacrebleu.BLEU(trg_lang=language).corpus_score(outputs, [sources]).score,
        "chrf": sacrebleu.CHRF().corpus_score(outputs, references).score,
        "ter": sacrebleu.TER(**ter).corpus_score(outputs, references).score,
        "rouge_1": plain_rouge(outputs, pairs, spoken, lambda a, b: plain_f1(a, b, 1)),
        "rouge_2": plain_rouge(outputs, pairs, spoken, lambda a, b: plain_f1(a, b, 2)),
        "rouge_l": plain_rouge(outputs, pairs, spoken, plain_subsequence),
        "sari": plain_sari(sources, outputs, pairs, lower),
        "pinc": plain_pinc(sources, outputs, lower),
        "cider": plain_cider(outputs, pairs, spoken),
        "edit_distance": np.mean([Levenshtein.distance(*pair) for pair in zip(sources, outputs, strict=True)]),
    }  # fmt: skip


def check(texts, language, words, ter, more, undefined):
    found = counted(study_of(texts, language))
    for system, outputs in texts["systems"].items():
        right = authorities(texts, outputs, language, words, ter) | {name: of(outputs) for name, of in more.items()}
        assert right.keys() | TRAINED | NEEDS_A_MODEL | WITHOUT_MATERIAL.keys() | undefined == set(METRICS)
        scores = found[system]
        assert {name: scores[name]["score"] for name in right} == pytest.approx(right, abs=1e-9)
        for name in right.keys() | TRAINED:
            assert scores[name]["score"] is not None, (name, scores[name]["undefined"])
            assert f"|lang:{language}|" in scores[name]["signature"]
        for name in undefined:
            assert scores[name]["score"] is None
            assert language in scores[name]["undefined"], name
        for name, why in WITHOUT_MATERIAL.items():
            assert scores[name]["score"] is None
            assert why in scores[name]["undefined"]
        for name in NEEDS_A_MODEL:
            assert "model" in scores[name]["undefined"]
    return found


JAPANESE = {
    "sources": ["患者は三日前より発熱を認め、入院となった。", "本剤は悪心を生じることがある。"],
    "first": ["患者さんは三日前から熱があり、入院しました。", "この薬は吐き気が出ることがあります。"],
    "second": ["三日前に熱が出て、病院に入りました。", "この薬を飲むと気持ちが悪くなることがあります。"],
    "systems": {"Near": ["患者さんは三日前に熱が出て、入院しました。", "この薬では吐き気が出ることがあります。"]},
}


def test_a_chinese_study(db):
    cut = TokenizerZh()
    found = check(
        CHINESE, "zh", lambda text: cut(text).split(), {"normalized": True, "asian_support": True}, {},
        ENGLISH_ALONE | {"lix"},
    )  # fmt: skip
    assert [found[name]["bleu"]["score"] for name in ("Near", "Half", "Far")] == sorted(
        (found[name]["bleu"]["score"] for name in found), reverse=True
    )
    for name in ("bleu", "sari", "rouge_l", "perplexity_ngram", "style_accuracy", "content_preservation"):
        assert "|tok:zh|" in found["Near"][name]["signature"]


def plain_lix(outputs):
    """One sentence an output; its words by spaces, long above six letters (Björnsson)."""
    words = [word.strip(",.") for output in outputs for word in output.split()]
    return len(words) / len(outputs) + 100 * sum(len(word) > 6 for word in words) / len(words)


def test_a_russian_study(db):
    cut = sacrebleu.BLEU(trg_lang="ru").tokenizer
    found = check(RUSSIAN, "ru", lambda text: cut(text).split(), {}, {"lix": plain_lix}, ENGLISH_ALONE)
    assert "|tok:13a|" in found["Near"]["bleu"]["signature"]
    assert "|tok:unicode|" in found["Near"]["rouge_1"]["signature"]


def test_a_japanese_study_without_mecab_says_what_to_install(db):
    """What counts characters, or cuts them by TER's rules, has its number all the same."""
    if not missing_tokenizer("ja-mecab"):
        pytest.skip("MeCab is installed: tests/unit/evaluation/metrics/test_metrics_by_language.py holds its words")
    study = study_of(JAPANESE, "ja")
    choose_metrics(study=study, metrics={"bleu": {}, "rouge_1": {}, "pinc": {}, "chrf": {}, "ter": {}})
    found = make_report(study=study).content["systems"][0]["metrics"]
    for name in ("bleu", "rouge_1", "pinc"):
        assert found[name]["score"] is None
        assert "`pip install sacrebleu[ja]`" in found[name]["undefined"]
    output, references = [JAPANESE["systems"]["Near"]], [JAPANESE["first"], JAPANESE["second"]]
    authority = sacrebleu.CHRF().corpus_score(*output, references).score
    assert found["chrf"]["score"] == pytest.approx(authority)
    assert found["ter"]["score"] is not None


def test_a_language_that_is_named_later_scores_anew(db):
    """The language is among what a stored score hangs on."""
    study = study_of(CHINESE, "zh")
    choose_metrics(study=study, metrics={"bleu": {}, "fkgl": {}})
    before = make_report(study=study).content["systems"][0]["metrics"]
    study.language = "en"
    study.save()
    after = make_report(study=study).content["systems"][0]["metrics"]
    assert before["bleu"]["score"] != after["bleu"]["score"]
    assert (before["fkgl"]["score"], after["fkgl"]["score"] is None) == (None, False)


def test_without_a_language_other_letters_are_not_taken_for_english(db):
    study = study_of(RUSSIAN, "ru")
    study.language = ""
    study.save()
    choose_metrics(study=study, metrics={"bleu": {}, "chrf": {}, "fkgl": {}})
    found = make_report(study=study).content["systems"][0]["metrics"]
    assert found["chrf"]["score"] is not None
    for name in ("bleu", "fkgl"):
        assert "names no language" in found[name]["undefined"]
    assert not MetricScore.objects.filter(metric="bleu").exclude(corpus=None).exists()


def test_choices_of_before_are_decided_by_the_language(db):
    """Those that stood at what is right for English; what somebody chose stays."""
    study = study_of(CHINESE, "zh")
    choose_metrics(study=study, metrics={"bleu": {"tokenize": "13a"}, "sari": {"tokenize": "char"}, "rouge_1": {}})
    editor = SimpleNamespace(connection=connection)
    import_module("evaluation.migrations.0002_version_0_2").decide_by_language(apps, editor)
    settings = dict(study.metric_choices.values_list("metric", "settings"))
    assert [settings["bleu"]["tokenize"], settings["sari"]["tokenize"]] == ["language", "char"]
