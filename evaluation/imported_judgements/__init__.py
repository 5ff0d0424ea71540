"""Judgements imported from any table, by what its columns mean."""
