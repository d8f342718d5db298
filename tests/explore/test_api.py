"""The description of the JSON paths: it is valid OpenAPI, and what it promises is what comes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from starlette.testclient import TestClient

from builders import warehouse_rows as make
from builders.warehouse_files import load_corpus, publish
from verdicts.explore.app import make_app
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.named_queries import list_queries


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = DataFolder(tmp_path_factory.mktemp("described") / "data")
    load_corpus(folder.warehouse, make.corpus(), "load-1")
    publish(folder.warehouse, folder.serve, at=make.NIGHT)
    with TestClient(make_app(folder), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def described(site: TestClient) -> Any:
    return site.get("/openapi.json").json()


@pytest.mark.whole
def test_it_is_openapi_and_describes_every_question_with_its_parameters(described: Any) -> None:
    validate(described)
    for query in list_queries():
        given = {one["name"] for one in described["paths"][f"/questions/{query.name}.json"]["get"]["parameters"]}
        assert given == {parameter.name for parameter in query.parameters} | {"limit", "offset"}, query.name
    takes = {one["name"]: one["schema"] for one in described["paths"]["/reviews.json"]["get"]["parameters"]}
    assert takes["limit"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}
    assert takes["score_from"] == {"type": "number", "minimum": 0}
    assert takes["sort"]["enum"] == ["newest", "highest", "lowest", "doubtful", "name"]
    review = described["components"]["schemas"]["list_reviews"]["properties"]
    assert review["first_seen_at"]["format"] == "date-time"
    assert review["score"] == {"type": ["integer", "null"]}


def test_every_part_of_a_page_names_its_columns(described: Any) -> None:
    rows = {name for name in described["components"]["schemas"] if name != "Error"}
    pages = {
        "/index",
        "/reviewers",
        "/prices",
        "/changes",
        "/nights",
        "/doubts",
        "/search",
        "/tools/{tool}",
        "/reviews/{review}",
        "/pages/{page}",
        "/mentioned/{name}",
    }
    for path in pages:
        answer = described["paths"][f"{path}.json"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert answer["additionalProperties"] is False, path
        assert all(
            part["items"]["$ref"].rpartition("/")[2] in rows
            for name, part in answer["properties"].items()
            if name not in {"answers", "why"}
        )


def test_each_described_path_answers_as_it_is_described(site: TestClient, described: Any) -> None:
    records = {
        "tool": "alpha",
        "review": make.corpus()["reviews"][0].review_id,
        "page": make.an_id("alpha-vs-beta"),
        "document": make.NEWS,
    }
    for path, item in described["paths"].items():
        address = re.sub(r"{(\w+)}", lambda found: records.get(found[1], "alpha"), path)
        given = {"/sql.json": {"q": "SELECT 1 AS one"}, "/feed.json": {"since": "load-1"}}
        answer = site.get(address, params=given.get(path.replace(".csv", ".json"), {}))
        ((media_type, content),) = item["get"]["responses"]["200"]["content"].items()
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, media_type), path
        if media_type == "application/json":
            schema = {**content["schema"], "components": described["components"]}
            Draft202012Validator(schema).validate(answer.json())


def test_the_page_of_the_api_names_every_path_and_its_bounds(site: TestClient, described: Any) -> None:
    shown = site.get("/api").text
    for path in described["paths"]:
        assert path.startswith("/questions/") or path.replace(".csv", ".json") in shown, path
    assert "(1 to 1,000)" in shown


def test_a_feed_is_whole_or_the_error_that_its_reader_can_act_on(site: TestClient) -> None:
    assert site.get("/feed", params={"since": "load-1"}).json() == []
    assert "start from a full copy" in (gone := site.get("/feed.json", params={"since": "load-0"})).json()["error"]
    assert (gone.status_code, site.get("/feed.json").status_code) == (410, 400)
