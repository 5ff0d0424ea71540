"""The parts of a declaration that bring judgements and choose what is reported."""

from dataclasses import asdict

from annotation.campaigns.criteria import keep_criteria
from corpora.formats import TextFile
from corpora.table_parser import Reading, understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.import_ratings import import_ratings
from study_file.apply_parts.parts import PartsToAdd, file_name
from study_file.parser.spec import RatingsSpec


class Evaluation(PartsToAdd):
    """The parts that judge and report."""

    def add_evaluation(self) -> None:
        self._ratings()
        self._metrics()
        self._report()

    def _ratings(self) -> None:
        for number, spec in enumerate(self.spec.ratings, 1):
            with self.part(f"ratings {number}") as new:
                if new:
                    keep_criteria(self.study, [{"name": name, **asdict(c)} for name, c in spec.criteria.items()])
                    self._judgements(spec, number)

    def _judgements(self, spec: RatingsSpec, number: int) -> None:
        if spec.table is None:
            given = self.texts.judgements[number - 1]
            import_ratings(
                study=self.study, format=spec.form, file_name=file_name(spec.file), judgements=given, by=self.by
            )
            return
        file = TextFile(self.files.opened(spec.file), spec.file, spec.encoding, self.files.limit)
        with understand(file, Reading(encoding=spec.encoding or "")) as table:
            bring_in_judgements(study=self.study, table=table, by=self.by, **asdict(spec.table))

    def _metrics(self) -> None:
        """The declared metrics beside those that the study chose since."""
        wanted = {name: settings for name, settings in self.spec.metrics.items() if f"metric {name}" in self.added}
        if wanted:
            chosen = dict(self.study.metric_choices.values_list("metric", "settings"))
            choose_metrics(study=self.study, metrics={**chosen, **wanted})

    def _report(self) -> None:
        with self.part("report") as new:
            if new and self.spec.report:
                fields = asdict(self.spec.report)
                name = fields.pop("baseline")
                fields["averaging"] = fields["averaging"] or "sentence"
                baseline = self.study.systems.get(name=name) if name else None
                choose_report(study=self.study, baseline=baseline, by=self.by, **fields)
