"""The forms of studies, texts, systems, documents and tables."""
