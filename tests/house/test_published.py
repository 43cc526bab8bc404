"""What is published beside the package: the paper's draft and the conda recipe say what the project says."""
import re

import hdsim


def test_the_paper_has_the_numbers_of_the_readme_and_each_reference(root):
    """Its table is that of the README, and it is short."""
    paper, readme = (root / "paper" / "paper.md").read_text(), (root / "README.md").read_text()
    table = re.search(r"^\| discs \|(?:.*\n)+?(?=\n)", paper, re.M)[0]
    assert table.count("\n") == 6 and table in readme
    cited = set(re.findall(r"@(\w+)", paper.split("---\n", 2)[2]))
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (root / "paper" / "paper.bib").read_text(), re.M)) and len(cited) > 5
    assert 250 < len(paper.split()) < 1000


def test_the_conda_recipe_needs_what_pip_needs(root):
    recipe, project = (root / "conda" / "recipe.yaml").read_text(), (root / "pyproject.toml").read_text()
    needed = dict(re.findall(r"^ +- (numpy|pyglet|cython|setuptools|python) (\S+)$", recipe, re.M))
    assert f'version: "{hdsim.__version__}"' in recipe
    assert needed["python"] == re.search(r'requires-python = "(.*)"', project)[1]
    for name in ("numpy", "pyglet", "cython", "setuptools"):
        assert re.search(rf'"{name}{re.escape(needed[name])}[;"]', project, re.I), name
