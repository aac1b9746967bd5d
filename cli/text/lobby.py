"""The lobby in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from citadels_p2p.match import Holders, TableNews, TableSeat
from citadels_p2p.rules import Rules
from citadels_p2p.rules.view import View
from cli.i18n import NN_, _, counted, phrase
from cli.text import cards, doubts
from cli.text.declined import Person
from cli.text.game import chosen, differences, waits
from cli.text.scene import called, listing, shown
from cli.text.spoken import told
from protocol.identity.names import MAX_CHAT

#: seconds without a word after which a laptop usually counts as away
USUALLY_AWAY = 20
#: further join codes that are shown: most laptops have adapters that lead to nobody
OTHER_CODES = 2


def sharing(news: TableNews) -> tuple[int, ...]:
    """The seats of those who share this laptop; () where it has one person or none."""
    seats = yours(news)
    return seats if len(seats) > 1 else ()


def in_front(news: TableNews, seat: int | None) -> TableNews:
    """The table as whoever sits before a shared laptop is shown it; None: nobody does."""
    return replace(news, you=seat, between=seat is None)


def yours(news: TableNews) -> tuple[int, ...]:
    """The seats of whoever sits at this laptop."""
    if news.you is None:
        return ()
    return _persons(news, news.seats[news.you].operator) or (news.you,)


def _persons(news: TableNews, laptop: int | None) -> tuple[int, ...]:
    """Who sits at this laptop; () where that is not known, as in a replay."""
    if laptop is None:
        return ()
    return tuple(x.seat for x in news.seats if x.kind == "human" and x.operator == laptop)


def together(news: TableNews) -> tuple[str, ...]:
    """Who sits with whom at one laptop, and which has nobody; and what that means."""
    laptops = dict.fromkeys(seat.operator for seat in news.seats if seat.kind == "human")
    shared = [seats for laptop in laptops if len(seats := _persons(news, laptop)) > 1]
    lines = [
        _("{names} sit at one laptop, whose program knows all their hands.").format(
            names=listing([called(news.seats[seat].name) for seat in seats])
        )
        for seats in shared
    ]
    return (*lines, *carried(news))


def carried(news: TableNews) -> tuple[str, ...]:
    """That a laptop counts at which nobody sits."""
    if not news.carrier:
        return ()
    line = _("{name} holds this table without a seat, and that laptop counts like the others.")
    return (line.format(name=called(news.carrier)),)


def lobby_seat(seat: TableSeat, you: Collection[int]) -> str:
    """One seat of the lobby; `you`: the seats of whoever sits at this laptop."""
    if seat.kind == "open":
        return _("Seat {number} is open.").format(number=seat.seat + 1)
    name = called(seat.name)
    if seat.suspected:
        name = f"{name} ({doubts.mark(seat.suspected)})"
    if seat.kind == "bot":
        if seat.level:
            return _("Seat {number}: {name}, a bot ({level}).").format(
                number=seat.seat + 1, name=name, level=cards.level(seat.level)
            )
        return _("Seat {number}: {name}, a bot.").format(number=seat.seat + 1, name=name)
    if seat.seat in you and seat.ready and seat.operator != 0:
        line = _("Seat {number}: {name}, that is you, ready.")
    elif seat.seat in you:
        line = _("Seat {number}: {name}, that is you.")
    elif seat.ready:
        line = _("Seat {number}: {name}, ready.")
    else:
        line = _("Seat {number}: {name}.")
    return line.format(number=seat.seat + 1, name=name)


def lobby(news: TableNews) -> tuple[str, ...]:
    edition = cards.edition(news.edition)
    if is_practice(news):
        head = _("A practice game, edition {edition}.").format(edition=edition)
    elif not news.address:
        head = _("A saved match of the table “{table}”, edition {edition}.").format(
            table=shown(news.name, 60), edition=edition
        )
    else:
        head = _("Table “{table}”, edition {edition}, host {host}.").format(
            table=shown(news.name, 60), edition=edition, host=called(news.host)
        )
    seats = (lobby_seat(seat, yours(news)) for seat in news.seats)
    game = proposed(news, but=("edition", "seats"))
    return (head, *game, *seats, *together(news), *audience(news), *patience(news))


def proposed(news: TableNews, but: Collection[str] = ()) -> tuple[str, ...]:
    """The game that is proposed, an option a line; those in `but` are left out."""
    return chosen(Rules.from_options(news.options), but)


def giving_up(news: TableNews | None) -> str:
    """What it means to give our seat up for good, said before it is confirmed."""
    agreed = None if news is None else news.patience
    if news is None or agreed is None or agreed.laptops != 2:
        return _(
            "The others play on without you, and your cards stay sealed. You may look on,"
            " but this seat is never yours again. Of the last two, who gives up ends the match."
        )
    ours = next((one.operator for one in news.seats if one.seat == news.you), None)
    if sum(one.operator not in (None, ours) for one in news.seats) > 1:
        return _("The other one plays on with bots, and your seat comes last for good.")
    return _(
        "You are two: the match ends here as resigned, with the score as it stands, and your"
        " seat comes last."
    )


def coached() -> str:
    """That whoever is new will be told everything."""
    return _("Every step of the match will be explained to you.")


def patience(news: TableNews) -> tuple[str, ...]:
    """How long the table waits, and how many laptops its secrets rest on."""
    agreed = news.patience
    if agreed is None or agreed.laptops < 2:
        return ()
    lines = []
    if agreed.step_time:
        line = counted(
            "A decision takes {count} second at most; then chance decides.",
            "A decision takes {count} seconds at most; then chance decides.",
            count=agreed.step_time,
        )
        lines.append(line)
    if agreed.away != USUALLY_AWAY:
        line = counted(
            "Who is silent for {count} second counts as away.",
            "Who is silent for {count} seconds counts as away.",
            count=agreed.away,
        )
        lines.append(line)
    spare = None if agreed.needed is None else agreed.laptops - agreed.needed
    lines += trusted(news) or (_goes_on(spare),)
    if agreed.give_up and spare is not None:
        line = counted(
            "Who is away for {count} second loses the seat for good.",
            "Who is away for {count} seconds loses the seat for good.",
            count=agreed.give_up,
        )
        lines.append(line)
    return tuple(lines)


def trusted(news: TableNews) -> tuple[str, ...]:
    """Who could open your hand, by name, and how many may go away."""
    trust = news.trust
    if trust is None:
        return ()
    lines = [_holders(news, one) for one in trust.holders]
    lines = lines or [_("Nobody but you can open your hand.")]
    return (*lines, _goes_on(None if trust.branching is None else trust.spare))


def _goes_on(spare: int | None) -> str:
    """How many laptops may go away; None: each of them is waited for."""
    if spare is None:
        return _("While a laptop is missing, the game waits.")
    return counted(
        "If {count} laptop goes away, the game goes on.",
        "If {count} laptops go away, the game goes on.",
        count=spare,
    )


def branched(news: TableNews) -> tuple[str, ...]:
    """Who could play on twice: another number, and no secret of the cards."""
    count = None if news.trust is None else news.trust.branching
    if count is None:
        return ()
    line = counted(
        "Who commands the network with {count} laptop can play on twice, unseen.",
        "Who commands the network with {count} laptops can play on twice, unseen.",
        count=count,
    )
    return (line, _("That opens no card; it shows what a second evening would."))


def _holders(news: TableNews, held: Holders) -> str:
    """Laptops by who sits there first; at the host's there may be nobody."""
    seats = [_persons(news, laptop) for laptop in held.laptops]
    names = listing(
        [called(news.seats[some[0]].name if some else news.carrier) for some in seats]
    )
    if len(seats) == held.needed:
        return _("{names} together could open your hand.").format(names=names)
    return _("Any {count} of {names} together could open your hand.").format(
        count=held.needed, names=names
    )


