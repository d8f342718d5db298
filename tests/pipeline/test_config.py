"""`verdicts.toml`: what it may say, and how a mistake in it is told."""

import asyncio
import re
from contextlib import nullcontext
from datetime import time, timedelta

import pytest

from builders.command import check_refusal, run_here, run_well, verdicts
from builders.fault_server import answer, faults, redirect, says
from builders.nights import page
from verdicts.fetch.model.outcome import SkipReason
from verdicts.fetch.model.site import Site
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.sources.config import load_config, read_config

GOOD = """\
user_agent = "me (me@bot.example)"

[[site]]
hosts = ["a.example"]
start_urls = ["https://a.example/compare"]

[[site]]
hosts = ["b.example", "www.b.example"]
start_urls = ["https://b.example/"]
include = ["^/compare/"]
exclude = ["[?]sort="]
delay_s = 0.5
connections = 1
max_pages = 10
max_mb = 5
max_depth = 3
revisit_hours = [12, 48]
"""


ONE_SITE = """\
user_agent = "me (a@b.example)"
[[site]]
hosts = ["127.0.0.1"]
allow_private = true
start_urls = ["http://127.0.0.1:9/"]
"""


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "verdicts.toml"
        path.write_text(text)
        return path

    return write


def test_a_config_becomes_the_sites_to_crawl(config):
    first, second = (site.site() for site in read_config(config(GOOD)).site)
    assert (first.delay_s, first.connections, first.revisit.least) == (1.0, 2, timedelta(hours=20))
    assert (second.max_bytes, second.max_depth, second.revisit.most) == (5_000_000, 3, timedelta(hours=48))
    assert second.covers("https://b.example/compare/x")
    assert not second.covers("https://b.example/compare/x?sort=name")


def test_patterns_are_searched_in_linear_time():
    burning = Site(hosts=("a.example",), start_urls=("https://a.example/",), exclude=("^/(a+)+$", "(.*a){30}$"))
    assert burning.skip_reason(f"https://a.example/{'a' * 40_000}b!") is not SkipReason.EXCLUDED
    assert burning.skip_reason("https://a.example/aaa") is SkipReason.EXCLUDED


@pytest.mark.parametrize(
    ("line", "instead", "place"),
    [
        ("delay_s = 0.5", "delay_s = -1", ":12: site.1.delay_s: Input should be greater than or equal to 0"),
        ("delay_s = 0.5", 'delay_s = "slow"', ":12: site.1.delay_s: must be a number"),
        ("delay_s = 0.5", "delay_s = inf", ":12: site.1.delay_s: Input should be less than or equal to 3600"),
        ("revisit_hours = [12, 48]", "revisit_hours = [1, inf]", ":17: site.1.revisit_hours.1: Input should be less"),
        ("connections = 1", "connections = 99", ":13: site.1.connections"),
        ("max_pages = 10", "max_page = 10", ":14: site.1.max_page: unknown key; did you mean 'max_pages'?"),
        ('include = ["^/compare/"]', 'include = ["^/(compare"]', ":10: site.1.include.0: '^/(compare' is not a"),
        ('include = ["^/compare/"]', "include = ['^/(?!tag)']", "for RE2: invalid perl operator: (?!"),
        ('start_urls = ["https://b.example/"]', 'start_urls = ["b.example"]', ":9: site.1.start_urls.0: 'b.example'"),
        ('start_urls = ["https://b.example/"]', "", ":7: site.1.start_urls: is missing"),
        ('start_urls = ["https://b.example/"]', 'start_urls = ["https://c.example/"]', ":7: site.1: https://c.ex"),
        ('hosts = ["a.example"]', 'hosts = ["https://a.example/"]', ":4: site.0.hosts.0: 'https://a.example/' is"),
        ("revisit_hours = [12, 48]", "revisit_hours = [48, 12]", ":7: site.1: revisit_hours are the shortest"),
        (
            'user_agent = "me (me@bot.example)"',
            'user_agent = "x"',
            ":1: user_agent: the user agent 'x' names no contact",
        ),
        ('user_agent = "me (me@bot.example)"', "user_agent = 3", ":1: user_agent: must be a text"),
        ('user_agent = "me (me@bot.example)"', 'user_agent = "me" "you"', " is not TOML: "),
        ("[[site]]", "[[sites]]", ":3: sites: unknown key; did you mean 'site'?"),
        ("[[site]]\n", "[gates]\n", ":3: gates: Input should be 'hold' or 'shadow'"),
        ("[[site]]\n", "[[care]]\n[[site]]\n", ":3: care: write [care] as the line above its keys"),
        (
            "[[site]]\n",
            "[care]\nmax_mb = 3\n[[site]]\n",
            ": care.max_mb: this key is wrong here; it belongs below [[site]]",
        ),
        ("max_mb = 5", "gates = 'hold'", ":15: site.1.gates: this key is wrong here; it belongs above the first table"),
        ("[[site]]\n", "[care.keep_published]\ndayly = 1\n[[site]]\n", ":3: care.keep_published.dayly: unknown key"),
        ('hosts = ["a.example"]', 'hosts = "a.example"', ":4: site.0.hosts: must be a list"),
        ('hosts = ["a.example"]', 'hosts = ["a.example:8080"]', "is not on any of the hosts a.example:8080"),
        ('hosts = ["a.example"]', 'hosts = ["https://a.example"]', "without https:// and path"),
        ('hosts = ["a.example"]', 'hosts = ["a.example:port"]', "'example.org:8080' for another port"),
        ('hosts = ["a.example"]', 'hosts = ["a.example", "b.example"]', ": the file: b.example is in 2 [[site]]"),
    ],
)
def test_a_mistake_names_file_line_and_key(config, line, instead, place):
    path = config(GOOD.replace(line, instead, 1))
    with pytest.raises(ConfigError) as error:
        read_config(path)
    assert place in str(error.value).replace(str(path), "")


