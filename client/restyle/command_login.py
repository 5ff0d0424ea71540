"""`restyle login` and `restyle logout`: the tokens by site, in a file for its owner alone."""

import sys

import click

from restyle._sync.client import Client
from restyle.settings import is_open_to_all, read_settings, whole_url, write_settings


@click.command()
@click.argument("url", required=False)
@click.option("--token", help="The token; better typed where it is asked for, since a shell keeps its history.")
def login(url: str | None, token: str | None) -> None:
    """Keep a token for the site at URL, and make it the site that is asked."""
    kept = read_settings()
    site = whole_url(url or kept.site or click.prompt("Address of the site", err=True))
    if is_open_to_all(site):
        click.echo(f"Warning: {site} is without TLS, so that others on the way can read the token.", err=True)
    if not token:
        click.echo(f"Make a token at {site}/tokens/ and paste it here.", err=True)
        token = click.prompt("Token", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline()
    with Client(site, token.strip()) as client:
        person = client.me()
    kept.site = site
    kept.tokens[site] = token.strip()
    path = write_settings(kept)
    click.echo(f"Signed in at {site} as {person.get('name') or person['email']}; the token is in {path}.")


@click.command()
@click.argument("url", required=False)
def logout(url: str | None) -> None:
    """Forget the token for the site at URL. The site still takes it: revoke it on its page of tokens."""
    kept = read_settings()
    site = whole_url(url) if url else kept.site
    if kept.tokens.pop(site, None) is None:
        click.echo(f"There was no token for {site or 'any site'}.")
        return
    kept.site = "" if kept.site == site else kept.site
    write_settings(kept)
    click.echo(f"The token for {site} is forgotten. Revoke it at {site}/tokens/.")
