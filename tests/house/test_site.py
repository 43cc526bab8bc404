"""The site: it builds without a warning, has every page and every public name, and loads nothing from elsewhere."""
import html
import importlib.util
import inspect
import json
import re
import subprocess
import sys
import zipfile
import zlib
from types import SimpleNamespace

import pytest
from scenes import environment

import hdsim

FORMULA = re.compile(r"\$[^$\n]+\$")
MODULES = ("observables", "states", "tables", "theory", "timestep")
pytestmark = [pytest.mark.tooling, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="module")
def site(root, missing, tmp_path_factory):
    """The folder of the built site; its builder has nothing to warn of. (--quiet would make it deaf to what strict counts.)"""
    if importlib.util.find_spec("mkdocstrings_handlers") is None or importlib.util.find_spec("material") is None:
        missing("the tools of the site are not installed (pip install 'hdsim[docs]')")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder], cwd=root,
                          env=environment() | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
    return folder


@pytest.fixture(scope="module")
def names(site):
    """What can be linked to in the reference: {name: address}."""
    *_, packed = (site / "objects.inv").read_bytes().split(b"\n", 4)
    lines = zlib.decompress(packed).decode().splitlines()
    return {line.split(" ")[0]: line.split(" ")[3].replace("$", line.split(" ")[0]) for line in lines}


