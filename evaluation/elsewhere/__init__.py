"""Judgements from elsewhere: any table of them, by what its columns mean."""
