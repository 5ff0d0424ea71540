"""The imports of this bench, by the names that older commits have for them (`side_by_side.py` runs it there).

Only what was moved or renamed. Where more is different the figure cannot be compared, and the comparison says so.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from inspect import signature
from types import ModuleType

# A module into which several were put names all of them.
FORMER = {
    "annotation.campaigns.criteria": "annotation.criteria",
    "annotation.effective_annotations": "annotation.judgements",
    "corpora.background_jobs": "corpora.importing",
    "corpora.concepts": "corpora.concepts",
    "corpora.database": "corpora.bulk",
    "embedded": "config.embedded",
    "embedded.folders": "config.embedded.folders",
    "embedded.server_process": "config.embedded.running",
    "evaluation.correlation": "evaluation.statistics",
    "evaluation.resampling": "evaluation.statistics",
    "evaluation.snapshot_builder.build": "evaluation.recording",
    "evaluation.table_building": "evaluation.tables",
    "foundation.text_keys": "foundation.text",
    "jobs.execution": "jobs.runner",
    "launcher.children": "config.launch.children",
    "modelserving.phrase_based": "modelserving.phrases",
    "modelserving.phrase_based.decoder": "modelserving.phrases.decoding",
    "modelserving.phrase_based.table_builder": "modelserving.phrases.table",
    "modelserving.phrase_based.table_files": "modelserving.phrases.storing",
    "modelserving.phrase_based.word_alignment": (
        "modelserving.phrases.alignment modelserving.phrases.bitext modelserving.phrases.symmetry"
    ),
    "modelserving.training.callbacks": "modelserving.training.watch",
    "modelserving.training.dataset": "modelserving.training.data",
    "study_file.actions.apply_study": "config.actions.apply_study",
}
# Within modules, whether they were moved or not.
RENAMED = {
    "annotation.models": {"Assignment": "Slot"},
    "evaluation.metrics": {"MetricInput": "Batch"},
    "evaluation.resampling": {"Bootstrap": "Draws"},
    "evaluation.snapshot_builder.build": {"snapshot_of": "record_of"},
    "foundation.errors": {},
    "foundation.options": {"validate_options": "checked"},
    "modelserving.phrase_based.word_alignment": {"symmetrize": "symmetrised"},
    "modelserving.training.callbacks": {"Callbacks": "Watch"},
    "modelserving.training.dataset": {"DevSet": "Tune", "TrainingData": "Data", "read_dataset": "read"},
}


class _FormerNames(MetaPathFinder, Loader):
    """Finds a module under its name or, where there is none, under the name that it had."""

    def find_spec(self, name: str, path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in FORMER and name not in RENAMED and not _leads_to(name):
            return None
        found = PathFinder.find_spec(name, path)
        if found is None:
            return ModuleSpec(name, self, is_package=True)
        if name in RENAMED and found.loader:
            found.loader = _Renamed(found.loader)
        if _leads_to(name) and found.submodule_search_locations is None:
            found.submodule_search_locations = []  # a module there, out of which a package was made
        return found

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        for former in FORMER.get(module.__name__, "").split():
            found = vars(import_module(former))
            module.__dict__.update({name: value for name, value in found.items() if not name.startswith("__")})
        _rename(module)


class _Renamed(Loader):
    """Loads a module at its former place, with its content under today's names."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _rename(module)


def _leads_to(name: str) -> bool:
    """Whether it is a package out of which something moved."""
    return any(one.startswith(f"{name}.") for one in FORMER)


def _rename(module: ModuleType) -> None:
    for name, former in RENAMED.get(module.__name__, {}).items():
        if not hasattr(module, name) and hasattr(module, former):
            setattr(module, name, getattr(module, former))
    if module.__name__ == "foundation.errors" and "values" not in signature(module.UserError).parameters:
        _take_values(module.UserError)


def _take_values(error: type[Exception]) -> None:
    """Let an error that is given its sentence whole take the values of a sentence's places too, as this bench does."""
    former = error.__init__

    def __init__(self: Exception, sentence: str, *, where: str = "", **values: object) -> None:  # noqa: N807
        former(self, sentence.format(**values) if values else sentence, where=where)  # type: ignore[call-arg]

    error.__init__ = __init__  # type: ignore[method-assign]


def know_former_names() -> None:
    """Have each module imported by the name that this bench has for it from now on."""
    sys.meta_path.insert(0, _FormerNames())
