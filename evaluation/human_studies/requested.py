"""Rows that an address names: found, or 404."""

from typing import Any

from django.shortcuts import get_object_or_404

from evaluation.models import HumanStudy


def human_study_of(request: Any, slug: str) -> HumanStudy:
    found: HumanStudy = get_object_or_404(request.study.human_studies.select_related("study", "direction"), slug=slug)
    return found
