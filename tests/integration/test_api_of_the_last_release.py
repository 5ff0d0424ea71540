"""What a client of the last release would notice is named in docs/upgrading.md, line by line, and nothing else is.

`tests/golden/api/` keeps the OpenAPI schema of each release.
"""

import gzip
import json

import pytest
from support.api_changes import api_changes

from config.api.schema import JSON, schema_text
from foundation.project import ROOT

LAST = "d34b7ea"
CHANGES = "## Changes of the API"


@pytest.fixture(scope="module")
def schemas():
    kept = json.loads(gzip.decompress((ROOT / f"tests/golden/api/{LAST}.json.gz").read_bytes()))
    return kept, json.loads(schema_text(JSON))


def named():
    text = (ROOT / "docs/upgrading.md").read_text().partition(CHANGES)[2].partition("\n## ")[0]
    return {line.removeprefix("- `").rstrip("`") for line in text.splitlines() if line.startswith("- `")}


def test_each_change_is_named(schemas):
    found = set(api_changes(*schemas))
    assert sorted(found - named()) == [], f"name them under “{CHANGES}” of docs/upgrading.md, or keep what was"
    assert sorted(named() - found) == [], "docs/upgrading.md names what did not change"


def test_removals_and_changes_are_found(schemas):
    old, _ = schemas
    new = json.loads(json.dumps(old))
    path = "/api/studies/{study}/campaigns/{campaign}/answers/"
    shape = new["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[
        2
    ]
    sent = new["components"]["schemas"][shape]
    sent["properties"]["pledge"] = {"type": "string"}
    sent["required"].append("pledge")
    del sent["properties"]["seconds"]
    del new["paths"]["/api/trail/"]
    said = set(api_changes(old, new))
    where = "POST /api/studies/{}/campaigns/{}/answers/"
    assert {f"{where}: the request's pledge is required", f"{where}: the request's seconds is gone"} <= said
    assert "GET /api/trail/: is gone" in said
    assert api_changes(old, old) == []
