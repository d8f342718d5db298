"""What is declared of a table makes sense."""

import pytest

from verdicts.corpus.enumerations import ATTRIBUTIONS, REVIEWERS
from verdicts.corpus.tables import CORPUS_TABLES, TABLES
from verdicts.warehouse.storage.sql_files import read_sql


@pytest.mark.parametrize("name", TABLES)
def test_a_declaration_names_columns_that_the_table_has(name):
    table = TABLES[name]
    named = [*table.key, *table.cluster_by]
    named += [column for order in table.in_order for column in (order.earlier, order.later)]
    named += [column for reference in table.joined_references for column in reference.columns]
    named += [] if table.period is None else [table.period.start, table.period.end]
    named += [] if table.partition_by is None else [table.partition_by]
    assert set(named) <= set(table.column_names)
    assert not any(column.is_optional for column in table.columns if column.name in table.key)


@pytest.mark.parametrize("name", TABLES)
def test_a_reference_leads_to_a_table_that_stands_before_and_has_one_key(name):
    before = [*TABLES][: [*TABLES].index(name)]
    for column in TABLES[name].columns:
        if column.references is not None:
            assert column.references == "loads" or column.references in before
            assert len(TABLES[column.references].key) == 1


@pytest.mark.parametrize("name", CORPUS_TABLES)
def test_a_row_has_every_column_but_its_hash_and_the_load_that_brings_it(name):
    assert (*TABLES[name].row.__struct_fields__, "content_hash", "load_id") == TABLES[name].column_names


def test_sql_that_lists_an_enumeration_lists_all_of_it():
    kinds = ", ".join(f"'{kind}'" for kind in ATTRIBUTIONS)
    assert kinds in read_sql("loading/audits")["reviews_weaker_or_stronger_than_evidence"]
    reviewers = ", ".join(f"'{reviewer}'" for reviewer in REVIEWERS)
    scores = read_sql("loading/derived")["tools"]
    assert f"NOT IN ({reviewers})" in scores
    assert all(f"reviewer = '{reviewer}') AS {reviewer.lower()}_score" in scores for reviewer in REVIEWERS)
