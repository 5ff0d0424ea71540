"""The order in which a person sees the texts that are judged side by side."""
