"""Who is told what of a night: incidents from file and state, one message, the heartbeat, and what came of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verdicts.corpus.rows.gates import GateMeasureRow
from verdicts.fetch.model.errors import FetchError
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.incident_file import Told, Undelivered, read_told
from verdicts.pipeline.nights.incidents import Changes, causes_of, changes_of, silent_hosts, told
from verdicts.pipeline.nights.messages import message_of
from verdicts.pipeline.progress import say

if TYPE_CHECKING:
    from verdicts.pipeline.sources.config_sections import AlertsConfig


def changes_tonight(
    folder: DataFolder, alerts: "AlertsConfig", ending: NightEnding, *, was_killed: str | None
) -> Changes:
    """What is wrong from now on, and what of it people are to be told."""
    measures = _measures(folder)
    return changes_of(
        read_told(folder).open,
        causes_of(ending, measures, was_killed=was_killed),
        ending,
        silent=silent_hosts(measures),
        on=alerts.on,
        remind_after=alerts.remind_after,
    )


def send_alerts(
    folder: DataFolder, alerts: "AlertsConfig", ending: NightEnding, changes: Changes, attached: Sequence[Path]
) -> Told:
    """One message to whom the config names, where there is something to tell, and the heartbeat.

    Returns what is open and who could not be reached: where nobody was, the next night tells of it again.
    """
    from verdicts.pipeline.nights.delivery import deliver

    message = message_of(ending, changes) if changes and (alerts.webhook is not None or alerts.apprise) else None
    sent, failed = deliver(alerts, message, ending, attached=attached, beats=ending.published is not None)
    for item in failed:
        say(f"{item.address} could not be told: {item.why}")
    # Where nothing was sent, what could not be delivered before still stands.
    before: Sequence[Undelivered] = read_told(folder).undelivered if message is None else ()
    return Told((told(changes, ending.ended_at) if sent else changes).open, (*before, *failed))


def _measures(folder: DataFolder) -> list[GateMeasureRow]:
    """What the gates found in the newest run of every host; nothing where the state cannot be read."""
    from verdicts.fetch.store.run_log import gate_measures
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.build.gates import in_force

    try:
        with open_store(folder.root, command="run", read_only=True) as store:
            return in_force(gate_measures(store.state))
    except FetchError:
        return []
