"""What each person said in human studies."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.human_studies.answers import Answered, answers_in
from evaluation.models import HumanStudy

Place = tuple[int, str]  # a sentence and the key of a text


@dataclass
class Worker:
    """The seconds of each answer, and what was said by criterion (`rank` and `best_worst` too) and place."""

    answers: int = 0
    seconds: list[float] = field(default_factory=list)
    values: dict[str, dict[Place, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, answer: Answered) -> None:
        self.answers += 1
        if answer.seconds is not None:
            self.seconds.append(answer.seconds)
        for judged in answer.judged:
            self.values[judged.criterion][judged.sentence, judged.key] = judged.value

    def join(self, other: "Worker") -> None:
        """Take over what the same person said elsewhere."""
        self.answers += other.answers
        self.seconds += other.seconds
        for name, values in other.values.items():
            self.values[name].update(values)


def workers_of(human_study: HumanStudy) -> dict[str, Worker]:
    """What each person said in all campaigns of a human study, by pseudonym."""
    workers: dict[str, Worker] = defaultdict(Worker)
    for answer in answers_in(human_study.campaigns.all()):
        workers[answer.person].add(answer)
    return dict(workers)


def sums_of(workers: Mapping[str, Worker]) -> dict[str, dict[Place, tuple[float, int]]]:
    """By criterion and place, the sum of everybody's values and their number."""
    sums: dict[str, dict[Place, tuple[float, int]]] = defaultdict(dict)
    for worker in workers.values():
        for name, values in worker.values.items():
            totals = sums[name]
            for place, value in values.items():
                total, count = totals.get(place, (0.0, 0))
                totals[place] = (total + value, count + 1)
    return dict(sums)
