"""Write a sentence again as an apology."""

from annotation.task_types.rewrite import Rewrite


class Apologise(Rewrite):
    label = "Apologise"
    verb = "Write it as an apology"
    template = "annotation/work/acme/apologise.html"


TASK_TYPE = Apologise()
