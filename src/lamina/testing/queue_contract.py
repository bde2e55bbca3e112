"""The promises of `lamina.ports.Queue`, as tests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from lamina.errors import LeaseLost
from lamina.model import Scope, Step
from lamina.ports import Lease, Store
from lamina.testing.clock import NOON
from lamina.testing.factories import STEPS, at, draft, gone, note, say, scope, writing
from lamina.testing.store_contract import StoreContract

ALICE, BO = scope("alice"), scope("bo")
INDEX, BIND = STEPS


def leased(store: Store, owner: Scope = ALICE, minute: float = 0) -> Lease:
    """Lease a scope that has work for a minute."""
    lease = store.lease("me", 60, now=at(minute), scope=owner)
    assert lease
    return lease


class QueueContract(StoreContract):
    """What `Queue` promises; see `StoreContract`."""

    def test_adding_messages_queues_their_work(self, store: Store) -> None:
        say(store, ALICE, "hello")

        index, bind = store.jobs()

        assert (index.step, bind.step) == (INDEX, BIND)
        assert (index.scope, index.version, index.attempts) == (ALICE, 1, 0)
        assert (index.due_at, index.error) == (NOON, None)
        assert index.id != bind.id

    def test_asking_again_raises_the_version_and_doubles_nothing(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        store.enqueue(ALICE, [BIND], now=at(1))

        assert [(job.step, job.version) for job in store.jobs()] == [(INDEX, 1), (BIND, 2)]
        assert [job.due_at for job in store.jobs()] == [NOON, NOON]

    def test_what_is_of_no_session_comes_first_then_sessions_as_they_began(
        self, store: Store
    ) -> None:
        steps = [
            Step(kind=kind, subject=session)
            for session in ("late", "early")
            for kind in ("consolidate", "bind", "index")
        ]
        steps += [Step(kind="sweep", subject=""), Step(kind="supersede", subject="op1")]
        say(store, ALICE, draft("a", session="late", said_at=at(9)), steps=())
        say(store, ALICE, draft("b", session="early", said_at=at(1)), steps=steps)

        found = [(job.step.subject, job.step.kind) for job in store.jobs(ALICE)]

        kinds = ("index", "bind", "consolidate")
        assert set(found[:2]) == {("op1", "supersede"), ("", "sweep")}
        assert found[2:] == [(s, kind) for s in ("early", "late") for kind in kinds]

    def test_jobs_are_told_by_scope(self, store: Store) -> None:
        say(store, ALICE, draft("a", said_at=at(5)))
        say(store, BO, "b")

        assert {job.scope for job in store.jobs(BO)} == {BO}
        assert [job.scope for job in store.jobs()] == [BO, BO, ALICE, ALICE]
        assert store.jobs(scope("nobody")) == []

    def test_the_scope_that_waited_longest_is_leased_first(self, store: Store) -> None:
        store.enqueue(BO, STEPS, now=at(1))
        store.enqueue(ALICE, STEPS, now=NOON)

        first = store.lease("me", 60, now=at(2))
        second = store.lease("you", 60, now=at(2))

        assert first
        assert second
        assert (first.scope, second.scope) == (ALICE, BO)
        assert store.lease("they", 60, now=at(2)) is None

    def test_only_due_work_is_leased_unless_asked(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        [job] = store.jobs()
        lease = leased(store)
        store.postpone(job, lease, due_at=at(30), error="the model is down", now=NOON)
        store.release(lease)

        assert store.lease("me", 60, now=at(29)) is None
        assert store.lease("me", 60, now=at(29), due_only=False) is not None
        assert store.lease("me", 60, now=at(31), scope=ALICE) is not None

    def test_where_nothing_waits_nothing_is_leased(self, store: Store) -> None:
        say(store, ALICE, "hello", steps=())

        assert store.lease("me", 60, now=NOON) is None
        assert store.lease("me", 60, now=NOON, scope=ALICE) is None
        assert store.lease("me", 60, now=NOON, scope=scope("nobody"), due_only=False) is None

    def test_one_worker_a_scope_until_its_lease_runs_out(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        first = leased(store)

        assert first.holder == "me"
        assert first.until == at(1)
        assert store.lease("you", 60, now=at(0.9), scope=ALICE) is None

        second = store.lease("you", 60, now=at(1), scope=ALICE)
        assert second
        assert second.fence > first.fence
        with pytest.raises(LeaseLost):
            store.renew(first, 60, now=at(1))

    def test_a_lease_that_ran_out_holds_until_somebody_else_gets_one(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        [id_] = say(store, ALICE, "hello")
        first = leased(store)
        given = writing(note("n", event=id_))

        store.apply(ALICE, given, now=at(9), lease=first)
        newer = leased(store, minute=9)
        with pytest.raises(LeaseLost):
            store.apply(ALICE, writing(note("m", event=id_)), now=at(9), lease=first)

        assert [each.id for each in store.list_notes(ALICE)] == [given.notes[0].id]
        store.apply(ALICE, writing(note("m", event=id_)), now=at(9), lease=newer)
        assert len(store.list_notes(ALICE)) == 2

    def test_eight_workers_get_one_lease(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)

        with ThreadPoolExecutor(8) as pool:
            leases = list(pool.map(lambda i: store.lease(str(i), 60, now=NOON), range(8)))

        assert sum(lease is not None for lease in leases) == 1

    def test_a_lease_can_be_prolonged(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        first = leased(store)

        renewed = store.renew(first, 120, now=at(0.5))

        assert (renewed.until, renewed.fence) == (at(2.5), first.fence)
        assert store.lease("you", 60, now=at(2), scope=ALICE) is None

    def test_a_lease_given_back_is_free_at_once(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        first = leased(store)

        store.release(first)
        store.release(first)

        with pytest.raises(LeaseLost):
            store.renew(first, 60, now=NOON)
        assert leased(store).fence > first.fence

    def test_giving_back_a_lost_lease_leaves_the_new_one_alone(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        lost = leased(store)
        newer = leased(store, minute=5)

        store.release(lost)

        assert store.lease("they", 60, now=at(5.5), scope=ALICE) is None
        assert store.renew(newer, 60, now=at(5.5))

    def test_fences_rise_across_an_erasure(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        first = leased(store)
        store.forget(ALICE, now=NOON)
        assert store.jobs() == []

        store.enqueue(ALICE, STEPS, now=NOON)

        assert leased(store).fence > first.fence

    def test_a_finished_job_is_gone(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=NOON)
        lease = leased(store)

        for job in store.jobs():
            store.finish(job, lease, now=NOON)
            store.finish(job, lease, now=NOON)

        assert store.jobs() == []
        store.release(lease)
        assert store.lease("me", 60, now=at(2)) is None

    def test_a_job_that_was_asked_for_again_stays(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        lease, [job] = leased(store), store.jobs()
        store.enqueue(ALICE, [BIND], now=NOON)

        store.finish(job, lease, now=at(0.5))

        [left] = store.jobs()
        assert (left.id, left.version, left.attempts, left.due_at) == (job.id, 2, 0, at(0.5))

    def test_a_failed_job_is_put_back_with_its_reason(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        lease, [job] = leased(store), store.jobs()

        store.postpone(job, lease, due_at=at(1), error="a \ud83d timeout", now=NOON)
        store.postpone(job, lease, due_at=at(2), error="again", now=NOON)

        [left] = store.jobs()
        assert (left.attempts, left.due_at, left.error) == (2, at(2), "again")

    def test_asking_again_does_not_hurry_what_was_put_back(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        lease, [job] = leased(store), store.jobs()
        store.postpone(job, lease, due_at=at(9), error="the model is down", now=NOON)

        store.enqueue(ALICE, [BIND], now=at(0.5))

        [left] = store.jobs()
        assert (left.due_at, left.attempts, left.version) == (at(9), 1, 2)

    def test_a_new_job_is_never_taken_for_an_old_one(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        lease, [old] = leased(store), store.jobs()
        store.finish(old, lease, now=NOON)
        store.enqueue(ALICE, [BIND], now=NOON)

        store.finish(old, lease, now=NOON)

        [new] = store.jobs()
        assert new.id != old.id

    def test_without_the_lease_nothing_is_finished_or_put_back(self, store: Store) -> None:
        store.enqueue(ALICE, [BIND], now=NOON)
        lost, [job] = leased(store), store.jobs()
        leased(store, minute=5)

        with pytest.raises(LeaseLost):
            store.finish(job, lost, now=at(5))
        with pytest.raises(LeaseLost):
            store.postpone(job, lost, due_at=at(9), error="", now=at(5))

        assert store.jobs() == [job]

    def test_of_what_a_worker_whose_lease_was_taken_wanted_written_nothing_is(
        self, store: Store
    ) -> None:
        [id_] = say(store, ALICE, "hello")
        slow, jobs = leased(store), store.jobs()
        leased(store, minute=5)
        late = writing(
            note("n", event=id_),
            progress={id_: "bound"},
            gone=gone("message", id_),
            steps=(Step(kind="consolidate", subject="s1"),),
            job=jobs[1],
        )

        with pytest.raises(LeaseLost):
            store.apply(ALICE, late, now=at(5), lease=slow)

        assert store.list_notes(ALICE) == []
        assert store.list_operations(ALICE) == []
        assert [m.progress for m in store.messages(ALICE, [id_])] == ["pending"]
        assert store.jobs() == jobs
        assert store.check() == []

    def test_when_the_clock_jumps_back_a_scope_has_one_worker(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=at(60))
        first = leased(store, minute=60)

        assert store.lease("you", 60, now=NOON, scope=ALICE) is None
        renewed = store.renew(first, 60, now=NOON)
        assert renewed.fence == first.fence
        assert store.lease("you", 60, now=at(0.5), scope=ALICE) is None
        assert leased(store, minute=61).fence > first.fence

    def test_when_the_clock_jumps_back_work_still_waits(self, store: Store) -> None:
        store.enqueue(ALICE, STEPS, now=at(60))

        assert [job.step for job in store.jobs()] == list(STEPS)
        assert store.lease("me", 60, now=NOON, due_only=False) is not None