def test_every_public_name_is_in_the_reference(names):
    """Of hdsim, and of its modules the functions and classes."""
    wanted = {f"hdsim.{name}" for name in hdsim.__all__ if name not in ("lab",)} | {"hdsim.lab.Result", "hdsim.lab.experiment"}
    for name, module in ((name, getattr(hdsim, name)) for name in MODULES):
        wanted |= {f"hdsim.{name}.{key}" for key, value in vars(module).items() if not key.startswith("_")
                   and (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__.startswith(module.__name__)}
    assert len(wanted) > 100
    assert wanted - names.keys() == set()


def test_what_can_be_read_of_a_system_is_in_the_reference(names):
    """Its arrays and numbers stand in a class of their own in the code, and beside its verbs in the reference."""
    assert all(f"hdsim.CollisionSystem.{name}" in names for name in ("simulate", "positions", "temperature", "schedule"))


def test_the_methods_of_compiled_classes_have_their_docstrings(site, names):
    """They stand in the compiled module, where a reader of source text does not see them."""
    for name, start in (("hdsim.Particle", hdsim.Particle.__doc__), ("hdsim.IndexMinPQ", hdsim.IndexMinPQ.__doc__)):
        page = (site / names[name].split("#")[0]).read_text()
        assert re.split(r"[`.,:;(]", start)[0].strip() in page


def test_every_picture_and_link_of_the_built_pages_is_there(site):
    """Also those that are no Markdown; and no page asks for anything from another machine."""
    count = 0
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for attribute, target in re.findall(r'\b(src|href)="([^"#?]+)[^"]*"', page.read_text()):
            if attribute == "src" or not target.startswith(("http", "mailto:")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
                count += 1
    assert count > 1000


def test_sessions_are_copied_without_prompts(site):
    """Every prompt of a page, of the README and of docstrings is marked as one, and the style hides marked text from the copy."""
    sessions = [block for page in site.rglob("*.html") for block in re.findall("<code[^>]*>(.*?)</code>", page.read_text(), re.S)
                if block.count("&gt;&gt;&gt; ")]
    assert len(sessions) > 50 and all("&gt;&gt;&gt; " not in re.sub('<span class="g[po]">.*?</span>', "", block, flags=re.S)
                                      for block in sessions)
    assert "[data-md-copying] :is(.gp, .go) { display: none; }" in (site / "site.css").read_text()


def test_the_page_to_try_hdsim_has_its_wheel(site):
    """The one that its script loads, of the present version, with the three engines."""
    wheel, = (site / "try").glob("*.whl")
    assert f'"{wheel.name}"' in (site / "try" / "worker.js").read_text() and f"hdsim-{hdsim.__version__}-" in wheel.name
    assert {"hdsim/_core.abi3.so", "hdsim/_core3.abi3.so", "hdsim/_spaces.abi3.so"} <= set(zipfile.ZipFile(wheel).namelist())


def test_pictures_are_small_and_have_a_text(root):
    """On the pages for readers: at most 150 KiB each, a film 1.5 MB; who does not see one reads what it shows."""
    for page in [root / "README.md", *(root / "docs").glob("*.md")]:
        for text, target in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text()):
            most = 1_500_000 if target.endswith(".gif") else 150 * 1024
            assert len(text) > 20 and (page.parent / target).stat().st_size <= most, f"{page.name}: {target}"


@pytest.fixture(scope="module")
def formulas(root, site):
    """docs/_formulas.py, which the build has used."""
    spec = importlib.util.spec_from_file_location("formulas", root / "docs" / "_formulas.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prose_of(text):
    """A page without blocks and code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def test_formulas_are_typeset_when_the_site_is_built(root, site):
    """All of them: as many as the pages have, and nothing of LaTeX is left for the reader's browser."""
    count = 0
    for page in (root / "docs").rglob("*.md"):
        text = page.read_text()
        written = len(re.findall(r"^```math$", text, re.M)) + len(FORMULA.findall(prose_of(text)))
        built = (site / page.relative_to(root / "docs").with_suffix(".html")).read_text()
        assert built.count("<math ") == written, page
        assert "arithmatex" not in built and re.search(r"<math.*?(\\|\$).*?</math>", built) is None, page
        count += written
    assert count > 300


def test_formulas_are_typeset_by_code_hosts(root):
    """They take a dollar for that of a formula only behind a blank or an opening bracket, and before no letter or digit."""
    for page in (root / "docs").rglob("*.md"):
        text = prose_of(page.read_text())
        assert text.count("$") == 2 * len(FORMULA.findall(text)), page
        for found in FORMULA.finditer(text):
            assert text[found.start() - 1] in " \n([" and not text[found.end()].isalnum(), f"{page.name}: {found[0]}"


def test_a_minus_and_a_slash_are_set_closely(formulas):
    made = formulas.mathml("(-b - c) / a = -1")
    assert made.count('<mo form="prefix">&#x02212;</mo>') == 2 and made.count("<mo>&#x02212;</mo>") == 1
    assert '<mo lspace="0" rspace="0">&#x0002F;</mo>' in made
    assert 'form="postfix"' in formulas.mathml(r"\lvert v\rvert") and 'display="block"' in formulas.mathml("x", block=True)


@pytest.mark.parametrize("wrong, why", [(r"\frac{a", "unequal numbers of braces"), (r"\left(a", "in latex2mathml"),
                                        (r"\arcosin x", r"does not know \arcosin"), ("a & b", "does not know <mi>&</mi>")])
def test_a_formula_that_cannot_be_typeset_ends_the_build(formulas, wrong, why):
    """With the page and the formula."""
    page = SimpleNamespace(file=SimpleNamespace(src_uri="page.md"))
    with pytest.raises(ValueError, match=re.escape(why)):
        formulas.mathml(wrong)
    with pytest.raises(pytest.importorskip("mkdocs.exceptions").PluginError, match=re.escape(f"page.md: formula {wrong!r}: ")):
        formulas.on_page_content(f'<p><span class="arithmatex">\\({html.escape(wrong)}\\)</span></p>', page)


def test_the_search_knows_the_pages(site):
    """One finds what stands on them."""
    found = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    assert {entry["location"].split("#")[0] for entry in found} >= {"tutorial.html", "physics.html", "api/systems.html"}


def test_chinese_pages_say_so_and_their_words_are_found(site, missing):
    """Chinese has no blanks: the search finds words that were parted when the site was built."""
    assert '<html lang="zh-CN"' in (site / "course" / "zh" / "5-loop.html").read_text()
    assert '<html lang="en"' in (site / "course" / "en" / "5-loop.html").read_text()
    if importlib.util.find_spec("jieba") is None:
        missing("jieba is not installed (pip install 'hdsim[docs]')")
    index = json.loads((site / "search" / "search_index.json").read_text())
    words = {word for entry in index["docs"] if entry["location"].startswith("course/zh/")
             for word in re.split(index["config"]["separator"], entry["title"] + " " + entry["text"])}
    assert words >= {"优先", "队列", "圆盘", "碰撞", "hdsim"} and "zh" in index["config"]["lang"]
