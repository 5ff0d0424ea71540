"""One application of a declaration, part by part."""

from typing import Any

from annotation.actions.apply_template import apply_template
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.models import Study
from study_file.apply_parts.campaigns import Campaigns
from study_file.apply_parts.evaluation import Evaluation
from study_file.apply_parts.models import Models
from study_file.apply_parts.parts import Files
from study_file.apply_parts.texts import Texts
from study_file.parser.spec import StudySpec
from study_file.parser.texts import StudyTexts


class Application(Texts, Models, Evaluation, Campaigns):
    """One application of a declaration: adds the parts named in `added`, texts first and then what uses them."""

    def __init__(
        self, study: Study | None, spec: StudySpec, texts: StudyTexts, files: Files, added: set[str], by: Any, file: str
    ) -> None:
        super().__init__(spec, texts, files, added, by, file)
        self.study = study or self._create()

    def apply(self) -> Study:
        self.add_texts()
        self.add_models()
        self.add_evaluation()
        self.add_campaigns()
        return self.study

    def _create(self) -> Study:
        spec = self.spec
        with self.part("study"):
            study = create_study(
                slug=spec.slug, title=spec.title, styles=spec.styles, language=spec.language,
                license=spec.license, description=spec.description, by=self.by,
            )  # fmt: skip
            if spec.style_words or spec.poles is not None or spec.style_descriptions or spec.unit != "sentence":
                edit_study(
                    study=study, unit=spec.unit, style_words=spec.style_words, poles=spec.poles,
                    style_descriptions=spec.style_descriptions,
                )  # fmt: skip
            if spec.template:
                apply_template(study=study, template=spec.template, by=self.by)
        return study
