"""Students' programs, and event logs of any program, compared with the engine: python -m hdsim check, docs/checking.md."""
from .log import check_log
from .process import Limits
from .program import check_program
from .verdict import Verdict

__all__ = ["Limits", "Verdict", "check_log", "check_program"]


def __dir__() -> list[str]:
    return sorted(__all__)
