"""The address that a page calls its own decides which page its reviews are of: only the head may say it."""

import pytest

from verdicts.extract.html.html_page import Page
from verdicts.extract.panel.comparison import read_canonical


@pytest.mark.parametrize(
    ("page", "address"),
    [
        (b"<head><link rel=canonical href=/compare/a-vs-b></head><body>words", "http://b.example/compare/a-vs-b"),
        (b"<head><link rel='x Canonical' href=/x><link rel=canonical href=/x></head>", "http://b.example/x"),
        (b"<head><base href=http://a.example/b/><link rel=canonical href=x></head>", "http://a.example/b/x"),
        (b"<head><base href=/b/><link rel=canonical href=x></head>", "http://b.example/b/x"),
        (b"<head><base href='data:,y'><link rel=canonical href=x></head>", "http://b.example/from/x"),
        (b"<head><link rel=canonical href=/x><link rel=canonical href=/y></head>", None),
        (b"<body><link rel=canonical href=/x>", None),
        (b"<head></head><p title='<link rel=canonical href=/x>'>", None),
        (b"<head><link rel=canonical href='http://['><base href='http://['></head>", None),
        (b"words", None),
    ],
)
def test_a_page_is_called_what_its_head_calls_it(page, address):
    assert read_canonical(Page(page, "http://b.example/from/here")) == address