def test_a_site_with_one_pair_of_brackets_is_told_of(config):
    with pytest.raises(ConfigError, match=r":3: site: write \[\[site\]\] as the line above its keys"):
        read_config(config(GOOD.rpartition("[[site]]")[0].replace("[[site]]", "[site]")))


def test_a_host_is_asked_at_the_ports_of_its_start_addresses_alone(config):
    site = read_config(config(GOOD.replace("https://a.example/", "http://a.example:8080/"))).site[0].site()
    assert site.origin("a.example:8080") == "http://a.example:8080"
    assert site.covers("http://a.example:8080/x")
    assert not site.covers("http://a.example/x")


def test_ports_of_one_name_are_hosts_of_their_own(config):
    ports = 'hosts = ["a.example:8080", "a.example:8443"]'
    known = GOOD.replace('hosts = ["a.example"]', ports).replace("https://a.example/", "https://a.example:8443/")
    site = read_config(config(known)).site[0].site()
    assert site.all_hosts == ("a.example:8080", "a.example:8443")
    assert site.covers("https://a.example:8080/x")
    assert not site.covers("https://a.example/x")


def test_one_mistake_is_told_once(config):
    with pytest.raises(ConfigError) as error:
        read_config(config(GOOD.partition('[[site]]\nhosts = ["b')[0] + "delay_s = -1\n"))
    assert str(error.value).count("verdicts.toml") == 1


def test_every_mistake_is_named_at_once(config):
    with pytest.raises(ConfigError, match=r":12: site\.1\.delay_s.*:13: site\.1\.connections"):
        read_config(config(GOOD.replace("delay_s = 0.5", "delay_s = -1").replace("connections = 1", "connections = 0")))


def test_the_environment_stands_before_the_file(config, monkeypatch):
    monkeypatch.setenv("VERDICTS_USER_AGENT", "other (other@bot.example)")
    assert read_config(config(GOOD)).user_agent == "other (other@bot.example)"


def test_the_first_config_is_a_whole_one_for_the_site_it_names(tmp_path, monkeypatch):
    run_well("init", cwd=tmp_path)
    check_refusal(run_here("init", cwd=tmp_path), "already exists")
    check_refusal(run_here("crawl", cwd=tmp_path), "names only an example as contact")
    monkeypatch.setenv("VERDICTS_USER_AGENT", "me (me@bot.example)")
    (site,) = (site.site() for site in read_config(tmp_path / "verdicts.toml").site)
    assert site.covers("https://shiporskip.io/compare/a-vs-b")
    assert site.covers("https://shiporskip.io/tool/a")
    assert not site.covers("https://shiporskip.io/compare?sort=name")
    assert not site.covers("https://blog.shiporskip.io/compare/a-vs-b")
    assert (site.connections, site.delay_s) == (1, 1.0)