def audience(news: TableNews) -> tuple[str, ...]:
    """Whether and how many others look on."""
    if news.watching is None:
        return ()
    if not news.watching:
        return (_("Spectators are welcome; nobody watches yet."),)
    line = NN_("{count} spectator watches now.", "{count} spectators watch now.")
    return (phrase(line, {"count": news.watching}),)


def changes(before: TableNews, after: TableNews) -> tuple[str, ...]:
    """What has changed at the table since `before`, and what the reader may do about it."""
    lines = [
        lobby_seat(seat, yours(after))
        for seat in after.seats
        if seat not in before.seats or after.you != before.you
    ]
    lines += [line for line in together(after) if line not in together(before)]
    others = waits(before.patience, after.patience)
    if before.options != after.options or before.edition != after.edition or others:
        if after.hosting:
            lines.append(_("You propose another game:"))
        else:
            lines.append(_("The host proposes another game; it needs your ready once more:"))
        lines += differences(
            Rules.from_options(before.options), Rules.from_options(after.options)
        )
        lines += others
    elif why := fallen(before, after):
        lines.append(why)
    if before.watching != after.watching:
        lines += audience(after)
    if after.sent_away and after.sent_away != before.sent_away:
        lines.append(_("{what}: type readmit.").format(what=readmission(after)))
    gone = (after.host_gone, after.invited_by)
    if any(gone) and gone != (before.host_gone, before.invited_by):
        lines.append(_reopening(after))
    completed = is_complete(after) and not is_complete(before)
    moved = after.hosting and _codes(before) != _codes(after)
    if completed or (moved and not is_complete(after)):
        lines += advice(after)
    elif after.hosting and may_start(after) and not may_start(before):
        lines.append(_("All are ready: the host may begin (start)."))
    return tuple(lines)


