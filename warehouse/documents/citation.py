"""How to cite an export: CITATION.cff 1.2.0."""

from verdicts.warehouse.documents.dataset_card import TITLE, Load


def citation(load: Load | None, schema_version: int) -> str:
    """YAML. The version is that of the schema and the load; a corpus that never held a row has no date."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this dataset, please cite it as below.",
        "type: dataset",
        f"title: {TITLE}",
        "authors:",
        "  - name: The verdicts maintainers",
        "license: Apache-2.0",
        "abstract: >-",
        "  Tables, ids, joins and documents are under Apache-2.0; quoted texts belong to the publishers of the pages",
        f"version: {schema_version}.0.0" + (f"+{load.load_id}" if load else ""),
    ]
    if load:
        lines.append(f"date-released: {load.loaded_at:%Y-%m-%d}")
    return "\n".join(lines) + "\n"