def test_a_dry_run_shows_what_would_be_fetched_and_why_not_and_writes_nothing(tmp_path):
    done = run_well("crawl", "--dry-run", cwd=tmp_path)
    assert "fetch http://demo.verdicts.example/\n" in done.stdout
    (line,) = [line for line in done.stdout.splitlines() if "would be fetched" in line]
    assert line.split()[:3] == ["demo.verdicts.example", "fetch", "219"]
    assert list(tmp_path.iterdir()) == []


def test_the_password_in_an_address_to_crawl_is_neither_kept_nor_told(config):
    known = GOOD.replace("https://b.example/", "https://me:secret@b.example/")
    assert read_config(config(known)).site[1].start_urls == ("https://b.example/",)
    for wrong in ("https://me:secret@c.example/", "ftp://me:secret@b.example/"):
        with pytest.raises(ConfigError) as mistake:
            read_config(config(GOOD.replace("https://b.example/", wrong)))
        assert "secret" not in str(mistake.value)


def test_each_part_past_one_machine_is_a_key_of_its_own(config):
    scale = read_config(config(GOOD + '[scale]\nscheduler = "tcp://10.0.0.1:8786"\n')).scale
    assert (scale.store, scale.share, scale.bins) == (None, None, 64)


def test_all_fetchers_can_have_one_file_and_a_share_of_their_own(config, monkeypatch):
    path = config(GOOD + '[scale]\nshare = "1/2"\n')
    line = "share 1/2: 1 of 2 sites are asked here"
    assert (str(read_config(path).share), read_config(path).share_line) == ("1/2", line)
    assert read_config(path).in_words == "b.example, www.b.example"
    monkeypatch.setenv("VERDICTS_SHARE", "2/2")
    assert (str(read_config(path).share), read_config(config(GOOD)).in_words) == ("2/2", "a.example")
    monkeypatch.setenv("VERDICTS_SHARE", "a/b")
    with pytest.raises(ConfigError, match=r"scale.share: 'a/b' is not a share of the hosts; write '2/4'"):
        read_config(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('store = "gs://bucket/corpus"', "scale.store: 'gs://bucket/corpus' is not a store; write a folder, or 's3://"),
        (
            'scheduler = "10.0.0.1:8786"',
            "scale.scheduler: it is not the address of a scheduler without password; write 'tcp://10.0.0.1:8786'",
        ),
        (
            'scheduler = "tcp://me:secret@10.0.0.1:8786"',
            "scale.scheduler: it is not the address of a scheduler without password; write 'tcp://",
        ),
        ('store = "https://me:secret@s3.example/x"', "scale.store: 'https://s3.example/x' is not a store"),
        ('store = "s3://me:secret@bucket/x"', "scale.store: put keys into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ('share = "5/4"', "scale.share: '5/4': fetchers are counted from 1, so write '1/4' to '4/4'"),
        ('share = "0/4"', "scale.share: '0/4': fetchers are counted from 1, so write '1/4' to '4/4'"),
        ('share = "1/1000"', "scale.share: '1/1000' are more than 256 fetchers"),
        *(
            (f"share = {value}", "is not a share of the hosts; write '2/4'")
            for value in (
                '"a/b"',
                '""',
                '"2"',
                '"2/0"',
                '"-1/4"',
                '"2 of 4"',
                '"1/2/3"',
                '"０１/4"',
                "0.5",
                "2",
                "[2, 4]",
                "true",
            )
        ),
        ("bins = 0", "scale.bins: Input should be greater than or equal to 1"),
    ],
)
def test_a_mistake_past_one_machine_is_told_without_a_password(config, line, told):
    with pytest.raises(ConfigError) as mistake:
        read_config(config(f"{GOOD}[scale]\n{line}\n"))
    assert told in str(mistake.value)
    assert "secret" not in str(mistake.value)


