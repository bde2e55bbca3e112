"""The ways in which a model gives no reply."""

from lamina.ports import Failure

SILENT = [
    Failure(reason="rate_limit", detail="429"),
    Failure(reason="server", detail="500"),
    Failure(reason="timeout", detail="60 s"),
    Failure(reason="connection", detail="dropped"),
    Failure(reason="budget", detail="used up"),
]
