"""Attention checks: texts put among the outputs that an attentive rater rates lower; one file is one kind."""

from pathlib import Path

from evaluation.attention_checks._base import AttentionCheck, CheckTexts
from foundation.registry import Registry

ATTENTION_CHECKS = Registry[AttentionCheck](
    "attention check", __name__, Path(__file__).parent, attribute="ATTENTION_CHECK"
)

__all__ = ["ATTENTION_CHECKS", "AttentionCheck", "CheckTexts"]
