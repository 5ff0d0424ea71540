"""Marks in a text: abbreviations with their full forms, as spans and as segments, and highlighted concepts."""
