"""The demo: studies written for Restyle, with people of every role, and a tour. Only for the embedded database."""
