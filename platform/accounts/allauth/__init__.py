"""How allauth signs people in here: by invitation alone."""
