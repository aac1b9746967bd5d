"""What `citadels doctor` has found, and what to do about it."""

from __future__ import annotations

from cli.i18n import N_, NN_, Message, _, counted, phrase
from cli.text.scene import clean
from protocol.tools.findings import Finding

CHECKS: dict[str, str] = {
    "network": N_("Networks"),
    "multicast": N_("Finding tables"),
    "ports": N_("Connections"),
    "firewall": N_("Firewall"),
    "libraries": N_("Cryptography"),
    "disk": N_("Your files"),
    "matches": N_("Saved matches"),
    "memory": N_("Memory"),
    "terminal": N_("Terminal"),
    "clock": N_("Clock"),
}

#: code → what was found
FOUND: dict[str, Message] = {
    "interface": N_("{interface}: {addresses}"),
    "inside_only": N_(
        "{interface} leads only to containers or virtual machines; tables leave it out."
    ),
    "private_network": N_("{interface} is a private network (VPN): {addresses}"),
    "no_network": N_("This laptop is on no network."),
    "bare_network": N_(
        "Nobody gives out addresses here; laptops on this cable, switch or Wi-Fi find each "
        "other by those that they have of themselves."
    ),
    "bare_beside": N_(
        "Nobody gives out addresses on {interface}; laptops on that cable, switch or Wi-Fi "
        "find each other by those that they have of themselves."
    ),
    "no_interface": N_("There is no network interface {interface}."),
    "multicast_heard": N_("{interface}: what this laptop announces comes back to it."),
    "multicast_lost": N_("{interface}: what this laptop announces does not come back to it."),
    "local_network": N_("{interface}: macOS keeps this program from the local network."),
    "no_multicast": N_("{interface}: nothing can be announced there."),
    "mdns_busy": N_("{interface}: another program keeps port 5353 to itself."),
    "usual_port_free": N_("Port {port} is free, so an address alone is enough to join."),
    "usual_port_busy": N_("Port {port} is taken, perhaps by another table on this laptop."),
    "no_address": N_("Nothing can be opened on this laptop."),
    "no_tls": N_("The TLS library on this machine is too old."),
    "reachable": N_("A table on this laptop answers at {address}."),
    "not_reachable": N_("A table on this laptop does not answer at {address}."),
    "firewall_none": N_("No firewall was found that is switched on."),
    "firewall_ufw": N_("The firewall ufw is on."),
    "firewall_firewalld": N_("The firewall firewalld is on."),
    "firewall_nft": N_("nftables rules keep some things out."),
    "firewall_macos": N_("The macOS firewall is on."),
    "firewall_macos_all": N_("The macOS firewall blocks all incoming connections."),
    "firewall_windows": N_("The Windows firewall is on."),
    "group_sound": N_("The library refuses forged points, as it must."),
    "old_libsodium": N_("The cryptography library on this machine is too old."),
    "folder_new": N_("{path} is made when it is needed."),
    "folder_writable": N_("{path} can be written; a write takes {ms} ms to reach the disk."),
    "folder_unwritable": N_("{path} cannot be written."),
    "disk_slow": N_("A write to {path} takes {ms} ms to reach the disk."),
    "disk_free": NN_("{megabytes} megabyte is free.", "{megabytes} megabytes are free."),
    "disk_little": NN_(
        "Only {megabytes} megabyte is free.", "Only {megabytes} megabytes are free."
    ),
    "disk_full": NN_(
        "Only {megabytes} megabyte is free.", "Only {megabytes} megabytes are free."
    ),
    "secret_exposed": N_("Others who use this machine can read {path}."),
    "secret_listed": N_("Others who use this machine can read {path}."),
    "match_damaged": N_("{path} is damaged: {why}."),
    "match_unread": N_("{path} could not be read: {why}."),
    "matches_whole": NN_("{count} saved match is whole.", "{count} saved matches are whole."),
    "few_addresses": N_(
        "A program may use {megabytes} MB of addresses here (ulimit -v), and may end without a "
        "word."
    ),
    "no_terminal": N_("The output goes to a file or a program, not to a terminal."),
    "terminal_roomy": N_("{columns} by {rows}: the whole table fits."),
    "terminal_size": N_("{columns} by {rows}: the table fits in its short form."),
    "terminal_small": N_("{columns} by {rows} is too small for the full screen."),
    "terminal_dumb": N_("The terminal does not say what it can do (TERM)."),
    "colours_unwanted": N_("Colours are off (NO_COLOR)."),
    "colours_many": N_("It has many colours."),
    "colours_few": N_("It has a few colours."),
    "letters_all": N_("It shows all letters ({encoding})."),
    "letters_few": N_("It cannot show all letters ({encoding})."),
    "widths_right": N_("Its letters are as wide as they should be."),
    "widths_wrong": N_("It draws some letters wider or narrower than they should be."),
    "clock_plausible": N_("It is {now}, which may well be right."),
    "clock_behind": N_("It is {now} here, but a file is from {newest}."),
}

