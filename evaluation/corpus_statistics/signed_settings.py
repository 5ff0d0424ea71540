"""The settings of a study's own metric, read from its signature: what stands beside its scores is made alike."""

from evaluation.metric_contract import Setting
from evaluation.ngrams.rouge import BEST, REFERENCES, TOKENS
from evaluation.snapshot import StudySnapshot


def signed_parts(snapshot: StudySnapshot, metric: str) -> dict[str, str]:
    """The parts of the signature of the first system that has a score; none where no system has one."""
    signed = (scored.signature for scored in snapshot.scores.get(metric, ()) if scored is not None and scored.signature)
    return dict(part.split(":", 1) for part in next(signed, "").split("|") if ":" in part)


def rouge_settings(snapshot: StudySnapshot, metric: str) -> dict[str, Setting]:
    """How a ROUGE takes references and tokens, whether it stems, and which of precision, recall and F1 it is."""
    said = signed_parts(snapshot, metric)
    if "refs" not in said:
        return {}
    references = {signed: name for name, signed in REFERENCES.items()}
    tokens = {"tokens": said["tok"]} if said["tok"] in TOKENS else {}  # a dictionary's is signed with its version
    like = {"like": said["like"]} if "like" in said else {}
    taken = references.get(said["refs"], BEST)
    return {"of": said["of"], "stem": said["stem"] != "no", "references": taken, **tokens, **like}


def fkgl_settings(snapshot: StudySnapshot, metric: str) -> dict[str, Setting]:
    """Like whom FKGL counts, how it counts figures, and whether it pools counts."""
    said = signed_parts(snapshot, metric)
    figures = {"figures": said["figures"]} if "figures" in said else {}
    return {"like": "textstat" if "like" in said else "restyle", "pooled": "corpus" not in said, **figures}
