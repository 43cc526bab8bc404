"""For mkdocstrings: the examples of docstrings, which are doctests, become blocks of code of a page."""
import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^|(?<=\n\n))>>> .*?(?=\n\n|\Z)", re.S)


class Doctests(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```python\n{found[0]}\n```", obj.docstring.value)
