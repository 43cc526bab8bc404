"""For mkdocs: pages below a folder `zh` say that they are in Chinese, so that browsers take Chinese glyphs and voices."""
from typing import Any


def on_post_page(output: str, page: Any, config: Any) -> str:
    return output.replace('<html lang="en"', '<html lang="zh-CN"', 1) if "zh" in page.url.split("/") else output
