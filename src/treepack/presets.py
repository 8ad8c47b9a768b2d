"""Presets: settings under a name, whose sizes adapt to the sizes that are given beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from treepack.errors import UnknownPresetError

Preset: TypeAlias = Literal[
    "default", "hierarchical", "standards", "sections", "datasheet", "retrieval"
]

PRESETS: Final[Mapping[Preset, Mapping[str, Any]]] = {
    "default": {},
    "hierarchical": {
        "target_tokens": 512,
        "max_tokens": 1024,
        "min_tokens": 64,
        "sections": "pack",
    },
    "standards": {
        "target_tokens": 500,
        "max_tokens": 1000,
        "min_tokens": 100,
        "overlap_tokens": 100,
        "overlap_separator": "---",
        "sections": "pack",
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
        "sections": "pack",
        "oversize_table": "keep",
        "oversize_code": "keep",
    },
    # A child ends with the block that reaches 50 tokens: cover +.008 [.001, .016] against 75.
    "retrieval": {
        "levels": (400, 75),
        "target_tokens": 50,
        "min_tokens": 0,
        "sections": "separate",
    },
}
"""What each preset sets; all other settings have their defaults."""

DEFAULT_CAP: Final = 400
"""Tokens. Chosen with `default_target` on the retrieval benchmark, of 256 to 1024 tokens: for
contexts of 500 to 4,000 tokens, it is the best or .01 below the best."""

ROOM: Final = {"target_tokens": 0, "min_tokens": 0, "overlap_tokens": 1, "flat_overlap_tokens": 1}
"""By how many tokens at least each size must be exceeded: a target by the cap, others by it."""


def with_preset(name: Preset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a preset together with the given ones, which win.

    The preset's sizes adapt to the given sizes, so that only given sizes can contradict each
    other. A smaller cap lowers target, minimum and overlap. A larger target, minimum or overlap
    raises the cap, and the last two raise the target as well. The target of a preset with levels
    is their share of the cap of the children, or the cap of the parents if they are to have none.

    Raises:
        UnknownPresetError: There is no preset of that name.
    """
    if name not in PRESETS:
        msg = f"there is no preset {name!r}; the presets are {', '.join(PRESETS)}"
        raise UnknownPresetError(msg)
    preset = PRESETS[name]
    if not preset:
        return with_cap(given)
    given = _with_last_level(given)
    levels: tuple[int, ...] = preset.get("levels", ())
    is_flat = "levels" in given and not given["levels"]
    size: int = levels[0 if is_flat else -1] if levels else preset["max_tokens"]
    fixed = {each: value for each, value in given.items() if isinstance(value, int)}
    needed = max(fixed[each] + room if each in fixed else 0 for each, room in ROOM.items())
    cap = fixed.get("max_tokens", max(size, needed))
    target: int = preset["target_tokens"]
    if levels:
        target = cap if is_flat else cap * target // size
    target = fixed.get("target_tokens", min(max(target, needed), cap))
    fitted: dict[str, Any] = {
        each: min(preset[each], max(target // 2, 0)) for each in ROOM if each in preset
    }
    if levels:
        fitted["levels"] = (*(above for above in levels[:-1] if above > cap), cap)
    return {**preset, **fitted, "max_tokens": cap, "target_tokens": target, **given}


def with_cap(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with the cap that follows from the others, if it is not the default.

    It is the last of the levels, or a target that is larger than the default cap.
    """
    target = settings.get("target_tokens")
    if isinstance(target, int) and target > DEFAULT_CAP and not settings.get("levels"):
        return {"max_tokens": target, **settings}
    return _with_last_level(settings)


def default_target(cap: int) -> int:
    """Return the target for a cap: three quarters, after which a chunk ends with its block."""
    return max(cap * 3 // 4, 1)


def _with_last_level(settings: Mapping[str, Any]) -> dict[str, Any]:
    levels: object = settings.get("levels")
    if isinstance(levels, Sequence) and levels:
        last = cast("Sequence[object]", levels)[-1]
        if isinstance(last, int):
            return {"max_tokens": last, **settings}
    return dict(settings)
