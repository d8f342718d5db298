"""Addresses that are not of the public internet are refused, in any notation."""

import pytest

from verdicts.fetch.http.client import check_literal, is_public
from verdicts.fetch.model.errors import AttemptFailed


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::",
     "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1",
     "2002:a00:1::1"],
)  # fmt: skip
def test_an_address_that_is_not_public_is_recognised(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111"])
def test_public_addresses_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "::1", "::ffff:10.0.0.1", "169.254.169.254"]
)
def test_a_literal_host_is_refused_before_any_connection(host):
    with pytest.raises(AttemptFailed, match="not of the public internet"):
        check_literal(host, allow_private=False)
