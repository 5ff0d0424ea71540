"""The queues, by the length of their work: which task goes where. Nobody waits behind work much longer than their own.

`gpu` has trainings and long runs of models, which take hours; `quick` has runs that take minutes. Each has a worker of
its own, so a quick run ends while a training is at work. Typed sentences go to `serve`, metrics to `metrics`, all else
to `default`.
"""

from fnmatch import fnmatchcase

QUEUES = ("default", "metrics", "quick", "gpu", "serve")
OF_MODELS = frozenset({"quick", "gpu", "serve"})
"""Their workers hold PyTorch and models: one task at a time, in a process that is started when there is work."""
BY_TASK = {  # by the first pattern that the task's name has
    "modelserving.tasks.answer": "serve",
    "modelserving.tasks.look_at_batches": "default",
    "modelserving.*": "gpu",
    "evaluation.*": "metrics",
    "annotation.tasks.agreement": "metrics",
    "annotation.tasks.translate": "metrics",
}
LONG = "gpu"
SHORT = {LONG: "quick"}  # the queue for work that is short, of tasks that may be long
SHORT_RUN = 2_000  # texts: a network writes them in minutes on a processor
BESIDE = {"gpu": ("quick",)}  # a worker of the one has one of the other beside it, as it did its work before


def queue_of(task: str, *, short: bool = False) -> str:
    """The queue of a task, by its name; `short` says that it takes minutes where others of its kind take hours."""
    queue = next((queue for pattern, queue in BY_TASK.items() if fnmatchcase(task, pattern)), "default")
    return SHORT.get(queue, queue) if short else queue


def with_those_beside(queues: list[str]) -> list[str]:
    """The queues that a machine serves whose worker was asked for these."""
    return list(dict.fromkeys([*queues, *(one for queue in queues for one in BESIDE.get(queue, ()))]))
