"""The programs of developers: measurements, results, translations, lock files. The product imports nothing of it."""
