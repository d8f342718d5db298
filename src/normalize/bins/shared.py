"""What every bin of a stage reads: what is known of names and tools, and of addresses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from extract.panel.words.profile import Profiles
from extract.panel.words.profile_files import SHIPPED
from normalize.identity.known_tool import TOOLS, KnownTool
from normalize.identity.tool_identity import ALIASES, ToolAlias
from normalize.state.memory import MemoryState


@dataclass(frozen=True, slots=True)
class Shared:
    """`tools` are there once the stage `tools` is done. `gone` are addresses that are gone for good.

    `moves` are by text id, of those that are in another bin of the stage `folds` than of `texts`.
    """

    gone: frozenset[str] = frozenset()
    aliases: Mapping[str, ToolAlias] = field(default_factory=lambda: MappingProxyType({}))
    tools: Mapping[str, KnownTool] = field(default_factory=lambda: MappingProxyType({}))
    moves: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    profiles: Profiles = field(default_factory=lambda: SHIPPED)

    def state(self, name_ids: Iterable[str] = (), tool_ids: Iterable[str] = ()) -> MemoryState:
        """A state with what is known of some names and tools."""
        state = MemoryState()
        state.replace(ALIASES, "alias_id", (), [self.aliases[one] for one in {*name_ids} if one in self.aliases])
        state.replace(TOOLS, "tool_id", (), [self.tools[one] for one in {*tool_ids} if one in self.tools])
        return state
