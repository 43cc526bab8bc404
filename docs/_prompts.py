"""For mkdocs: a block of Python that begins with a prompt is a session, of which site.css copies neither prompts nor outputs."""
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

BEHIND_SNIPPETS = 27        # and before fences, which are 25: parts of other files are sessions, too


class Sessions(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return [line.replace("python", "pycon") if line.strip() == "```python" and after.lstrip().startswith(">>> ") else line
                for line, after in zip(lines, [*lines[1:], ""])]


class Prompts(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Sessions(md), "sessions", BEHIND_SNIPPETS)


def on_config(config: Any) -> None:
    config.markdown_extensions.append(Prompts())
