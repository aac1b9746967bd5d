"""Real multicast between machines: tables appear, change, vanish, and outlive bad networks."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.lan.lab import Lab, Talk

pytestmark = pytest.mark.lan

#: far below the 30 seconds after which what nobody withdraws is forgotten; how long it takes is
#: told in BENCHMARKS
SOON_SECONDS = 15.0


@pytest.fixture(scope="module")
def shared() -> Iterator[Lab]:
    with Lab(machines=3) as lab:
        yield lab


@pytest.fixture
def lab(shared: Lab) -> Iterator[Lab]:
    yield shared
    shared.end()


def announcing(lab: Lab, machine: int, name: str, *interfaces: str) -> Talk:
    talk = lab.talk(machine, sys.executable, "-m", "tests.lan.announce", name, *interfaces)
    talk.line(lambda said: said == "announced")
    return talk


def browsing(lab: Lab, machine: int, *interfaces: str) -> Talk:
    talk = lab.talk(machine, sys.executable, "-m", "tests.lan.browse", *interfaces)
    talk.line()
    return talk


def tables(line: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(line)["tables"]
    return found


def addresses(line: str, name: str) -> list[object]:
    listed = tables(line).get(name, {}).get("addresses", [])
    assert isinstance(listed, list)
    return listed


def test_a_table_appears_changes_and_vanishes_everywhere(lab: Lab) -> None:
    watching = [browsing(lab, 1), browsing(lab, 2)]
    friday = announcing(lab, 0, "Friday")
    for talk in watching:
        seen = json.loads(talk.line(lambda said: "Friday" in tables(said)))
        assert seen["tables"]["Friday"]["addresses"] == [f"{lab.address(0)}:4000"]
    friday.say("taken 3")
    for talk in watching:
        talk.line(lambda said: tables(said)["Friday"]["taken"] == 3, seconds=SOON_SECONDS)
    assert friday.end() == 0
    for talk in watching:
        talk.line(lambda said: tables(said) == {}, seconds=SOON_SECONDS)


def test_a_table_that_was_there_before_is_found_soon(lab: Lab) -> None:
    assert lab.run(1, "ip", "route", "show", "default").stdout == ""
    announcing(lab, 0, "Friday")
    talk = browsing(lab, 1)
    talk.line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)


def test_tables_are_asked_for_both_ways_at_once(lab: Lab) -> None:
    """An answer to one laptop alone is lost where two programs share the port."""
    asked = lab.run(1, sys.executable, "-m", "tests.lan.asking")
    assert sorted(json.loads(asked.stdout)) == [False, True], asked.stderr


def test_several_tables_and_several_on_one_machine(lab: Lab) -> None:
    for machine, name in ((0, "Friday"), (0, "Saturday"), (2, "Sunday")):
        announcing(lab, machine, name)
    seen = browsing(lab, 1).line(lambda said: len(tables(said)) == 3)
    assert list(tables(seen)) == ["Friday", "Saturday", "Sunday"]
    assert tables(seen)["Sunday"]["addresses"] == [f"{lab.address(2)}:4000"]


def test_operators_on_one_machine_see_each_other(lab: Lab) -> None:
    announcing(lab, 0, "Friday")
    browsing(lab, 0).line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)


def test_any_browser_sees_the_service_and_its_text(lab: Lab) -> None:
    announcing(lab, 0, "Friday")
    seen = json.loads(lab.run(1, sys.executable, "-m", "tests.lan.stranger", "5").stdout)
    assert seen["port"] == 4000
    assert seen["addresses"] == [lab.address(0)]
    assert seen["txt"]["n"] == "Friday"
    assert seen["txt"]["p"] == "1/4"
    assert seen["txt_bytes"] < 400
    # Random labels: no person and no machine can be read off them.
    assert re.fullmatch(r"c-[0-9a-f]{8}\._citadels\._tcp\.local\.", seen["name"])
    assert re.fullmatch(r"c-[0-9a-f]{8}\.local\.", seen["server"])


def test_a_table_follows_its_machine_to_another_address(lab: Lab) -> None:
    friday = announcing(lab, 0, "Friday")
    talk = browsing(lab, 1)
    talk.line(lambda said: "Friday" in tables(said))
    lab.readdress(0, "10.77.0.99")
    try:
        # The old one may be tried after it until its time runs out.
        talk.line(
            lambda said: addresses(said, "Friday")[:1] == ["10.77.0.99:4000"],
            seconds=SOON_SECONDS,
        )
    finally:
        lab.readdress(0, lab.address(0))
    friday.end()


def test_a_table_comes_back_with_an_adapter_that_was_plugged_in_again(lab: Lab) -> None:
    announcing(lab, 0, "Friday")
    lab.unplug(0)
    lab.plug(0)
    browsing(lab, 1).line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)


def test_a_browser_without_a_cable_finds_the_table_when_it_is_mended(lab: Lab) -> None:
    announcing(lab, 0, "Friday")
    lab.cut(1)
    try:
        talk = browsing(lab, 1)
        assert tables(talk.said[-1]) == {}
    finally:
        lab.mend(1)
    talk.line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)


HOSTILE = """
import random, socket, sys, time
from zeroconf import DNSOutgoing, DNSPointer, DNSService, DNSText, DNSAddress, ServiceInfo
chance = random.Random(3)
TYPE = "_citadels._tcp.local."
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
send = lambda data: s.sendto(data, ("224.0.0.251", 5353))
for n in range(400):
    send(chance.randbytes(chance.randint(0, 400)))
