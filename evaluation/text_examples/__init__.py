"""Texts as the papers' examples show them: whole documents, words that one text lacks, full forms in brackets."""
