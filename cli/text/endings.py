"""Sentences for why a session ended, or never began, by its code."""

from __future__ import annotations

from cli.i18n import N_

#: why it ended, or never began
ENDINGS: dict[str, str] = {
    # nobody
    "not_found": N_("No such table is nearby; `citadels tables` lists those that are."),
    "web_address": N_(
        "That is the address of a page for a browser. A table has a name, a number or a join "
        "code."
    ),
    "bad_port": N_("A port is a number from 1 to 65535: what stands behind the colon is none."),
    "bad_address": N_(
        "That is no address. One is 192.168.1.20, say; the join code on the host's screen "
        "begins with it."
    ),
    "cut_code": N_(
        "A join code ends in sixteen letters, in four groups; this one has more or fewer."
    ),
    "code_letters": N_(
        "A join code ends in letters from A to Z and digits from 2 to 7; this one has others. "
        "What looks like 0, 1 or 8 is O, I or B."
    ),
    "none_suits": N_(
        "No table nearby has a place for you now; `citadels tables` lists them all."
    ),
    "tables_unwritable": N_(
        "This list cannot be kept on this disk: choose a table by its fingerprint or code."
    ),
    "nothing_unfinished": N_(
        "No such unfinished match is on this laptop; `citadels` alone lists them."
    ),
    "none_unfinished": N_("There is no unfinished match on this laptop."),
    "record_unreadable": N_("This record does not hold: something in it cannot be."),
    "nothing_saved": N_(
        "No such saved match is on this laptop; `citadels history` lists them."
    ),
    "none_saved": N_("There is no saved match on this laptop yet."),
    "nothing_to_share": N_(
        "This program was not installed from wheels: it cannot be passed on."
    ),
    "nothing_to_tell": N_("Nothing had happened yet in this match."),
    "story_unfinished": N_("The match was not played to its end."),
    "several": N_("Several tables are meant. Choose one by its number or its fingerprint."),
    "no_address": N_("There is no network to use."),
    "only_link_local": N_(
        "This network has link-local addresses of IPv6 alone, which no browser opens. Give "
        "both laptops an IPv4 address: on Linux set IPv4 to Link-Local Only in the network "
        "settings; Windows and macOS do so by themselves."
    ),
    "no_host": N_("The host of that table does not answer."),
    "no_beginning": N_("The match has not begun there after all. Ask for a seat again."),
    "no_route": N_("There is no way to that address from this network."),
    "unknown_host": N_("There is no machine of that name."),
    "refused": N_("Nothing listens at that address."),
    "not_citadels": N_("What answers at that address is something else."),
    "closed": N_("The table is closed."),
    "crowded": N_("Too many ask at that table at once. Try again in a moment."),
    "stopped": N_("Something is wrong with the match. It has shown nothing that proves it."),
    "false_words": N_(
        "The host passed on words that their speaker had never said. You have left its table."
    ),
    "timeout": N_(
        "The other side took too long to answer. Is the address right, and are both "
        "laptops on one network? `citadels doctor` checks."
    ),
    "too_slow": N_("The other side is too slow."),
    # no
    "version": N_("The other side speaks another version of the game: update both."),
    "impostor": N_("The machine that answers is not the one you named."),
    "match_over": N_("That match is over."),
    # a peer's fault
    "cheat": N_("{name} broke the rules of the table. The evidence is in the match file."),
    "broke": N_("{name} broke the rules of the table, so you have left it."),
    "remote": N_("Another laptop broke the rules of the table."),
    "malformed": N_("Another laptop sent something that is no message."),
    "excessive": N_("Another laptop sent too much."),
    "seatless": N_(
        "The table has a laptop at which nobody sits. It could help to read your cards, so "
        "this laptop does not play there."
    ),
    "signature": N_("A signature does not hold."),
    "proof": N_("A proof about the cards does not hold."),
    "illegal": N_("Another laptop broke the rules of the game."),
    "equivocation": N_("Another laptop told two different stories."),
    "diverged": N_("The laptops disagree. Both histories are saved."),
    # left
    "unfinished": N_("The match is not over. It is saved: `citadels resume` goes on with it."),
    "left": N_("You have left the table."),
    "turned_back": N_("You turned back before the table was open."),
    "finished": N_("The match is over."),
    # this laptop
    "identity_unreadable": N_("Your identity file cannot be read."),
    "identity_unwritable": N_("Your identity file cannot be written."),
    "identity_damaged": N_("Your identity file is damaged."),
    "identity_other": N_(
        "Another identity lives here already. Set CITADELS_HOME to an empty place for this one."
    ),
    "luggage_exists": N_("There is a file of that name already; choose another name."),
    "luggage_unwritable": N_("The file cannot be written."),
    "luggage_unreadable": N_("The file cannot be read."),
    "luggage_damaged": N_("That is no file from citadels whoami --export, or it is damaged."),
    "luggage_password": N_("That is not the password of this file."),
    "acquaintances_unreadable": N_("The list of people you met cannot be read."),
    "acquaintances_unwritable": N_("The list of people you met cannot be written."),
    "acquaintances_damaged": N_("The list of people you met is damaged."),
    "journal_unreadable": N_("The match file cannot be read."),
    "journal_unwritable": N_("The match file cannot be written."),
    "journal_busy": N_("Another program of yours plays this match."),
    "journal_damaged": N_(
        "The newest match file is damaged, and this laptop cannot play on from it. "
        "`citadels verify` says what in it still holds; another match is resumed by its name."
    ),
    "journal_version": N_(
        "This match was saved by another version of the program, and this one cannot read it. "
        "The version that it was played with can."
    ),
    "journal_malformed": N_("This file is no saved match, or it is damaged."),
    "journal_full": N_(
        "The match file is full: far more was said than a match needs, and it cannot be gone "
        "on with."
    ),
    "journal_incomplete": N_("The match file lacks entries."),
    "certificate": N_("What the file shows of a majority's confirmation does not hold."),
    "secrets_damaged": N_(
        "The file with your laptop's secrets of that match is damaged or not the newest one, "
        "and nobody else holds your share key, or not yet. Put the right one back, from a "
        "backup or from citadels whoami --export. If there is none, the match is over for "
        "this laptop, and the others can go on without you."
    ),
    "secrets_lost": N_(
        "The file with your laptop's secrets of that match is gone, and nobody else holds "
        "your share key, or not yet. Put it back from a backup or from citadels whoami "
        "--export. If there is none, the match is over for this laptop, and the others can go "
        "on without you."
    ),
    "other_identity": N_("The match file belongs to another identity."),
    "elsewhere": N_(
        "Another program with your key has taken this match over, and this one has stopped. "
        "Nothing is lost."
    ),
    "differs": N_(
        "This laptop came to another state of the game than the majority. The match is kept: "
        "`citadels resume` works it out again from what the others have."
    ),
    "outbox_lost": N_("What this laptop said in the match is lost from its disk."),
    "disk_full": N_(
        "The disk is full. Make room, then start again: a match that has begun goes on with "
        "`citadels resume`, or, where nothing of it is saved yet, with `citadels join`."
    ),
    "disk_read_only": N_(
        "The disk can only be read. Once it can be written to, start again: a match that has "
        "begun goes on with `citadels resume`, or, where nothing of it is saved yet, with "
        "`citadels join`."
    ),
    "no_memory": N_(
        "This laptop has no memory left. Close other programs, then start again: a match that "
        "has begun goes on with `citadels resume`."
    ),
    "port_busy": N_("That port is taken; choose another with --port."),
    "bot_command": N_("The program given with --bot-command does not start."),
    "no_interface": N_("There is no such network interface."),
    "mdns_busy": N_("Another program keeps this one from looking for tables."),
    "no_tls": N_("The TLS library on this machine is too old."),
    "old_libsodium": N_("The cryptography library on this machine is too old."),
    "bug": N_("This is a fault in the program, not yours."),
}
