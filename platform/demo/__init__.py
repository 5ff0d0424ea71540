"""The demo: a small study written for Restyle, with people of every role. Only for the embedded database."""
