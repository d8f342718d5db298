"""The deployments that docs/scaling.md shows can be made: flows that are there, with parameters that they take."""

import inspect
import re
from importlib import import_module

import yaml

from builders.paths import ROOT


def test_every_deployment_of_the_document_names_a_flow_and_its_parameters():
    text = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    deployments = yaml.safe_load(shown)["deployments"]
    assert [deployment["name"] for deployment in deployments] == ["nightly", "fetcher"]
    for deployment in deployments:
        path, _, name = deployment["entrypoint"].partition(":")
        flow = getattr(import_module("verdicts." + path.removesuffix(".py").replace("/", ".")), name)
        assert deployment["parameters"].keys() <= inspect.signature(flow.fn).parameters.keys()
