"""Who holds a lease, and whether they can still be working.

A worker that was killed leaves its lease behind. Whoever comes next need not wait for it to run out
where it can be seen that the process is gone. Should that ever be a mistake, fencing keeps the
store right: the slower one's writes are refused.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable

from lamina.ports import Store

_HOST = socket.gethostname()
_PROCESS = (os.getpid(), uuid.uuid4().hex[:12])
"""The number of this process, and what tells it from an earlier one of the same number."""


def name() -> str:
    """Return a new name for a worker of this process."""
    pid, token = _this_process()
    return f"{_HOST}/{pid}/{token}/{uuid.uuid4().hex[:8]}"


def free_the_dead(store: Store) -> None:
    """Give back the leases of workers whose process on this machine is gone."""
    for lease in store.leases():
        if is_dead(lease.holder):
            store.release(lease)


def is_dead(holder: str, *, alive: Callable[[int], bool] | None = None) -> bool:
    """Whether a holder's process is known to be gone; of another machine's that is not known.

    Args:
        holder: As `name` gave it.
        alive: Tells whether a process of this machine is there; asked of the system, if not given.
    """
    host, _, rest = holder.partition("/")
    pid, _, rest = rest.partition("/")
    if host != _HOST or not pid.isdigit():
        return False
    own, token = _this_process()
    if int(pid) == own:
        return rest.partition("/")[0] != token
    return not (alive or _alive)(int(pid))


def _this_process() -> tuple[int, str]:
    """Return number and token, new ones after a fork."""
    global _PROCESS
    if _PROCESS[0] != os.getpid():
        _PROCESS = (os.getpid(), uuid.uuid4().hex[:12])
    return _PROCESS


def _alive(pid: int) -> bool:
    if os.name != "posix":  # elsewhere asking may end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
