"""What is declared of a table makes sense."""

import pytest

from verdicts.corpus.enumerations import ATTRIBUTIONS, REVIEWERS
from verdicts.corpus.tables import TABLES
from verdicts.warehouse.storage.sql_files import read_sql


@pytest.mark.parametrize("name", TABLES)
def test_a_reference_leads_to_a_table_that_stands_before_and_has_one_key(name):
    before = [*TABLES][: [*TABLES].index(name)]
    for column in TABLES[name].columns:
        if column.references is not None:
            assert column.references == "loads" or column.references in before
            assert len(TABLES[column.references].key) == 1


def test_sql_that_lists_an_enumeration_lists_all_of_it():
    kinds = ", ".join(f"'{kind}'" for kind in ATTRIBUTIONS)
    assert kinds in read_sql("loading/audits")["reviews_weaker_or_stronger_than_evidence"]
    reviewers = ", ".join(f"'{reviewer}'" for reviewer in REVIEWERS)
    scores = read_sql("loading/derived")["tools"]
    assert f"NOT IN ({reviewers})" in scores
    assert all(f"reviewer = '{reviewer}') AS {reviewer.lower()}_score" in scores for reviewer in REVIEWERS)
