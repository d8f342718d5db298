"""What can go wrong between the stages, and the decision each error asks for.

PipelineError
├── ConfigError        the config, or the state of the data folder, does not allow the command: change it
├── SourceMissing      a file to ingest is not there, or an address list cannot be used: name another one
├── HeldBack           a gate is shut: look at the pages it names, mend what is wrong or accept it
├── EngineFailed       a batch was never done, as its workers died: look at their logs, give them memory, run again
├── PublicationFailed  the process that publishes crashed, was killed or hung: readers keep what they have, try again
└── NormalizerBroken   normalization fails on much of the corpus: a bug, fix it; the warehouse is as it was

Errors of a stage are its own: `verdicts.fetch.model.errors`, `verdicts.warehouse.storage.errors`.
"""


class PipelineError(Exception):
    """Base of all errors of this package. Its message is one a user can act on."""


class ConfigError(PipelineError):
    """The config or the data folder cannot be used so; the message says which key or folder and what to do instead."""


class SourceMissing(PipelineError):
    """A path that was named is not there, or an address list cannot be used."""


class HeldBack(PipelineError):
    """A gate is shut: its hosts are as they were for readers. The message says which, why, and what to do."""


class NormalizerBroken(PipelineError):
    """Normalization fails on too many pages to leave them out: their rows would be lost."""


class EngineFailed(PipelineError):
    """A batch took its worker along again and again, or no worker is there."""


class PublicationFailed(PipelineError):
    """The process that makes a publication ended before it was done. Readers have what they had."""


class Interrupted(BaseException):
    """A signal asked the command to end. No `Exception`, as nothing on the way out may take it for a failure."""
