"""Builds the documents into every wheel, so that `verdicts docs` shows them."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Documents(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatch before it collects the files. An editable installation builds them when one asks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  hatch's interface
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "docs"))
        from build_site import build  # noqa: PLC0415  it stands beside the documents

        build(Path(self.root) / "src" / "verdicts" / "commands" / "site")
