"""The parts of a declaration that people work in."""

from typing import Any

from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Campaign
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from foundation.errors import UserError
from study_file.apply_parts.parts import PartsToAdd


class Campaigns(PartsToAdd):
    """The parts that people work in: stages of a template, campaigns, human studies."""

    def add_campaigns(self) -> None:
        self._stages()
        self._campaigns()
        self._human_studies()

    def _stages(self) -> None:
        """What the file changes of the stages that the template planned."""
        for spec in self.spec.stages:
            with self.part(f"stage {spec.slug}") as new:
                if new:
                    changes = self._by_name(spec.changes)
                    guideline, state = changes.pop("guideline", None), changes.pop("state", "draft")
                    campaign = edit_campaign(campaign=self._campaign(spec.slug), by=self.by, **changes)
                    if guideline is not None:
                        revise_guideline(campaign=campaign, text=guideline, by=self.by)
                    self._start(campaign, state)

    def _campaigns(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for spec in self.spec.campaigns:
            with self.part(f"campaign {spec.name}") as new:
                if new:
                    campaign = create_campaign(
                        study=self.study,
                        name=spec.name,
                        slug=spec.slug,
                        task_type=spec.task,
                        direction=self.directions[spec.direction] if spec.direction else None,
                        systems=[systems[name] for name in spec.systems] or None,
                        settings=spec.settings,
                        overlap=spec.overlap,
                        lease_minutes=spec.lease_minutes,
                        seed=spec.seed,
                        guideline=spec.guideline,
                        by=self.by,
                        **self._by_name(spec.rules),
                    )
                    self._start(campaign, spec.state)

    def _human_studies(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for spec in self.spec.human_studies:
            with self.part(f"human study {spec.name}") as new:
                if new:
                    plan = plan_human_study(
                        study=self.study,
                        name=spec.name,
                        slug=spec.slug,
                        systems=None if spec.systems is None else [systems[name] for name in spec.systems],
                        direction=self.directions[spec.direction] if spec.direction else None,
                        by=self.by,
                        **spec.fields,
                    )
                    if spec.state != "draft":
                        open_human_study(human_study=plan, by=self.by)
                    if spec.state == "closed":
                        close_human_study(human_study=plan, by=self.by)

    def _by_name(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a campaign, with the direction and the campaign before that they name."""
        resolved = dict(fields)
        if resolved.get("direction"):
            resolved["direction"] = self.directions[resolved["direction"]]
        if resolved.get("after"):
            resolved["after"] = self._campaign(resolved["after"])
        return resolved

    def _campaign(self, slug: str) -> Campaign:
        campaign = self.study.campaigns.filter(slug=slug).first()
        if campaign is None:
            raise UserError("The study has no campaign '{slug}' any more.", slug=slug, where="slug")
        return campaign

    def _start(self, campaign: Any, state: str) -> None:
        """Bring a new campaign into its state; paused or closed ones were open once."""
        if state in ("paused", "closed"):
            set_campaign_state(campaign=campaign, state="open", by=self.by)
        if state != "draft":
            set_campaign_state(campaign=campaign, state=state, by=self.by)
