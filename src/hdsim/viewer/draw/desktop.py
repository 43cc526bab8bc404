"""Whether the desktop is dark, as its own settings tell: of Windows, macOS, GNOME, KDE and others that use GTK's settings."""
from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

SECONDS = 0.5       # for a program that is asked


@lru_cache(maxsize=1)
def theme_of_desktop() -> str:
    """The name of the theme that fits the desktop: "dark" or, if it is not known to be dark, "light"."""
    return "dark" if is_dark() else "light"


def is_dark() -> bool:
    """Whether the desktop says that it is dark."""
    if sys.platform == "win32":
        return _windows_is_dark()
    if sys.platform == "darwin":
        return "Dark" in _answer("defaults", "read", "-g", "AppleInterfaceStyle")
    if theme := os.environ.get("GTK_THEME"):
        return "dark" in theme.lower()
    scheme = _answer("gsettings", "get", "org.gnome.desktop.interface", "color-scheme")
    if scheme:
        return "dark" in scheme
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser())
    return ("dark" in _setting(folder / "kdeglobals", "General", "ColorScheme").lower()
            or _setting(folder / "gtk-3.0" / "settings.ini", "Settings", "gtk-application-prefer-dark-theme") in ("1", "true"))


def _windows_is_dark() -> bool:
    import winreg
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER,  # type: ignore[attr-defined, unused-ignore]
                            r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize") as key:
            return winreg.QueryValueEx(key, "AppsUseLightTheme")[0] == 0  # type: ignore[attr-defined, unused-ignore]
    except OSError:
        return False


def _answer(*command: str) -> str:
    """What a program prints; "" if it is not installed, fails or is slow."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    return done.stdout.strip()


def _setting(file: Path, section: str, name: str) -> str:
    """A setting in an .ini file; "" if there is none."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeError, OSError):
        return ""
    return parser.get(section, name, fallback="")
