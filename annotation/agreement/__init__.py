"""Inter-annotator agreement of a campaign: on texts, on choices and on ratings."""
