"""A folder of real pages that a person has labelled: `labels.json`, `pages.jsonl` with addresses, `pages/ID.html.gz`.

A label has the `kind` of the page, the `names` of all that it compares, maybe their other spellings as `also`, and
`cells` and `fields` by name. Names are complete. Cells and fields are a choice: others that were read are not judged.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from builders.scoring import Reading, Value, cell_value, compared
from builders.snapshots import html
from verdicts.extract.model.records import Document, Reject
from verdicts.extract.page import extract


class LabelledPage(NamedTuple):
    name: str
    url: str
    body: bytes
    label: dict[str, Any]


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    urls = {line["id"]: line["url"] for line in map(json.loads, lines)}
    for name, label in json.loads((folder / "labels.json").read_text(encoding="utf-8")).items():
        yield LabelledPage(
            name, urls[name], gzip.decompress((folder / "pages" / f"{name}.html.gz").read_bytes()), label
        )


def digest(pages: list[LabelledPage]) -> str:
    """SHA-256 of all pages and their labels."""
    total = hashlib.sha256()
    for page in pages:
        total.update(page.body + json.dumps(page.label, sort_keys=True).encode())
    return total.hexdigest()


def read(page: LabelledPage) -> Reading:
    """What the reader makes of one page, against its label."""
    snapshot, label = html(page.body, page.url), page.label
    names = {_plain(other): name for name, others in label.get("also", {}).items() for other in others}
    names |= {_plain(name): name for name in label["names"]}
    key = [Value("claim", "", "compares" if label.get("compares", label["names"]) else "nothing")]
    key += [Value("tool", name, name) for name in label["names"]]
    by_tool = {field: values for field, values in label.get("fields", {}).items() if isinstance(values, dict)}
    for field, values in by_tool.items():
        key += [Value(field.replace("_", " "), name, _plain(value)) for name, value in values.items()]
    for attribute, values in label.get("cells", {}).items():
        key += [cell_value(name, attribute, _plain(value)) for name, value in values.items()]
    places = {(value.field, value.at) for value in key}

    def as_labelled(value: Value) -> Value | None:
        """The value under the label's name; None where nothing is labelled."""
        if value.field == "claim":
            return value
        tool, slash, attribute = value.at.rpartition(" / ") if value.field == "cell" else (value.at, "", "")
        name = names.get(_plain(tool), tool)
        if value.field == "tool":
            return Value("tool", name, name)
        at = f"{name}{slash}{attribute}"
        return Value(value.field, at, _plain(value.value)) if (value.field, at) in places else None

    extracted = extract(snapshot)
    assert isinstance(extracted, Document | Reject), "a page of another site was read as a panel's"
    is_refused = isinstance(extracted, Reject)
    reports = {extracted.reason} if is_refused else {doubt.rule for doubt in extracted.doubts}
    judged = compared(key, extracted, clean=as_labelled)
    # A tool that is not labelled is wrong; a further value of a labelled cell or field is not judged.
    findings = tuple(one for one in judged if one.expected is not None or one.field == "tool")
    name = f"{page.name}: {label['kind']}, {page.url}"
    return Reading(snapshot, name, label["kind"], "", findings, tuple(sorted(reports)), is_refused)


def _plain(value: object) -> str:
    return " ".join(str(value).split()).casefold()
