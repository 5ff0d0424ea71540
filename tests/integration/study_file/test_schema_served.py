"""The JSON Schema of study files: anybody's editor gets it from the site, and a command prints it."""

import io
import json

from django.core.management import call_command

from study_file.schema import schema_text


def test_the_site_and_the_command_give_the_schema(client, tmp_path):
    served = client.get("/study-file.schema.json")  # nobody is signed in
    assert (served.status_code, served["Content-Type"]) == (200, "application/schema+json")
    call_command("study_file_schema", stdout=(printed := io.StringIO()))
    call_command("study_file_schema", "--to", str(tmp_path / "it.json"))
    assert served.content.decode() == printed.getvalue() == (tmp_path / "it.json").read_text() == schema_text()
    assert (
        "scale" in json.loads(printed.getvalue())["$defs"]["criteria"]["patternProperties"].popitem()[1]["properties"]
    )
