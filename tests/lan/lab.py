"""A LAN in a box: machines are network namespaces, switches bridges in namespaces of their own.

Nothing in the machine's own network is touched, two labs at once do not meet, and deleting the
namespaces deletes everything. Multicast, cables and addresses are the kernel's real ones; there
is no default route unless somebody adds one.

    with Lab(machines=3) as lab:
        lab.run(0, "ping", "-c1", lab.address(1))
        talk = lab.talk(1, sys.executable, "-m", "tests.lan.browse")
        talk.line(lambda said: "found" in said)
        lab.cut(1)
"""

from __future__ import annotations

import contextlib
import itertools
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parent.parent.parent
_numbers = itertools.count()


def why_not() -> str | None:
    """The reason why no lab can be built here, None if one can."""
    if os.name != "posix" or not hasattr(os, "geteuid"):
        return "network namespaces are a thing of Linux"
    if shutil.which("ip") is None:
        return "the command `ip` is missing (package iproute2)"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"c{os.getpid()}-try"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return tried.stderr.strip() or "namespaces refused" if tried.returncode else None


class Talk:
    """A program in a machine, spoken to by lines; nothing here waits without a deadline."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.said: list[str] = []
        self._rest = b""
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)

    def say(self, line: str) -> None:
        """Write a line to the program."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self, wanted: Callable[[str], bool] = bool, seconds: float = 60.0) -> str:
        """The next line that is `wanted`; `said` keeps all. Fails the test at the deadline."""
        deadline = time.monotonic() + seconds
        for line in self._lines(deadline):
            self.said.append(line)
            if wanted(line):
                return line
        code = self.process.poll()
        raise AssertionError(f"not said within {seconds} s (exit {code}): {self.said}")

    def kill(self) -> None:
        """As a power cut would: no goodbye."""
        self.process.kill()
        self.process.wait(5)

    def pause(self) -> None:
        """The lid is closed."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self, seconds: float = 30.0) -> int:
        """Close the program's input and wait for its exit code."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def _lines(self, deadline: float) -> Iterator[str]:
        stdout = self.process.stdout
        assert stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while True:
                while b"\n" in self._rest:
                    # What is not asked for now is still there next time.
                    line, self._rest = self._rest.split(b"\n", 1)
                    yield line.decode(errors="replace")
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return
                chunk = os.read(stdout.fileno(), 65_536)
                if not chunk:
                    return
                self._rest += chunk


