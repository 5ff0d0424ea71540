"""Every write to studies, texts, documents, systems and members."""
