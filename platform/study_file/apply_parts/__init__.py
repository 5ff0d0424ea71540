"""Carrying a declaration out: each new part of a study file goes through the action that pages and API use."""
