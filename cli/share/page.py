"""The page that a browser shows: for each system the rows to type, and what is here for it.

No script, no picture, nothing from elsewhere. It came over a network on which somebody may lie,
so it holds no code, and nothing that does not stand on the sharer's screen as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from cli import i18n
from cli.i18n import _
from cli.share import lines
from cli.share.offer import File, Offer

SYSTEMS = {"windows": "Windows (PowerShell)", "macos": "macOS", "linux": "Linux"}

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 17px/1.5 system-ui, sans-serif; max-width: 46em; margin: 2em auto;
  padding: 0 1em }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; padding: .8em; border: 1px solid #888;
  border-radius: .4em }}
nav {{ text-align: right }}
strong {{ font-size: 1.1em }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #181818; color: #ddd }}
  a {{ color: #9cf }} }}
</style>
<nav>{languages}</nav>
<h1>{title}</h1>
{body}
</html>
"""


def pages(offer: Offer, base: str) -> Mapping[str, File]:
    """Every page by its path: "/" in the sharer's language, "/fr" in French, and so on."""
    made = {}
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            page = _page(offer, base)
        made[f"/{language}"] = File.of("index.html", page.encode("utf-8"))
    return {"/": made[f"/{i18n.current()}"], **made}


def _page(offer: Offer, base: str) -> str:
    languages = " · ".join(
        f'<a href="/{code}" lang="{code}">{escape(name)}</a>'
        for code, name in i18n.NAMES.items()
    )
    return _PAGE.format(
        language=i18n.current(),
        title=escape(_("Citadels from the laptop beside you")),
        languages=languages,
        body="\n".join(_body(offer, base)),
    )


def _body(offer: Offer, base: str) -> Iterator[str]:
    for said in (
        _(
            "Open a terminal (on Windows: PowerShell) and type the rows for your system from "
            "the screen of whoever shares, with Enter after each. There the code stands in the "
            "place of {place}. That screen is all that you have to trust: somebody on this "
            "network may have changed this page."
        ).format(place=lines.PLACE),
        _(
            "Do not copy from here into a terminal: what is copied may be more than is shown, "
            "and run at once. Paste it into an editor, put the code in, and compare every "
            "letter with that screen."
        ),
        _(
            "If the last row says that there is no such file, nothing was run: a letter "
            "is wrong, or what came is not what is shared. In fish, type sh first."
        ),
        _(
            "Everything goes into the folder citadels in your home folder. Delete that folder, "
            "and it is gone."
        ),
    ):
        yield f"<p>{escape(said)}</p>"
    for system, name in SYSTEMS.items():
        here = offer.here(system)
        yield f"<h2>{escape(name)}</h2>"
        if not here.files:
            nothing = _("That laptop has nothing for this system.")
            yield f"<p>{escape(nothing)}</p>"
            continue
        typed = "\n".join(lines.rows(base)[system])
        yield f"<pre>{escape(typed)}</pre>"
        if here.sets:
            pythons = "; ".join(
                f"{place.removeprefix(f'{system} ')}: {', '.join(of)}"
                for place, of in here.systems.items()
            )
            there = _("With Python ({pythons}).").format(pythons=pythons)
            yield f"<p>{escape(there)}</p>"
        if here.singles:
            single = _(
                "Without Python, as a single file. If you take it by its link, compare its "
                "SHA-256 with the sharer's screen before you start it:"
            )
            yield f"<p>{escape(single)}</p>"
        for file in here.singles.values():
            link = f'<a href="/{escape(file.name)}" download>{escape(file.name)}</a>'
            yield f"<p>{link}, {file.size / 1e6:.1f} MB, SHA-256 <code>{file.digest}</code></p>"
