"""The words that tools and labs use for columns of judgements."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RATER = _words(
    "worker workerid annotator annotatorid rater raterid user username judge participant participantid person subject"
    " coder prolificpid prolificid respondent responseid completedby email"
)
SOURCE = _words("source sources src original input orig origs sentence")
NUMBER = _words("sourceid sentenceid number id index idx item itemid segment segmentid instanceid")
OUTPUT = _words(
    "output outputs mod mods text rewrite hypothesis candidate candidates generation generations generatedtext"
    " generated prediction target translation displayedtext"
)
SYSTEM = _words("system systems model systemid modelname")
CRITERION = _words("criterion criteria dimension aspect question attribute")
VALUE = _words("value rating score judgement judgment answer label response")
SECONDS = _words(
    "seconds duration time timetaken leadtime worktimeinseconds durationinseconds timespent elapsed ms milliseconds"
)
STATE = _words("status state assignmentstatus finished counts")
STARTED = _words("started startedat startdate starttime accepttime")
ENDED = _words("ended endedat enddate endtime submittime submittedat")
DIRECTION = _words("direction targetstyle styletarget")
WORDS = {
    "rater": RATER, "source": SOURCE, "number": NUMBER, "output": OUTPUT, "system": SYSTEM, "criterion": CRITERION,
    "value": VALUE, "seconds": SECONDS, "state": STATE, "started": STARTED, "ended": ENDED, "direction": DIRECTION,
}  # fmt: skip
KNOWN = _words(
    "fluency grammaticality grammar formality style sentiment meaning content adequacy topic simplicity readability"
    " overall preservation accuracy naturalness quality toxicity politeness"
)


def plain(name: str) -> str:
    """A column's name without case, space and marks."""
    return re.sub(r"[\W_]+", "", name).lower()
