"""The pages of studies, texts, documents, systems and members."""
