"""Presets: settings under a name, whose sizes adapt to the sizes that are given beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from treepack.errors import UnknownPresetError

Preset: TypeAlias = Literal["default", "standards", "sections", "datasheet", "retrieval"]

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

# By how many tokens a target must at least exceed each size.
_ROOM: Final = {"target_tokens": 0, "min_tokens": 0, "overlap_tokens": 1, "flat_overlap_tokens": 1}


def with_preset(name: Preset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset together with the given ones, which win.

    The preset's sizes adapt to the given sizes, so that only given sizes can contradict each
    other. A smaller cap lowers target, minimum and overlap. A larger target, minimum or overlap
    raises the cap, and the last two raise the target as well. The target of a preset with levels
    is the cap of the children, or of the parents if they are to have no children.

    Raises:
        UnknownPresetError: There is no preset of that name.
    """
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; the presets are {', '.join(PRESETS)}"
        raise UnknownPresetError(msg)
    preset, given = PRESETS[name], with_last_level(given)
    levels: tuple[int, ...] = preset.get("levels", ())
    if levels:
        flat = "levels" in given and not given["levels"]
        preset = {**preset, "max_tokens": levels[0] if flat else levels[-1]}
    if "max_tokens" not in preset:
        return {**preset, **given}
    fixed = {size: value for size, value in given.items() if isinstance(value, int)}
    needed = max(fixed[size] + room if size in fixed else 0 for size, room in _ROOM.items())
    cap = fixed.get("max_tokens", max(preset["max_tokens"], needed))
    target = fixed.get("target_tokens", min(max(preset.get("target_tokens", cap), needed), cap))
    fitted: dict[str, Any] = {
        size: min(preset[size], max(target // 2, 0)) for size in _ROOM if size in preset
    }
    if levels:
        fitted["levels"] = (*(above for above in levels[:-1] if above > cap), cap)
    return {**preset, **fitted, "max_tokens": cap, "target_tokens": target, **given}


def with_last_level(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with the cap that follows from their levels, if they have no other."""
    levels: object = settings.get("levels")
    if isinstance(levels, Sequence) and levels:
        last = cast("Sequence[object]", levels)[-1]
        if isinstance(last, int):
            return {"max_tokens": last, **settings}
    return dict(settings)
