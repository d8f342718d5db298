"""Text for matching."""

from hypothesis import example, given
from hypothesis import strategies as st

from verdicts.normalize.parse.text import fold_name, match_key, words


@given(st.text())
@example("ᄀ-ᅡ")
@example("ǅ ſ ﬁ")
def test_the_match_key_of_a_match_key_is_itself(text: str) -> None:
    assert match_key(match_key(text)) == match_key(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_path_gives_what_the_slow_path_gives(text: str) -> None:
    assert match_key(text) == match_key(text + "é").removesuffix("é")


def test_quotes_dashes_white_space_and_unicode_form_make_no_difference() -> None:
    assert match_key("It’s “fine” — really\u00a0ﬁne") == match_key('it\'s "fine" - really  fine')


def test_numbers_make_a_difference() -> None:
    assert match_key("at $15/mo") != match_key("at $16/mo")


def test_names_keep_the_punctuation_that_tells_versions_apart() -> None:
    assert fold_name("Codestral  2") != fold_name("Codestral 2.0")
    assert fold_name("Mistral 3 Small") != fold_name("Mistral 3 Small (22B)")
    assert fold_name(" CURSOR\u00a0Agent ") == fold_name("Cursor Agent")


def test_words_are_the_match_key_with_its_gaps() -> None:
    text = "The buyer’s bet — isn't it?"
    assert "".join(words(text)) == match_key(text)
