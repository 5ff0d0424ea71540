"""The study file: TOML into what a study declares, and the texts that it names. No Django."""
