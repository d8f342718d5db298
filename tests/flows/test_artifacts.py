"""The report of a night that fails is an artifact too; a server that does not take it fails nothing."""

import pytest

from verdicts.fetch.model.errors import StoreLocked
from verdicts.flows import nightly as flows
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import HeldBack


@pytest.fixture
def folder(tmp_path):
    folder = DataFolder(tmp_path / "data")
    folder.reports.mkdir(parents=True)
    (folder.reports / "20261120T023000Z-0001.md").write_text("of the night before")
    return folder


@pytest.fixture
def kept(monkeypatch):
    kept = []
    monkeypatch.setattr(flows, "create_markdown_artifact", lambda text, **named: kept.append((text, named["key"])))
    return kept


def night(folder: DataFolder, error: Exception | None = None, *, is_reported: bool = True) -> None:
    with flows.report_as_artifact(folder):
        if is_reported:
            (folder.reports / "20261121T023000Z-0001.md").write_text("held")
        if error is not None:
            raise error


def test_a_night_that_is_held_leaves_its_report_in_the_run(folder, kept):
    with pytest.raises(HeldBack):
        night(folder, HeldBack("a.example is held"))
    assert kept == [("held", "night-report")]


@pytest.mark.parametrize(("error", "is_reported"), [(StoreLocked("another run"), True), (OSError("full"), False)])
def test_the_report_of_another_night_is_none_of_this_run(error, is_reported, folder, kept):
    with pytest.raises(type(error)):
        night(folder, error, is_reported=is_reported)
    assert kept == []


def test_a_server_that_does_not_take_it_costs_one_line(folder, monkeypatch, capsys):
    def refuses(*_args, **_named):
        raise ConnectionError("no server")

    monkeypatch.setattr(flows, "create_markdown_artifact", refuses)
    night(folder)
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "the report could not be kept as an artifact: ConnectionError: no server"
