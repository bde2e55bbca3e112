"""The reply cache: what was asked and answered once in a scope is not paid again.

It lives with the scope and is erased with it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from lamina.identity import digest
from lamina.models.ledger import Ledger
from lamina.models.roles import name_of
from lamina.ports import LLM, Failure, Reply, Request

SCHEME = "reply-1"
"""Part of every digest; another one makes old replies be forgotten."""


def request_digest(model: str, request: Request) -> str:
    """Return 32 hex digits that stand for a request to a model: its content, and nothing else."""
    schema = json.dumps(request.schema, sort_keys=True) if request.schema is not None else ""
    limit = request.max_output_tokens
    return digest(SCHEME, model, request.role, request.system, request.prompt, schema, limit)


class Cached:
    """A model whose good replies are kept in a scope.

    Prose is kept at once, unless it was cut off. A reply by schema is kept when `keep` says that it
    could be read; else a bad one would come back whenever the work is redone.
    """

    def __init__(self, llm: LLM, ledger: Ledger, *, epoch: int | None = None) -> None:
        """Wrap a model.

        Args:
            llm: Asked for what is not kept.
            ledger: Where replies from the cache are recorded; it knows the scope.
            epoch: The scope's when the work began.
        """
        self._epoch = epoch
        self._llm = llm
        self._ledger = ledger
        self.model = name_of(llm)

    def complete(self, requests: Sequence[Request]) -> list[Reply | Failure]:
        """See `LLM.complete`. Replies from the cache say so, and cost nothing."""
        digests = [request_digest(self.model, request) for request in requests]
        kept = self._ledger.accounts.replies(self._ledger.scope, digests)
        asked = [r for r, d in zip(requests, digests, strict=True) if d not in kept]
        fresh = iter(self._llm.complete(asked) if asked else [])
        answers = [free(kept[d]) if d in kept else next(fresh) for d in digests]
        pairs = list(zip(requests, answers, strict=True))
        hits = [(q, a) for q, a in pairs if isinstance(a, Reply) and a.cached]
        self._ledger.record(self.model, hits)
        self.keep([(q, a) for q, a in pairs if q.schema is None and isinstance(a, Reply)])
        return answers

    def keep(self, accepted: Sequence[tuple[Request, Reply]]) -> None:
        """See `replies.Keeps.keep`. What came from the cache, or is cut off or empty, is not."""
        new = {
            request_digest(self.model, request): reply
            for request, reply in accepted
            if not (reply.cached or reply.truncated) and reply.text.strip()
        }
        if new:
            to = self._ledger
            to.accounts.keep_replies(to.scope, new, now=to.clock.now(), epoch=self._epoch)


def free(reply: Reply) -> Reply:
    """Return a kept reply as it is given again: it takes no tokens and costs nothing."""
    return replace(reply, cached=True, input_tokens=0, output_tokens=0, cost_usd=0.0)
