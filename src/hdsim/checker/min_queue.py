"""A student's MinPQ compared with a sorted list."""
from __future__ import annotations

from typing import Any

from ..language import tr
from . import queues
from .endings import _raised
from .verdict import Verdict, number
from .wording import Case, _is_error, _line, _shown, _stage


def _judge_queue(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        line = _line(case, offers)
        if case.get("empty"):
            return _judge_empty(stage, line, answer)
        if case.get("two"):
            if _is_error(answer) or [deleted for deleted, _, _ in answer][2:] != [3.0, 5.0]:
                got = (f"{answer['error']}: {answer['message']}" if _is_error(answer) else
                       tr(" and ").join(_shown(row[0]) for row in answer[2:]))
                return Verdict(1, stage, line, tr("3 and 5 from q"), got,
                               tr("two queues share their items: a list in the class, or as a default argument, belongs to all "
                                  "queues; make it in __init__"))
            continue
        if _is_error(answer):
            cause = _queue_crash(pairs, case)
            return _raised(answer, stage, line, tr("the items in ascending order"), cause)
        truth = queues.deletes(case["steps"], queues.right)
        deleted = [row[0] for row in answer]
        if deleted != truth:
            return _queue_differs(stage, line, pairs, case, truth, deleted)
        held = 0
        for k, (step, (_, size, empty)) in enumerate(zip(case["steps"], answer), 1):
            held += 1 if step is not None else -1
            if size not in (None, held) or empty not in (None, held == 0):
                wanted = tr("after {k} steps {held} items, empty: {empty}", k=k, held=held, empty=held == 0)
                return Verdict(1, stage, line, wanted, tr("size {size}, empty: {empty}", size=size, empty=empty),
                               tr("the number of items is not kept up"))
    return None


def _queue_crash(pairs: list[tuple[Case, Any]], case: Case) -> str:
    """The cause of a crash in a case with equal items; "" if the case has none."""
    numbers = [x for x in case["steps"] if x is not None]
    return tr("equal items are lost: ties must stay in the queue, all of them") if len(set(numbers)) < len(numbers) else ""


def _judge_empty(stage: str, line: str, answer: Any) -> Verdict | None:
    if _is_error(answer):
        return _raised(answer, stage, line, tr("an error for the empty queue, and a queue that still works"),
                       tr("deleting from an empty queue must leave it as it is"))
    deleted, size, _ = answer[0]
    if not (isinstance(deleted, dict) and "raised" in deleted):
        return Verdict(1, stage, line, tr("an error: there is nothing to delete"), _shown(deleted),
                       tr("del_min on an empty queue must raise an error, as IndexError"))
    if size not in (0, None) or answer[2][0] != 3.0:
        return Verdict(1, stage, line, tr("an error, and then 3"),
                       tr("size {size}, and then {item}", size=size, item=answer[2][0]),
                       tr("deleting from an empty queue must leave it as it is"))
    return None


def _queue_differs(stage: str, line: str, pairs: list[tuple[Case, Any]], case: Case, truth: list[float | None],
                   got: list[Any]) -> Verdict:
    k = next(k for k, (t, g) in enumerate(zip(truth, got)) if t != g)
    if truth[k] is None:
        cause = tr("insert must not return anything")
    else:
        cause = next((tr(text) for queue, text in queues.QUEUES if _same_queue(queue, pairs)), "")
        here = [x for x in case["steps"][:k + 1] if x is not None]
        if got[k] is None:
            cause = tr("nothing is returned: a return is missing")
        elif not cause and got[k] not in here:
            cause = tr("that item was never inserted: items must stay as they are")
        elif not cause and [g for g in got[:k + 1] if g is not None].count(got[k]) > here.count(got[k]):
            cause = tr("an item comes out that has been deleted: n must shrink before sink, and sink must not look beyond n")
        cause = cause or tr("this is no heap: what is deleted must be the least item; see swim and sink, or the comparison")
    deletes = sum(step is None for step in case["steps"][:k + 1])
    return Verdict(1, stage, line, tr("{item} from deletion {k}", item=number(truth[k] or 0), k=deletes), _shown(got[k]), cause)


def _same_queue(queue: queues.Queue, pairs: list[tuple[Case, Any]]) -> bool:
    return all(queues.deletes(case["steps"], queue) == [row[0] for row in answer]
               for case, answer in pairs if not _is_error(answer) and not case.get("empty") and not case.get("two"))
