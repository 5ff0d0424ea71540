"""New tables of a migration without half of what Django takes for them.

Django keeps the models of a migration's state as classes, and makes those anew that a changed model is related to. It
does so for a new model too, to which nothing refers yet: at a first start each of a hundred models made all others
anew, which took two fifths of the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.migrations.state import ModelState, ProjectState


@contextmanager
def new_models_alone() -> Iterator[None]:
    """In this block a migration's new model is made by itself; those that it refers to learn of it as in an app."""
    of_django: Any = ProjectState.add_model

    def add_model(self: Any, model_state: ModelState) -> None:
        if "apps" not in vars(self) or _has_others_classes(self.apps):
            of_django(self, model_state)
            return
        key = model_state.app_label, model_state.name_lower
        self.models[key] = model_state
        if self._relations is not None:
            self.resolve_model_relations(key)
        self.apps.render_multiple([model_state])

    ProjectState.add_model = add_model  # type: ignore[method-assign]
    try:
        yield
    finally:
        ProjectState.add_model = of_django  # type: ignore[method-assign]


def _has_others_classes(apps: Any) -> bool:
    """Whether there are classes of the state that this one was copied from: they see only what refers to them there."""
    return any(model._meta.apps is not apps for model in apps.get_models(include_auto_created=True))