for n in range(600):
    out = DNSOutgoing(0x8400)
    label = chance.choice(["\\x1b[2J\\x07", "c-%d" % n, "\\u202eevil", "x" * 63])
    name = label + "." + TYPE
    text = chance.randbytes(chance.randint(0, 200))
    out.add_answer_at_time(DNSPointer(TYPE, 12, 1, 120, name), 0)
    out.add_answer_at_time(DNSService(name, 33, 1, 120, 0, 0, n, "h%d.local." % n), 0)
    out.add_answer_at_time(DNSText(name, 16, 1, 120, text), 0)
    out.add_answer_at_time(DNSAddress("h%d.local." % n, 1, 1, 120, chance.randbytes(4)), 0)
    for packet in out.packets():
        send(packet)
for n in range(2000):
    out = DNSOutgoing(0x8400)
    out.add_answer_at_time(DNSPointer(TYPE, 12, 1, 120, "ghost-%d.%s" % (n, TYPE)), 0)
    for packet in out.packets():
        send(packet)
    if n % 20 == 0:
        time.sleep(0.001)
print("sent")
"""


def test_hostile_packets_neither_end_the_search_nor_reach_the_screen(lab: Lab) -> None:
    talk = browsing(lab, 1)
    sent = lab.run(2, sys.executable, "-c", HOSTILE, lab.address(2))
    assert sent.stdout.strip() == "sent", sent.stderr
    announcing(lab, 0, "Friday")
    seen = talk.line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)
    assert "\x1b" not in seen
    assert talk.process.poll() is None


def test_an_interface_that_is_not_there_is_refused(lab: Lab) -> None:
    ended = lab.run(0, sys.executable, "-m", "tests.lan.announce", "Friday", "wlan9")
    assert "no_interface" in ended.stderr or "wlan9" in ended.stderr
    assert ended.returncode == 1


def test_several_networks_at_once_and_narrowed_to_one() -> None:
    """Machine 0 is on both networks, 1 on the first, 2 on the second."""
    with Lab(machines=3, networks=2, plugged={0: (0, 1), 1: (0, 2)}) as lab:
        watching = [browsing(lab, 1), browsing(lab, 2)]
        friday = announcing(lab, 0, "Friday")
        for network, talk in enumerate(watching):
            seen = talk.line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS)
            near = f"{lab.address(0, network)}:4000"
            assert addresses(seen, "Friday")[0] == near
            assert len(addresses(seen, "Friday")) == 2
        friday.end()
        announcing(lab, 0, "Saturday", "wlan1")
        line = watching[1].line(lambda said: "Saturday" in tables(said), seconds=SOON_SECONDS)
        assert addresses(line, "Saturday") == [f"{lab.address(0, 1)}:4000"]
        with pytest.raises(AssertionError):
            watching[0].line(lambda said: "Saturday" in tables(said), seconds=1.0)


def test_a_machine_with_loopback_alone_finds_its_own_tables() -> None:
    with Lab(machines=1, networks=0) as lab:
        announcing(lab, 0, "Friday")
        talk = browsing(lab, 0)
        seen = tables(talk.line(lambda said: "Friday" in tables(said), seconds=SOON_SECONDS))
        assert seen["Friday"]["addresses"] == ["127.0.0.1:4000"]


def test_the_lab_leaves_nothing_behind() -> None:
    with Lab(machines=1) as lab:
        tag = lab.tag
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    assert tag + "-" not in listed.stdout
