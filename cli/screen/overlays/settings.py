"""Settings on the screen: changed at once, and kept in the file when the person says so."""

from __future__ import annotations

from cli import i18n
from cli.i18n import N_, _
from cli.screen.look import Look
from cli.screen.overlays.fields import FieldOverlay
from cli.screen.page import ScreenEffects, Settle
from cli.settings import BY_KEY, FILE, TABLE, Setting, Settings, SettingsError, Value
from cli.settings.file import keep
from cli.text.cells import Row, Span, clip, line, wrap

#: settings that mean something while the program runs, in the order shown
SHOWN = tuple(setting for setting in TABLE if setting.key not in ("ui", "interface"))


#: values of settings → how a person reads them
WORDS = {
    "dark": N_("dark"),
    "light": N_("light"),
    "high-contrast": N_("high-contrast"),
    "monochrome": N_("monochrome"),
    "none": N_("without pauses"),
    "fast": N_("fast"),
    "normal": N_("normal"),
    "slow": N_("slow"),
}


class SettingsOverlay(FieldOverlay[Setting]):
    """Every change holds at once; the last row writes the changes into `settings.toml`."""

    heading = N_("Settings")
    hints = (("↑↓", N_("choose")), ("←→", N_("change")), ("Esc", N_("back")))

    limit = 24

    def __init__(self, settled: Settings) -> None:
        self._settled = settled
        self._values: dict[str, Value] = {
            setting.key: getattr(settled, setting.key) for setting in SHOWN
        }
        self._values["lang"] = i18n.current()
        self._changed: dict[str, Value] = {}
        self._said = ""  #: what came of the last row
        super().__init__()

    def fields(self) -> tuple[Setting, ...]:
        return SHOWN

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """The last row stands a little apart."""
        rows = super().paint(look, width, height - 1)
        last = f"row:{len(SHOWN)}"
        at = next((n for n, row in enumerate(rows) if row and row[0].target == last), 0)
        return (*rows[:at], (), *rows[at:]) if at else rows

    def row(self, place: int, item: Setting | None, look: Look, width: int) -> Row:
        if item is None:
            label = _("Keep this in the settings file")
            return (self.span(place, label, look, "key" if self._changed else "dim"),)
        here, shown = place == self.focus, self._shown(item)
        if here:
            shown = f"< {shown} >" if look.ascii else f"‹ {shown} ›"
        text = clip(shown, self.room(width))
        value = Span(text, "focus" if here else "", f"row:{place}")
        return self.field_row(place, _(item.title), (value,), look, width)

    def below(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        about = str(self._settled.home / FILE) if self.field is None else _(self.field.about)
        return ((), *(line(part, "dim") for part in wrap(self._said or about, width)))

    def _shown(self, setting: Setting) -> str:
        value = self._values[setting.key]
        if setting.key == "lang":
            return i18n.NAMES[str(value)]
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if value in WORDS and setting.choices:
            return _(WORDS[value])
        return value or _("as usual")

    def go(self, place: int) -> ScreenEffects:
        self._said = ""
        return super().go(place)

    def text_of(self, field: Setting) -> str | None:
        typed = not field.choices and not field.is_switch
        return str(self._values[field.key] or "") if typed else None

    def typed(self, field: Setting, text: str) -> ScreenEffects:
        return self._settle(field.key, text)

    def change(self, field: Setting, key: str) -> ScreenEffects:
        by = {"right": 1, " ": 1, "enter": 1, "left": -1}.get(key)
        if by is None:
            return ()
        value = self._values[field.key]
        if field.is_switch:
            return self._settle(field.key, not value)
        at = field.choices.index(str(value)) if value in field.choices else 0
        return self._settle(field.key, field.choices[(at + by) % len(field.choices)])

    def _settle(self, key: str, value: Value) -> ScreenEffects:
        self._values[key] = self._changed[key] = value
        self._said = ""
        return (Settle(key, value),)

    def finish(self) -> ScreenEffects:
        path = self._settled.home / FILE
        if not self._changed:
            self._said = _("Nothing has been changed.")
            return ()
        try:
            keep(path, self._changed)
        except SettingsError as problem:
            self._said = f"{problem.place}: {problem.detail}"
        except OSError as problem:
            self._said = f"{path}: {problem.strerror or problem}"
        else:
            self._said = _("Kept in {path}.").format(path=path)
            stronger = [
                BY_KEY[key].variable
                for key in self._changed
                if self._settled.origins.get(key, "").isupper()
            ]
            if stronger:
                more = _("{variables} goes before the file.")
                self._said += " " + more.format(variables=", ".join(stronger))
            self._changed = {}
        return ()
