"""No regular expression makes a long text a slow one: neither in the event loop, nor in the build, nor in a worker."""

import ast
import dataclasses
import importlib
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cache
from itertools import islice, product
from pathlib import Path
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as codes  # type: ignore[attr-defined]  # the parsed form is in no public module
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeGuard

import pytest

from verdicts.extract.panel.profile import SHIPPED, page_words

SRC = Path(__file__).parents[1] / "src"
SCANS = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
ANCHORED = frozenset({"match", "fullmatch"})
REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})

SHORT = (20, 60)
SHORT_S = 0.02
"""Characters of texts that are tried first, and what they may take: an exponential pattern would never end the next."""
SMALL, LARGE = 500, 2_000
"""Characters of the two texts whose times are compared."""
GROWTH_MAX = 8.0
"""Times as long for four times the text; a linear pattern takes 4."""
FLOOR_S = 0.002
"""What takes less for the large text is not compared."""
REPETITIONS = 100_000
SECONDS_MAX = 1.0
"""What a pattern may take for so many characters of its slowest text."""
UNITS_MAX = 48
DEPTH_MAX = 3
"""How deep in tuples and mappings a module keeps its patterns."""


@dataclasses.dataclass(frozen=True)
class Asked:
    """A pattern, where it is, and by which methods it is asked."""

    place: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


@cache
def sources() -> Mapping[str, ast.Module]:
    """Every module of the project, by name."""
    return {
        ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_bytes())
        for package in sorted((SRC / "verdicts").iterdir())
        if package.is_dir()
        for path in sorted(package.rglob("*.py"))
    }


def patterns() -> list[Asked]:
    """The compiled ones of all modules and profiles, and those written where they are used."""
    found: dict[tuple[object, int, frozenset[str]], Asked] = {}
    for item in (*_read_modules(), *_read_profiles(), *_inline()):
        found.setdefault((item.pattern.pattern, item.pattern.flags, item.methods), item)
    return list(found.values())


def _read_modules() -> Iterator[Asked]:
    """Read off the source; a module whose patterns are made of other names is imported."""
    for module, tree in sources().items():
        nodes = [*ast.walk(tree)]
        names = {id(node.value): ast.unparse(node.targets[0]) for node in nodes if isinstance(node, ast.Assign)}
        try:
            found = [(names.get(id(node), "?"), _evaluate(node)) for node in nodes if _is_call(node, {"compile"})]
        except NameError:
            globals_of = vars(importlib.import_module(module)).items()
            found = [named for name, value in globals_of for named in _within(name, value)]
        for name, pattern in found:
            yield Asked(f"{module}.{name}", pattern, _methods(name, module))


def _is_call(node: ast.AST, methods: Set[str]) -> TypeGuard[ast.Call]:
    """Whether it is `re.compile(...)` and the like."""
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and function.attr in methods
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
    )


def _evaluate(call: ast.Call) -> re.Pattern[Any]:
    return eval(compile(ast.Expression(call), "a module", "eval"), {"re": re})


@cache
def _makers() -> list[tuple[str, ast.FunctionDef]]:
    """Functions that compile patterns, and their modules."""
    return [
        (module, function)
        for module, tree in sources().items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and any(_is_call(node, {"compile"}) for node in ast.walk(function))
    ]


def _read_profiles() -> Iterator[Asked]:
    """What functions of a profile, and `PageWords`, make of its words."""
    for module, function in _makers():
        arguments = [argument.arg for argument in function.args.args]
        for profile in SHIPPED.values() if _takes_profile(function) else ():
            if arguments[0] == "self":
                named = vars(page_words(profile))
            else:
                named = {function.name: getattr(importlib.import_module(module), function.name)(profile)}
            for name, value in named.items():
                for place, pattern in _within(name, value):
                    yield Asked(f"{module}.{place} of {profile.name}", pattern, _methods(place, module))


def _takes_profile(function: ast.FunctionDef) -> bool:
    return [argument.arg for argument in function.args.args] in (["profile"], ["self", "profile"])


def _methods(name: str, module: str) -> frozenset[str]:
    """How what has this name is asked, a private one in its module; in every way where that is not seen."""
    for called in (name, name.partition("[")[0]):
        methods: set[str] = set()
        for (place, known), found in _list_methods().items():
            if known == called and (place == module or not name.startswith("_")):
                methods |= found
        if methods:
            return frozenset(methods)
    return frozenset(SCANS | ANCHORED)


