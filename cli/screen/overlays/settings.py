"""Settings on the screen: changed at once, and kept in the file when the person says so."""

from __future__ import annotations

from cli import i18n
from cli.i18n import _
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.page import Deeds, Settle, Shut
from cli.settings import BY_KEY, FILE, TABLE, Setting, Settings, SettingsError, Value
from cli.settings.file import keep
from cli.text.cells import Row, Span, clip, line, pad, wrap

#: settings that mean something while the program runs, in the order shown
SHOWN = tuple(setting for setting in TABLE if setting.key not in ("ui", "interface"))
NAME = 20


class SettingsOverlay:
    """Every change holds at once; `settings.toml` learns it from the last row."""

    def __init__(self, settled: Settings) -> None:
        self._settled = settled
        self._values: dict[str, Value] = {
            setting.key: getattr(settled, setting.key) for setting in SHOWN
        }
        self._values["lang"] = i18n.current()
        self._changed: dict[str, Value] = {}
        self._focus = 0
        self._said = ""
        self._line: LineEditor | None = None
        self._enter()

    def title(self) -> str:
        return _("Settings")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("choose")), ("←→", _("change")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        rows = [self._row(place, setting, look, width) for place, setting in enumerate(SHOWN)]
        focused = self._focus == len(SHOWN)
        sign = look.signs.focus if focused else " "
        style = "focus" if focused else ("key" if self._changed else "dim")
        label = _("Keep this in the settings file")
        rows += [(), (Span(f"{sign} {label}", style, "keep", focused),), ()]
        rows += [line(part, "dim") for part in wrap(self._said or self._about(), width)]
        return tuple(rows)

    def _row(self, place: int, setting: Setting, look: Look, width: int) -> Row:
        focused = place == self._focus
        sign = look.signs.focus if focused else " "
        target = f"setting:{place}"
        name = Span(
            f"{sign} {pad(_(setting.title), NAME, ellipsis=look.signs.ellipsis)} ",
            "",
            target,
            focused and self._line is None,
        )
        room = max(4, width - NAME - 3)
        if focused and self._line is not None:
            return (name, *self._line.row(room))
        shown = self._shown(setting)
        if focused:
            shown = f"< {shown} >" if look.ascii else f"‹ {shown} ›"
        return (name, Span(clip(shown, room), "focus" if focused else "", target))

    def _shown(self, setting: Setting) -> str:
        value = self._values[setting.key]
        if setting.key == "lang":
            return i18n.NAMES[str(value)]
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        return value or _("as usual")

    def _about(self) -> str:
        if self._focus >= len(SHOWN):
            return str(self._settled.home / FILE)
        return _(SHOWN[self._focus].about)

    def press(self, key: str) -> Deeds:
        match key:
            case "escape":
                return (Shut(),)
            case "up" | "s-tab":
                return self._to(self._focus - 1)
            case "down" | "tab":
                return self._to(self._focus + 1)
        if self._focus == len(SHOWN):
            return self._keep() if key in ("enter", " ") else ()
        if self._line is not None:
            return self._type(key)
        match key:
            case "right" | " " | "enter":
                return self._step(1)
            case "left":
                return self._step(-1)
        return ()

    def click(self, target: str) -> Deeds:
        if target == "keep":
            self._to(len(SHOWN))
            return self._keep()
        where, _colon, place = target.partition(":")
        if where != "setting" or not place.isdecimal():
            return ()
        again = int(place) == self._focus
        self._to(int(place))
        return self._step(1) if again and self._line is None else ()

    def _to(self, place: int) -> Deeds:
        self._focus, self._said = place % (len(SHOWN) + 1), ""
        self._enter()
        return ()

    def _enter(self) -> None:
        setting = SHOWN[self._focus] if self._focus < len(SHOWN) else None
        typed = setting is not None and not setting.choices and not setting.is_switch
        self._line = None
        if setting is not None and typed:
            self._line = LineEditor(str(self._values[setting.key] or ""), limit=24)

    def _type(self, key: str) -> Deeds:
        assert self._line is not None
        if key == "enter":
            return self._to(self._focus + 1)
        before = self._line.text
        self._line.press(key)
        if self._line.text == before:
            return ()
        return self._settle(SHOWN[self._focus].key, self._line.text)

    def _step(self, by: int) -> Deeds:
        setting = SHOWN[self._focus]
        value = self._values[setting.key]
        if setting.is_switch:
            return self._settle(setting.key, not value)
        choices = setting.choices
        at = choices.index(str(value)) if value in choices else 0
        return self._settle(setting.key, choices[(at + by) % len(choices)])

    def _settle(self, key: str, value: Value) -> Deeds:
        self._values[key] = self._changed[key] = value
        self._said = ""
        return (Settle(key, value),)

    def _keep(self) -> Deeds:
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