def fallen(before: TableNews, after: TableNews) -> str:
    """Why a guest has to agree once more; "" where its word holds, or it took that back."""
    if before.you is None or not before.seats[before.you].ready:
        return ""
    if after.you is None or after.seats[after.you].ready or _unsaid(before) == _unsaid(after):
        return ""
    then, now = ({x.name for x in one.seats if x.kind != "open"} for one in (before, after))
    again = _("Say once more that you are ready.")
    if came := [called(one.name) for one in after.seats if one.name in now - then]:
        return _("New here: {names}. {again}").format(names=listing(came), again=again)
    if gone := [called(one.name) for one in before.seats if one.name in then - now]:
        return _("Gone: {names}. {again}").format(names=listing(gone), again=again)
    return _("The table is another one now. {again}").format(again=again)


def _unsaid(news: TableNews) -> TableNews:
    """The table, whoever is ready."""
    return replace(news, seats=tuple(replace(seat, ready=False) for seat in news.seats))


def standing(news: TableNews) -> tuple[str, ...]:
    """What a page of the table shows by itself, with what is typed in plain lines alone."""
    return (*advice(news), *together(news), *audience(news), _reopening(news))


def _reopening(news: TableNews) -> str:
    return _("{why} Type reopen.").format(why=forsaken(news))


def readmission(news: TableNews) -> str:
    """What lets in again whoever was sent away; '' where nobody was."""
    names = listing([called(name) for name in news.sent_away])
    return _("Let {names} in again").format(names=names) if names else ""


def is_complete(news: TableNews) -> bool:
    """Whether every seat is taken."""
    return all(seat.kind != "open" for seat in news.seats)


def may_start(news: TableNews) -> bool:
    """Whether every seat is taken and every guest has agreed."""
    guests = [seat for seat in news.seats if seat.kind == "human" and seat.operator != 0]
    return is_complete(news) and all(seat.ready for seat in guests)


def is_alone(news: TableNews) -> bool:
    """Whether the host's laptop is on no network: then its address leads nobody to it."""
    return news.address.startswith(("127.", "[::1]"))


def alone() -> str:
    """What a host is told instead of the ways to its table."""
    return _("This table is on no network: nobody at another laptop can sit down.")


def advice(news: TableNews) -> tuple[str, ...]:
    """What the reader may do next."""
    if not news.address:
        return ()
    if news.hosting:
        if may_start(news):
            return (_("All are ready: the host may begin (start)."),)
        if is_complete(news):
            return (_("Every seat is taken. When all are ready, the host may begin (start)."),)
        if is_alone(news):
            return (alone(),)
        address = news.code or news.address
        return (
            _("Others on this network type: citadels join"),
            _("If that finds nothing: citadels join {code}").format(code=address),
            *elsewhere(news),
            *aloud(news),
            no_citadels_yet(),
        )
    if news.spectator:
        return (_("You watch this table. The match is told as soon as it begins."),)
    if news.you is not None:
        return (_("Type ready when you agree to this table. The host begins."),)
    return ()


def _codes(news: TableNews) -> tuple[object, ...]:
    return news.code, news.other_codes, news.spoken


def elsewhere(news: TableNews) -> tuple[str, ...]:
    """The join codes on other networks of the host's laptop: a cable beside a Wi-Fi, say."""
    others = news.other_codes[:OTHER_CODES] if news.hosting else ()
    way = _("On another cable or network of this laptop: citadels join {code}")
    return tuple(way.format(code=code) for code in others)


def aloud(news: TableNews) -> tuple[str, ...]:
    """What a host may say instead of the join code."""
    if news.spoken is None:
        return ()
    return (_("Or, to be said aloud: citadels join {code}").format(code=told(news.spoken)),)


def ways_in(news: TableNews | None) -> tuple[str, ...]:
    """How others come to this table where the network does not show it."""
    if news is None or not news.code:
        return (_("There is no table yet."),)
    if is_alone(news):
        return (alone(),)
    code = _("The join code: citadels join {code}").format(code=news.code)
    if news.spoken is None:
        return (code, *elsewhere(news))
    warning = _(
        "Say the join words only to those who are to come: whoever knows them can pass for "
        "the host. The join code cannot be misused."
    )
    return (code, *elsewhere(news), *aloud(news), warning)