def _within(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns of a value by name: `WORDS['unit']` for what a mapping has."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth <= DEPTH_MAX and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _within(name, key, depth + 1)
            yield from _within(name if depth else f"{name}[{key!r}]", item, depth + 1)
    elif depth <= DEPTH_MAX and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _within(name, item, depth + 1)


@cache
def _list_methods() -> Mapping[tuple[str, str], set[str]]:
    """By module and last name, the methods that are called: `search` of `words.furniture.search(text)`."""
    methods: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in SCANS | ANCHORED:
                called = ast.unparse(node.value)
                for name in {called, re.split(r"[\[(]", called)[0].rpartition(".")[2]}:
                    methods[module, name].add(node.attr)
    return methods


def _inline() -> Iterator[Asked]:
    """`re.sub(r"\\D", "", text)` within a function."""
    for place, method, pattern in _calls():
        if isinstance(pattern, ast.Constant):
            yield Asked(place, re.compile(pattern.value), frozenset({method}))


def list_run_time_modules() -> set[str]:
    """Modules whose patterns are made of what neither the source nor a profile says."""
    asked = {place.partition(":")[0] for place, _, pattern in _calls() if not isinstance(pattern, ast.Constant)}
    return asked | {module for module, function in _makers() if not _takes_profile(function)}


def _calls() -> Iterator[tuple[str, str, ast.expr]]:
    for module, tree in sources().items():
        for node in ast.walk(tree):
            if _is_call(node, SCANS | ANCHORED):
                yield f"{module}:{node.lineno}", ast.unparse(node.func).removeprefix("re."), node.args[0]


def units(pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Texts to try: what stands before, what is repeated, what stands behind. Made of what the pattern looks for."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    tried: dict[tuple[str, str, str], None] = {}
    whole = _sample(tree)
    for before, body in _list_repeats(tree, ""):
        for text in body:
            tried[(before, text, "")] = None
            tried[(before, text, "\x00")] = None
            tried[("", before + text, "")] = None
            tried[("", text, "\x00")] = None
    for text in (whole, whole[:-1], whole + whole[:-1]):
        tried[("", text, "\x00")] = None
    for text in _alphabet(tree):
        tried[("", text, "\x00")] = None
        tried[("", f"{text} ", "\x00")] = None
    for text in (" ", "a", "1", "a1 ", "\n", "<", "1,", ". "):
        tried[("", text, "\x00")] = None
    chosen = [unit for unit in tried if unit[1]]
    most = min(len(chosen), UNITS_MAX)
    return [chosen[number * len(chosen) // most] for number in range(most)]


def _inside(op: Any, argument: Any) -> list[Any]:
    """The patterns that a part of a pattern holds."""
    if op in REPEATS:
        return [argument[2]]
    if op is codes.SUBPATTERN:
        return [argument[3]]
    if op is codes.ATOMIC_GROUP:
        return [argument]
    if op is codes.BRANCH:
        return list(argument[1])
    return [argument[1]] if op in {codes.ASSERT, codes.ASSERT_NOT} else []


def _list_repeats(tree: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    """Each repeat: a text that leads to it, and what it repeats."""
    for op, argument in tree:
        if op in REPEATS and (argument[1] == codes.MAXREPEAT or argument[1] > 20):
            yield before, _samples(argument[2])
        for part in _inside(op, argument):
            yield from _list_repeats(part, before)
        before += _sample([(op, argument)])


def _sample(tree: Any) -> str:
    return next(iter(_samples(tree)), "")


def _samples(tree: Any, most: int = 4) -> list[str]:
    """A few texts that a part of a pattern matches."""
    parts = [_sample_node(op, argument) for op, argument in tree]
    return ["".join(choice) for choice in islice(product(*(part or [""] for part in parts)), most)]


def _sample_node(op: Any, argument: Any) -> list[str]:
    if op in {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}:
        return _letters(op, argument)
    if op in REPEATS:
        return [text * max(argument[0], 1) for text in _samples(argument[2])]
    if op is codes.BRANCH:
        return [_sample(branch) for branch in argument[1]][:6]
    return _samples(_inside(op, argument)[0]) if op in {codes.SUBPATTERN, codes.ATOMIC_GROUP} else [""]


def _letters(op: Any, argument: Any, most: int = 4) -> list[str]:
    """A few characters that a part of a pattern matches: those that it names, and others."""
    members = argument if op is codes.IN else [(op, argument)]
    named = [
        chr(of if kind is codes.LITERAL else of[0]) for kind, of in members if kind in {codes.LITERAL, codes.RANGE}
    ]
    one = compiler.compile(parser.SubPattern(parser.State(), [(op, argument)]))
    return [text for text in dict.fromkeys([*named, *"a 1-.<'\"=/("]) if one.match(text)][:most]


def _alphabet(tree: Any) -> list[str]:
    """Single characters that the pattern names."""
    found: dict[str, None] = {}
    for op, argument in tree:
        is_letter = op in {codes.LITERAL, codes.IN}
        parts = [_sample_node(op, argument)] if is_letter else map(_alphabet, _inside(op, argument))
        found |= dict.fromkeys(text for part in parts for text in part if text)
    return list(found)


def ways(asked: Asked) -> Iterator[Callable[[Any], object]]:
    """How the pattern is asked, each to its end."""
    pattern = asked.pattern
    if asked.methods & SCANS:
        yield lambda text: sum(1 for _ in pattern.finditer(text))
    if "match" in asked.methods:
        yield pattern.match
    if "fullmatch" in asked.methods:
        yield pattern.fullmatch


def make_text(unit: tuple[str, str, str], size: int, *, as_bytes: bool) -> Any:
    """The unit repeated until the text has so many characters."""
    before, body, behind = unit
    text = before + body * max(1, size // len(body)) + behind
    return text.encode("latin-1", errors="replace") if as_bytes else text


def seconds(ask: Callable[[Any], object], text: Any) -> float:
    """Processor time: the least of three runs where the first was long enough to doubt.

    Beside other processes a run now and then takes five times as long, in the thread's own time too.
    """
    took = _once(ask, text)
    if not FLOOR_S < took < SECONDS_MAX:
        return took
    return min(took, _once(ask, text), _once(ask, text))


def _once(ask: Callable[[Any], object], text: Any) -> float:
    began = time.thread_time()
    ask(text)
    return time.thread_time() - began


def slow_texts(asked: Asked) -> Iterator[str]:
    """What makes this pattern slow: a text of its own alphabet whose time grows faster than its length."""

    def took(size: int) -> float:
        return seconds(ask, make_text(unit, size, as_bytes=isinstance(asked.pattern.pattern, bytes)))

    slowest = 0.0
    for ask in ways(asked):
        for unit in units(asked.pattern):
            if any(took(size) > SHORT_S for size in SHORT):
                yield f"{asked.place}: {unit}, already for a few characters"
                return
            large = took(LARGE)
            if large > FLOOR_S and large > GROWTH_MAX * took(SMALL):
                yield f"{asked.place}: {unit} takes {large * 1000:.0f} ms for {LARGE:,} characters"
                return
            if large > slowest:
                slowest, worst = large, (ask, unit)
    ask, unit = worst
    # In the event loop a second of one page is a second of every host.
    longest = REPETITIONS if asked.place.startswith("fetch.") else REPETITIONS // 10
    if (seconds_taken := took(longest)) > SECONDS_MAX * longest / REPETITIONS:
        yield f"{asked.place}: {unit} takes {seconds_taken:.1f} s for {longest:,} characters"


@pytest.mark.whole
def test_no_pattern_takes_longer_than_its_text_grows():
    # Others are asked of short texts: names of tables, of files; a day, around a year. The operator's own are RE2's.
    # Those of prices are made when the module is imported, and tried. The explorer's are words that a search found, and
    # names of our own columns; that of a type is asked of our SQL. Words to be forgotten are a person's.
    assert list_run_time_modules() == {
        "verdicts.explore.rendering",
        "verdicts.extract.generic.main_text",
        "verdicts.normalize.parse.price_terms",
        "verdicts.pipeline.build.strike",
        "verdicts.pipeline.sources.config",
        "verdicts.warehouse.exporting.dataset",
    }
    found = patterns()
    assert len(found) > 100
    assert [text for asked in found for text in slow_texts(asked)] == []


def _possessive_groups(tree: Any) -> Iterator[Any]:
    """What is repeated by `*+` and the like and is more than one character."""
    for op, argument in tree:
        if op is codes.POSSESSIVE_REPEAT:
            body = argument[2]
            if len(body) != 1 or body[0][0] not in {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}:
                yield body
        for part in _inside(op, argument):
            yield from _possessive_groups(part)


@pytest.mark.whole
def test_no_pattern_repeats_a_group_possessively():
    # Python before 3.11.5 has `(?:ab?c)*+` match all of "aca"; `(?>(?:ab?c)*)` means the same, and is read right.
    def is_wrong(pattern: re.Pattern[Any]) -> bool:
        return any(_possessive_groups(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)))

    assert [asked.place for asked in patterns() if is_wrong(asked.pattern)] == []
    assert is_wrong(re.compile("a(?:ab?c)*+"))
    assert not is_wrong(re.compile("(?>(?:ab?c)*)[a-z]*+"))


@pytest.mark.parametrize("pattern", [r"\s+x", r"(a|a)*b", r"\S+@\S+\.\S+"])
def test_the_texts_find_a_pattern_that_is_slow(pattern):
    assert [*slow_texts(Asked(pattern, re.compile(pattern), frozenset({"search", "fullmatch"})))] != []
