"""Co-occurrence: takes that stand side by side on a page are different takes, however similar."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from verdicts.normalize.dedup.clusters import ClusterMember
from verdicts.normalize.dedup.distinct_texts import DayTexts


class CoOccurrence:
    """Which texts stand on the same page version. Similar ones that did on one day are apart on all later ones."""

    def __init__(self) -> None:
        self._separate: dict[str, set[str]] = defaultdict(set)
        self._text_indexes: dict[str, int] = {}
        self._versions_of_text: Sequence[Sequence[int]] = ()
        self._versions_of_cluster: dict[str, set[int]] = {}

    def start_day(self, day: DayTexts) -> None:
        """Replaces the page versions of the day before."""
        self._text_indexes = {text.text_id: index for index, text in enumerate(day.texts)}
        self._versions_of_text = day.versions.to_list()
        self._versions_of_cluster = {}

    def note_separate(self, first: ClusterMember, second: ClusterMember) -> None:
        """Remembers two similar texts if they stand side by side today."""
        if not {*self._versions(first)}.isdisjoint(self._versions(second)):
            self._separate[first.text_id].add(second.text_id)
            self._separate[second.text_id].add(first.text_id)

    def are_separate(self, member: ClusterMember, canonical: ClusterMember) -> bool:
        """Whether a text stands beside a text of the cluster today, or on an earlier day beside one like it."""
        apart = self._separate.get(member.text_id)
        if apart and any(text.text_id in apart for text in (canonical, *canonical.members)):
            return True
        return self._share_a_version(member, canonical)

    def note_join(self, member: ClusterMember, canonical: ClusterMember) -> None:
        """The page versions of a text that joined a cluster are the cluster's too."""
        if canonical.text_id in self._versions_of_cluster:
            self._versions_of_cluster[canonical.text_id].update(self._versions(member))

    def _share_a_version(self, member: ClusterMember, canonical: ClusterMember) -> bool:
        if member.text_id not in self._text_indexes:
            return False
        versions = self._versions_of_cluster.get(canonical.text_id)
        if versions is None:
            versions = set(chain.from_iterable(map(self._versions, (canonical, *canonical.members))))
            self._versions_of_cluster[canonical.text_id] = versions
        return not versions.isdisjoint(self._versions(member))

    def _versions(self, member: ClusterMember) -> Sequence[int]:
        """The page versions of this day that show the text."""
        index = self._text_indexes.get(member.text_id)
        return () if index is None else self._versions_of_text[index]
