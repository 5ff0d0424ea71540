"""Prolific: drafts, publishing, submissions, bonuses and messages by its API, and its signed hooks."""