REFUSED = (
    'user_agent = "a\\r\\nx: y"', 'user_agent = "a\\u0000"', 'user_agent = ""',
    'user_agent = "vérité (a@b.example)"', "delay_s = nan", "delay_s = -inf", "max_pages = 0", "max_pages = -1",
    "max_mb = 0", "max_depth = -1", "connections = 0", "revisit_hours = [20]", "revisit_hours = [nan, 5]",
    "revisit_hours = [1, 1e300]", "include = ['*']", 'start_urls = ["http://xn--a/"]',
    'start_urls = ["http://127.0.0.1:99999/"]', 'start_urls = ["file:///etc/passwd"]', 'start_urls = ["http://["]',
    "start_urls = []", "hosts = []", 'hosts = ["a b"]', 'hosts = [""]', 'sitemaps = ["http://c.example/x"]',
)  # fmt: skip
TAKEN = ("delay_s = 0.0", "include = ['(a+)+$']", "include = ['(?s).*']", "revisit_hours = [0, 1e3]")


@pytest.mark.parametrize("line", [*REFUSED, *TAKEN])
def test_a_value_is_refused_or_taken(config, line):
    key = line.partition(" = ")[0]
    whole, replaced = re.subn(rf"^{key} = .*$", lambda _: line, ONE_SITE, flags=re.MULTILINE)
    with pytest.raises(ConfigError) if line in REFUSED else nullcontext():
        read_config(config(whole if replaced else f"{whole}{line}\n"))


async def test_a_first_config_for_a_site_names_what_one_look_at_it_shows(tmp_path):
    plays = {
        "/": redirect("/compare/"),
        "/robots.txt": says(answer(b"User-agent: *\nDisallow: /no\nCrawl-delay: 3\n", content_type="text/plain")),
        "/compare/": page("/compare/a", "/compare/b", "/about"),
    }
    async with faults(plays) as server:
        root = f"http://127.0.0.1:{server.port}"
        done = await asyncio.to_thread(verdicts, "init", f"{root}/", cwd=tmp_path)
        refused_page = await asyncio.to_thread(verdicts, "init", f"{root}/no", "--config", "b.toml", cwd=tmp_path)
    assert "/compare/ (2), / (1)" in done.stdout
    (site,) = (site.site() for site in read_config(tmp_path / "verdicts.toml").site)
    assert (site.start_urls, site.delay_s) == ((f"{root}/compare/",), 3.0)
    assert site.covers(f"{root}/compare/a")
    assert not site.covers(f"{root}/about")
    check_refusal(refused_page, "robots.txt line 2, 'Disallow: /no'")
    assert not (tmp_path / "b.toml").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('auth = "reader:open-sesame"', "auth is a secret; put it into the environment, and write 'env:NAME' here"),
        ('headers = { Authorization = "Bearer open-sesame" }', "Authorization is a secret"),
        ('headers = { Cookie = "a=b" }', "write cookies = { name = 'value' }"),
        ('headers = { accept-encoding = "br" }', "accept-encoding cannot be set"),
        ('headers = { "a b" = "c" }', "'a b' is not the name of a header"),
        ('cookies = { a = "b; open-sesame" }', "the value of a has a character that cookies may not have"),
        ('proxy = "http://agent:open-sesame@p.example:3128"', "a proxy's password is a secret"),
        ('proxy = "socks5://p.example:1080"', "SOCKS is not supported"),
        ('link_patterns = ["data-href"]', "has no group"),
        ('ends_at = "25:00"', "ends_at"),
        ("max_page_mb = 0", "max_page_mb"),
    ],
)
def test_a_wrong_setting_of_a_site_is_named_and_a_secret_never_repeated(config, line, words):
    with pytest.raises(ConfigError) as refused_config:
        read_config(config(GOOD + line + "\n"))
    assert words in str(refused_config.value)
    assert "open-sesame" not in str(refused_config.value)


def test_settings_of_a_site_reach_the_crawl(config):
    lines = 'headers = { Accept-Language = "de" }\nmax_page_mb = 20\nends_at = "06:00"\nauth = "env:NOT_SET"\n'
    path = config(GOOD + lines)
    site = read_config(path).site[-1].site()
    assert site.headers == {"accept-language": "de"}
    assert site.limits.wire_bytes == 20_000_000
    assert site.ends_at == time(6, 0)
    with pytest.raises(ConfigError, match="auth is env:NOT_SET, and the environment has no NOT_SET"):
        load_config(path, for_night=True)


@pytest.mark.parametrize("contact", ["me@example.org", "+https://www.example.com:8080/bot", "bot@EXAMPLE.net"])
def test_an_example_is_no_contact(config, contact):
    with pytest.raises(ConfigError, match="names only an example as contact"):
        read_config(config(GOOD.replace("me@bot.example", contact)))
