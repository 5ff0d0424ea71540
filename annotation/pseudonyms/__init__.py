"""The names under which people stand in files that leave the site."""
