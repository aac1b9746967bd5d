"""What any DNS-SD browser sees of the tables, with the library alone: `stranger.py SECONDS`."""

from __future__ import annotations

import json
import queue
import sys

from zeroconf import ServiceBrowser, ServiceStateChange, Zeroconf


def main(seconds: float) -> None:
    names: queue.Queue[str] = queue.Queue()

    def heard(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        names.put(name)

    with Zeroconf() as zeroconf:
        ServiceBrowser(zeroconf, "_citadels._tcp.local.", handlers=[heard])
        name = names.get(timeout=seconds)
        service = zeroconf.get_service_info("_citadels._tcp.local.", name)
        assert service is not None
        seen = {
            "name": service.name,
            "server": service.server,
            "port": service.port,
            "addresses": service.parsed_addresses(),
            "txt": {
                key.decode(): (value or b"").decode()
                for key, value in service.properties.items()
            },
            "txt_bytes": len(service.text),
        }
    print(json.dumps(seen), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]))