def joins(news: TableNews) -> tuple[str, str, tuple[str, ...]]:
    """For a room that looks on: what to type, its words to be read from afar, other ways."""
    name = shown(news.name, 40)
    words = told(news.spoken).upper() if news.spoken is not None else name
    typed = told(news.spoken) if news.spoken is not None else _typed(name)
    others = [_("or only citadels, and choose the table from the list")]
    if news.code and news.spoken is None:  # the words find the table by themselves
        others.append(_("If that finds nothing: citadels join {code}").format(code=news.code))
    return f"citadels join {typed}", words, tuple(others)


def _typed(name: str) -> str:
    return f'"{name}"' if " " in name else name


def waited_for(news: TableNews) -> str:
    """Whom a table waits for that has not begun."""
    free = sum(seat.kind == "open" for seat in news.seats)
    late = [
        called(seat.name)
        for seat in news.seats
        if seat.kind == "human" and not seat.ready and seat.operator != 0
    ]
    if late and free:
        return counted(
            "Waiting for {names}, and for {count} more person or bot.",
            "Waiting for {names}, and for {count} more people or bots.",
            count=free,
            names=listing(late),
        )
    if late:
        return _("Waiting for {names}.").format(names=listing(late))
    if free:
        return counted(
            "Waiting for {count} more person or bot.",
            "Waiting for {count} more people or bots.",
            count=free,
        )
    return _("All are ready; {host} may begin the match.").format(host=called(news.host))


def no_citadels_yet() -> str:
    """How a friend gets the program."""
    return _("A friend has no citadels yet? In another terminal: citadels share")


def cut(text: str, most: int = MAX_CHAT) -> tuple[str, ...]:
    """What becomes of words to the table that are too long; () where they are not."""
    if len(text) <= most:
        return ()
    return (_("Only the first {limit} characters are said.").format(limit=most),)


def closing(news: TableNews | None) -> str:
    """What leaving does to the others before the match; '' where nobody else is concerned."""
    if news is None or not news.hosting:
        return ""
    guests = [called(x.name) for x in news.seats if x.kind == "human" and x.operator]
    if not guests:
        return ""
    return _("The table is closed for {names} too.").format(names=listing(guests))


def is_practice(news: TableNews | None) -> bool:
    """Whether it is played among bots alone, so that nothing of it is kept."""
    return news is not None and not news.name


def leaving(news: TableNews | None) -> str:
    """What is asked before a match that goes on is left."""
    if is_practice(news):
        return _("The game is not over, and practice is not kept. Leave it now?")
    return _("The match is not over. It is kept, and you can go on with it. Leave it now?")


def leaving_by_word(news: TableNews | None) -> str:
    """The same, where a word is typed."""
    if is_practice(news):
        return _(
            "The game is not over, and practice is not kept. Type quit once more to leave it."
        )
    return _(
        "The match is not over. It is kept, and you can go on with it. Type quit once more to "
        "leave it."
    )


def forsaken(news: TableNews) -> str:
    """What may be done about a host that is gone."""
    if news.invited_by:
        opened = _("{name} has opened this table again, and you may go there.")
        return opened.format(name=called(news.invited_by))
    return _("The host's laptop is gone. The same table can be opened on yours.")


def where(news: TableNews) -> str:
    """Which table this is."""
    if is_practice(news):
        return _("A practice game")
    if not news.address:
        return _("A saved match of the table “{table}”").format(table=shown(news.name, 40))
    return _("Table “{table}” of {host}").format(
        table=shown(news.name, 40), host=called(news.host)
    )


def bots_seen(news: TableNews) -> tuple[str, ...]:
    """Who could see the hands of bots: whoever's laptop plays them."""
    if not news.address or all(seat.kind != "bot" for seat in news.seats):
        return ()
    return (_("The bots play on the host's laptop: the host could look into their hands."),)


def safety(news: TableNews) -> tuple[str, ...]:
    """The safety words, and what they are for."""
    return (
        _("Safety words: {words}").format(words=" ".join(news.words)),
        _("Read them aloud, never by chat: all must have the same digits, in any language."),
    )


def safety_words(news: TableNews | None) -> tuple[str, ...]:
    """The safety words, or why there are none."""
    if news is not None and news.words:
        return (*safety(news), *together(news), *trusted(news), *branched(news))
    return (_("There are no safety words here yet."),)


def first_words(news: TableNews | None, view: View | None) -> str:
    """The safety words in half a line, while the first characters are chosen; else ""."""
    if news is None or not news.words or view is None:
        return ""
    if (view.round, view.phase) != (1, "selection"):
        return ""
    return _("Safety words, read them aloud: {words}").format(words=" ".join(news.words))


def table_name(host: str) -> str:
    """What a table is called when its host has not said."""
    return _("Table of {name}").format(name=Person(host))
