"""What makes two things the same: ids come from content, so that saying again changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from lamina.model import Message, NoteDraft, Scope
from lamina.ports import MessageDraft
from lamina.times import to_micros


def digest(*parts: str | int) -> str:
    """Return 32 hex digits that stand for `parts`, in order. Lone surrogates are allowed.

    >>> digest("a", "bc") == digest("ab", "c")
    False
    """
    whole = hashlib.sha256()
    for part in parts:
        data = str(part).encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:32]


def message_ids(scope: Scope, drafts: Sequence[MessageDraft]) -> list[str]:
    """Return the id of each draft: by its key, else by what was said, where, by whom and when.

    The same thing said twice within one call is told apart by its ordinal. In a shared space what
    two authors say is two messages, so that erasing one of them leaves the other's. What was done
    with an item is another thing than the same words said of another one; done with the same one at
    the same moment it is one thing, however often it is told.
    """
    seen: dict[tuple[str | int, ...], int] = {}
    ids = []
    for draft in drafts:
        if draft.key is not None:
            ids.append(keyed_id(scope, draft.key, draft.author))
            continue
        place = _place(scope, draft.author)
        said = (draft.session, draft.role, draft.speaker, draft.text, to_micros(draft.said_at))
        done = _done(draft)
        if not done:
            seen[said] = seen.get(said, 0) + 1
        ids.append(digest(*place, "said", *said, *done, 1 if done else seen[said]))
    return ids


def keyed_id(scope: Scope, key: str, author: str | None) -> str:
    """Return the id of what an author says under a key, whatever it is."""
    return digest(*_place(scope, author), "key", key)


def _place(scope: Scope, author: str | None) -> tuple[str, ...]:
    return (scope.tenant, scope.kind, scope.id, *(() if author is None else ("by", author)))


def _done(draft: MessageDraft) -> tuple[str, ...]:
    """Return what was done with which item and how it was rated; nothing, where there is none."""
    rating = None if draft.rating is None else float(draft.rating) + 0.0  # so that -0 is 0
    done = (draft.item, draft.action, rating)
    if done == (None, None, None):
        return ()
    return ("done", *("" if each is None else f"={each}" for each in done))


def retried(last: Sequence[Message], drafts: Sequence[MessageDraft]) -> bool:
    """Whether `drafts`, untimed and without keys, only repeat `last`, the session's last messages.

    Args:
        last: As many messages as there are drafts, in the order they were recorded.
        drafts: What a call wants to add to that session.
    """
    if len(last) != len(drafts) or any(d.timed or d.key is not None for d in drafts):
        return False
    return all(
        (m.author, m.role, m.speaker, m.text, m.item, m.action, m.rating)
        == (d.author, d.role, d.speaker, d.text, d.item, d.action, d.rating)
        for m, d in zip(last, drafts, strict=True)
    )


def note_id(scope: Scope, draft: NoteDraft) -> str:
    """Return the id of a note: the same words read from the same place are one note.

    Without an event the place is what it was formed from: messages and notes. So what is formed
    anew, because one of those notes has gone, is not taken for what went with it.
    """
    return digest(
        scope.tenant, scope.kind, scope.id, draft.kind, draft.event or "", draft.text,
        *(() if draft.event else (*draft.sources, *draft.parents)),
    )  # fmt: skip
