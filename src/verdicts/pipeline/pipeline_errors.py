"""What can go wrong between the stages, and what to do about each error.

PipelineError
├── ConfigError        the config, the data folder or a named file does not allow the command: change it
├── HeldBack           a gate holds a host: look at the pages that it names, mend the cause or accept the loss
├── EngineFailed       a batch killed its workers: look at their logs, give them memory, run again
└── NormalizerBroken   normalization fails on much of the corpus, a bug: fix it; the warehouse is unchanged

Errors of a stage are its own: `verdicts.fetch.model.fetch_errors`, `verdicts.warehouse.storage.warehouse_errors`.
"""


class PipelineError(Exception):
    """Base of all errors of this package. The message tells the user what to do."""


class ConfigError(PipelineError):
    """The config, the data folder or a named file cannot be used. The message names it, and says what to do."""


class HeldBack(PipelineError):
    """A gate holds hosts, so readers keep their old rows. The message says which hosts, why, and what to do."""


class NormalizerBroken(PipelineError):
    """Normalization fails on too many pages to leave them out."""


class EngineFailed(PipelineError):
    """A batch killed its workers repeatedly, or there is no worker."""


class Interrupted(SystemExit):
    """A signal asked the command to end. asyncio cancels its tasks, which commit their pages, and passes it on."""
