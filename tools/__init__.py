"""What developers run: measurements, results, translations, lock files. The product imports nothing of it."""