#: what a Mac wants, from macOS 15 on
LOCAL_NETWORK = N_(
    "On a Mac: System Settings, Privacy & Security, Local Network, and allow your terminal "
    "program there; then start that program again."
)

#: code → what to do; only for what is not as it should be
ADVICE: dict[str, str] = {
    "private_network": N_(
        "If tables are not found, switch the VPN off, or name the network with --interface."
    ),
    "no_network": N_(
        "Join a network: any Wi-Fi, a cable between two laptops, or a phone's hotspot."
    ),
    "no_interface": N_("Choose one that is listed without --interface."),
    "multicast_lost": N_(
        "Let UDP port 5353 in and out in the firewall. Until then others join by the address "
        "or the join code that the host shows."
    ),
    "local_network": LOCAL_NETWORK,
    "no_multicast": N_("Others join by the address or the join code that the host shows."),
    "mdns_busy": N_("End that program, or join by the address that the host shows."),
    "usual_port_busy": N_("A table takes any free port then; others need the whole join code."),
    "no_address": N_("Restart the laptop's network, then try again."),
    "no_tls": N_("Install a newer Python, 3.11 or later, with OpenSSL 1.1.1 or later."),
    "not_reachable": N_("Let the program in, in the firewall, or name a network: --interface."),
    "firewall_ufw": N_(
        "If others cannot join: sudo ufw allow 5353/udp; sudo ufw allow 24482/tcp"
    ),
    "firewall_firewalld": N_(
        "If others cannot join: sudo firewall-cmd --add-service=mdns --add-port=24482/tcp"
    ),
    "firewall_nft": N_("If others cannot join: let in UDP port 5353 and TCP port 24482."),
    "firewall_macos": N_(
        "If others cannot join: System Settings, Network, Firewall, and allow Python."
    ),
    "firewall_macos_all": N_(
        "Nobody can join a table here: System Settings, Network, Firewall, Options, and untick "
        "“Block all incoming connections”."
    ),
    "firewall_windows": N_(
        "If others cannot join: allow Python in private and in public networks when Windows "
        "asks, or type as administrator: netsh advfirewall firewall add rule name=Citadels "
        'dir=in action=allow program="{program}"'
    ),
    "old_libsodium": N_("Install PyNaCl anew: pip install --upgrade PyNaCl"),
    "folder_unwritable": N_("Give yourself the right to write there, or set CITADELS_HOME."),
    "disk_slow": N_("Keep CITADELS_HOME on a disk of this laptop, not on a network's."),
    "disk_little": N_("A match needs up to ten megabytes: make room before long."),
    "disk_full": N_("A match needs up to ten megabytes: make room before you play."),
    "secret_exposed": N_("Take that right away: chmod 600, and 700 for the folder."),
    "secret_listed": N_("Take that right away: the folder's Properties, Security, Advanced."),
    "match_damaged": N_("`citadels verify` says where. Another player's copy may be whole."),
    "match_unread": N_("Check that the file is there and yours."),
    "few_addresses": N_("Type ulimit -v unlimited, or start from another shell."),
    "terminal_small": N_("Make the window larger, or play with --ui plain."),
    "terminal_dumb": N_("Play with --ui plain, or set TERM."),
    "letters_few": N_("Set a UTF-8 locale, or play with --ascii."),
    "widths_wrong": N_("Let the terminal treat ambiguous letters as narrow, or use --ascii."),
    "clock_behind": N_("Set the laptop's clock."),
}


def found(finding: Finding) -> str:
    """What was found, in one sentence."""
    sentence = FOUND.get(finding.code, finding.code)
    if finding.code == "matches_whole" and not finding.fields["count"]:
        return _("There is no saved match on this laptop yet.")
    return phrase(sentence, _words(finding))


def advice(finding: Finding) -> str:
    """What to do about it; empty where nothing has to be done."""
    if finding.code not in ADVICE:
        return ""
    return phrase(ADVICE[finding.code], _words(finding))


def _words(finding: Finding) -> dict[str, object]:
    fields = finding.fields.items()
    return {name: clean(one, 160) if isinstance(one, str) else one for name, one in fields}


def check_name(check: str) -> str:
    """The heading of a group of findings."""
    return _(CHECKS[check])


def summary(findings: list[Finding]) -> str:
    """The last line of the report: whether a table can be played at."""
    bad = sum(finding.verdict == "bad" for finding in findings)
    doubtful = sum(finding.verdict == "warn" for finding in findings)
    if bad:
        return counted(
            "{count} thing keeps you from playing.",
            "{count} things keep you from playing.",
            count=bad,
        )
    if doubtful:
        return counted(
            "You can play. {count} thing may be in the way.",
            "You can play. {count} things may be in the way.",
            count=doubtful,
        )
    return _("All is well: you can play.")
