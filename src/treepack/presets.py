"""Presets: settings under a name, and how other given settings change them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from treepack.errors import UnknownPresetError
from treepack.settings import SETTINGS, Preset

PRESETS: Final[Mapping[Preset, Mapping[str, Any]]] = {
    "default": {},
    "standards": {
        "target_tokens": 500,
        "max_tokens": 1000,
        "min_tokens": 100,
        "overlap_tokens": 100,
        "overlap_separator": "---",
    },
    "sections": {
        "target_tokens": 500,
        "max_tokens": 500,
        "min_tokens": 0,
        "flat_overlap_tokens": 100,
        "sections": "separate",
        "repeat_heading": True,
    },
    "datasheet": {
        "target_tokens": 512,
        "max_tokens": 512,
        "min_tokens": 50,
        "overlap_tokens": 50,
        "oversize_table": "keep",
        "oversize_code": "keep",
    },
    "retrieval": {"levels": (400, 75), "sections": "separate", "name_in_breadcrumb": False},
}
"""What each preset sets; all other settings have their defaults."""


def with_preset(name: Preset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset together with the given ones, which win.

    The preset's sizes adapt to the given sizes, so that only given sizes can contradict each
    other. A smaller cap lowers target, minimum and overlap. A larger target, minimum or overlap
    raises the cap, and the last two raise the target as well.

    Raises:
        UnknownPresetError: There is no preset of that name.
    """
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; the presets are {', '.join(PRESETS)}"
        raise UnknownPresetError(msg)
    settings = dict(PRESETS[name])
    if "levels" in settings:
        return {**settings, **_fitted_levels(settings["levels"], given), **given}
    levels: Sequence[Any] | None = given.get("levels")
    if isinstance(levels, Sequence) and levels and "max_tokens" not in given:
        settings["max_tokens"] = levels[-1]
    fixed = {*given, *(["max_tokens"] if levels else [])}
    sizes = {**settings, **given}
    if all(isinstance(sizes.get(size, 0), int) for size in _LEAST):
        settings |= _fitted(sizes, fixed)
    return {**settings, **given}


def _fitted_levels(levels: Sequence[int], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sizes of a preset with levels; a given cap or target is that of the children."""
    new_levels: Sequence[Any] | None = given.get("levels", levels)
    last = new_levels[-1] if isinstance(new_levels, Sequence) and new_levels else levels[0]
    cap = given.get("max_tokens") or max(last, given.get("target_tokens") or 0)
    if "levels" not in given:
        new_levels = (*(above for above in levels[:-1] if above > cap), cap)
    return {"levels": new_levels, "max_tokens": cap, "target_tokens": cap}


# For each size, by how many tokens a target must at least exceed it; 0: it may be equal.
_LEAST: Final = {
    "max_tokens": 0,
    "target_tokens": 0,
    "min_tokens": 0,
    "overlap_tokens": 1,
    "flat_overlap_tokens": 1,
}


def _fitted(settings: Mapping[str, Any], fixed: set[str]) -> dict[str, int]:
    """Return the sizes, of which those that are not fixed are changed to fit the fixed ones."""
    sizes: dict[str, int] = {size: settings[size] for size in _LEAST if size in settings}
    free = sizes.keys() - fixed
    if not free:
        return sizes
    cap, target = sizes["max_tokens"], sizes["target_tokens"]
    needed = [sizes[size] + _LEAST[size] for size in sizes.keys() - free - {"max_tokens"}]
    if "max_tokens" in free:
        cap = max([cap, *needed])
    if "target_tokens" in free:
        target = min(max([target, *needed]), cap)
    small = {size: min(sizes[size], max(target // 2, 0)) for size in free}
    return {**sizes, **small, "max_tokens": cap, "target_tokens": target}


_SIZES: Final = {"levels", *(name for name in SETTINGS if "tokens" in name)}


def shown_as_call(values: Mapping[str, object], presets: Mapping[str, Mapping[str, object]]) -> str:
    """Return a call that makes the settings, based on the preset that needs the fewest changes.

    A preset other than ``default`` is used only if no settings but sizes differ from it.

    Args:
        values: The settings.
        presets: The settings of each preset, ``default`` first.
    """
    changes = {
        name: {key: value for key, value in values.items() if value != preset_values[key]}
        for name, preset_values in presets.items()
    }
    possible = [name for name, changed in changes.items() if changed.keys() <= _SIZES]
    best = min(["default", *possible], key=lambda name: len(changes[name]))
    words = [f"{key}={value!r}" for key, value in changes[best].items()]
    if best == "default":
        return f"PackConfig({', '.join(words)})"
    return f"PackConfig.preset({', '.join([repr(best), *words])})"
