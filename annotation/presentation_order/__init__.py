"""In which order a person sees the texts that are judged side by side."""