class Lab:
    """`machines` laptops on each of `networks` switches: adapter wlan0 on the first, wlan1 …

    `plugged` says which machines are on which network, if not all are on all. Machine m has the
    addresses 10.(77+n).0.(10+m)/24.
    """

    def __init__(
        self,
        machines: int,
        *,
        networks: int = 1,
        plugged: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        self.tag = f"c{os.getpid()}x{next(_numbers)}"
        self.machines = machines
        self.networks = networks
        self._plugged = {
            network: tuple(plugged[network] if plugged is not None else range(machines))
            for network in range(networks)
        }
        self._talks: list[Talk] = []

    def __enter__(self) -> Lab:
        try:
            self._build()
        except BaseException:
            self._tear_down()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tear_down()

    def machine(self, machine: int) -> str:
        """The name of a machine's namespace."""
        return f"{self.tag}-{machine}"

    def address(self, machine: int, network: int = 0) -> str:
        return f"10.{77 + network}.0.{10 + machine}"

    def command(self, machine: int, *argv: str) -> list[str]:
        """The command line that runs `argv` in a machine."""
        return ["ip", "netns", "exec", self.machine(machine), *argv]

    def run(
        self, machine: int, *argv: str, seconds: float = 60.0
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a machine to its end."""
        return subprocess.run(
            self.command(machine, *argv),
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=ROOT,
            check=False,
        )

    def talk(self, machine: int, *argv: str, env: Mapping[str, str] | None = None) -> Talk:
        """Start a program in a machine; it ends with the lab at the latest."""
        process = subprocess.Popen(
            self.command(machine, *argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        )
        talk = Talk(process)
        self._talks.append(talk)
        return talk

    def end(self) -> None:
        """End every program that still runs; the network stays for the next scene."""
        for talk in self._talks:
            if talk.process.poll() is None:
                talk.process.kill()
            talk.process.wait(5)
            for pipe in (talk.process.stdin, talk.process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._talks.clear()

    def cut(self, machine: int, network: int = 0) -> None:
        """Pull the cable at the switch: the laptop does not notice by itself."""
        self._switch(network, "link", "set", f"p{machine}", "down")

    def mend(self, machine: int, network: int = 0) -> None:
        self._switch(network, "link", "set", f"p{machine}", "up")

    def switch_off(self, machine: int, network: int = 0) -> None:
        """Wi-Fi off at the laptop."""
        self._in(machine, "link", "set", f"wlan{network}", "down")

    def switch_on(self, machine: int, network: int = 0) -> None:
        self._in(machine, "link", "set", f"wlan{network}", "up")

    def readdress(self, machine: int, address: str, network: int = 0) -> None:
        """Another address in the same network, as from a new lease."""
        self._in(machine, "addr", "flush", "dev", f"wlan{network}")
        self._in(machine, "addr", "add", f"{address}/24", "dev", f"wlan{network}")

    def unplug(self, machine: int, network: int = 0) -> None:
        """Take the adapter out altogether."""
        self._in(machine, "link", "del", f"wlan{network}")

    def plug(self, machine: int, network: int = 0) -> None:
        """Put an adapter in, with the machine's usual address."""
        name, adapter = self.machine(machine), f"wlan{network}"
        peer = ("peer", "name", f"p{machine}", "netns", self._bridge(network))
        _ip("-n", name, "link", "add", adapter, "type", "veth", *peer)
        self._switch(network, "link", "set", f"p{machine}", "master", "br0", "up")
        self._in(machine, "addr", "add", f"{self.address(machine, network)}/24", "dev", adapter)
        self._in(machine, "link", "set", adapter, "up")

    def filter(self, *rules: str, network: int = 0) -> None:
        """Replace the faults of a switch: nftables rules, `iifname "p1" oifname "p2" drop`."""
        script = "\n".join(
            [
                "table bridge faults",
                "delete table bridge faults",
                "table bridge faults {",
                "chain cut {",
                "type filter hook forward priority 0; policy accept;",
                *rules,
                "}",
                "}",
            ]
        )
        subprocess.run(
            ["ip", "netns", "exec", self._bridge(network), "nft", "-f", "-"],
            input=script,
            text=True,
            check=True,
            capture_output=True,
        )

    def counted(self, network: int = 0) -> int:
        """Packets that the one counter among the faults of a switch has seen."""
        listing = ("nft", "list", "table", "bridge", "faults")
        told = subprocess.run(
            ["ip", "netns", "exec", self._bridge(network), *listing],
            text=True,
            check=True,
            capture_output=True,
        )
        return int(told.stdout.partition("counter packets ")[2].split()[0])

    def _build(self) -> None:
        for machine in range(self.machines):
            _ip("netns", "add", self.machine(machine))
            self._in(machine, "link", "set", "lo", "up")
        for network in range(self.networks):
            _ip("netns", "add", self._bridge(network))
            # Without this the bridge learns for seconds before it forwards.
            calm = ("stp_state", "0", "forward_delay", "0")
            self._switch(network, "link", "add", "br0", "type", "bridge", *calm)
            self._switch(network, "link", "set", "br0", "up")
            for machine in self._plugged[network]:
                self.plug(machine, network)

    def _tear_down(self) -> None:
        self.end()
        names = [self.machine(machine) for machine in range(self.machines)]
        names += [self._bridge(network) for network in range(self.networks)]
        for name in names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)

    def _bridge(self, network: int) -> str:
        return f"{self.tag}-sw{network}"

    def _in(self, machine: int, *argv: str) -> None:
        _ip("-n", self.machine(machine), *argv)

    def _switch(self, network: int, *argv: str) -> None:
        _ip("-n", self._bridge(network), *argv)


def _ip(*argv: str) -> None:
    done = subprocess.run(["ip", *argv], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"ip {' '.join(argv)}: {done.stderr.strip()}")
