"""Values for the forms of a note, which a caller passes to a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import types
from .errors import TidingError


def divide(
    paragraphs: Iterable[types.Paragraph], params: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """Divides values into those for each paragraph, by its id, and those for the whole note.

    Raises `protocol` for a name that no form has.
    """
    paragraphs = list(paragraphs)
    unknown = set(params)
    for_note: dict[str, Any] = {}
    for_paragraphs: dict[str, dict[str, Any]] = {}
    for paragraph in paragraphs:
        own = {name: value for name, value in params.items() if _has_form(paragraph, name)}
        for_paragraphs[paragraph["id"]] = own
        shared = {name: value for name, value in params.items() if _has_note_form(paragraph, name)}
        for_note |= shared
        unknown -= own.keys() | shared.keys()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise TidingError(
            "protocol",
            f"There is no form {names}. A form is written as ${{name}} in the code.",
            operation="run",
        )
    return for_paragraphs, for_note


def _has_form(paragraph: types.Paragraph, name: str) -> bool:
    """Whether a paragraph has a form, or its code may create one: `z.input("year", 2020)`."""
    text = paragraph.get("text", "")
    forms = (paragraph.get("settings") or {}).get("forms") or {}
    is_quoted = f'"{name}"' in text or f"'{name}'" in text
    return is_quoted or name in forms or bool(_template(name, r"(?<![\\$])\$").search(text))


def _has_note_form(paragraph: types.Paragraph, name: str) -> bool:
    return bool(_template(name, r"(?<!\\)\$\$").search(paragraph.get("text", "")))


def _template(name: str, start: str) -> re.Pattern[str]:
    """Matches `${name}`, `${name=default}`, `${checkbox:name(Title)=…}`."""
    return re.compile(rf"{start}\{{\s*(?:[\w()|, ]+:)?\s*{re.escape(name)}\s*[=(}}]")
