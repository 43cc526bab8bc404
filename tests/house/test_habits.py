"""What people expect of a project: versions that exist, workflows by hash, forms, a history of its speed."""
import csv
import importlib.util
import re

import pytest

import hdsim

RELEASE = re.compile(r"\d+\.\d+\.\d+")


def releases(root):
    """The versions of the changelog, the latest first."""
    return re.findall(r"^## (\S+)$", (root / "CHANGELOG.md").read_text(), re.M)


def test_the_changelog_has_the_version(root):
    """A release stands first; on the way to the next one, what is not released stands before the latest one."""
    first, *others = releases(root)
    assert all(RELEASE.fullmatch(version) for version in others)
    if RELEASE.fullmatch(hdsim.__version__):
        assert first == hdsim.__version__
    else:
        assert first == "Unreleased" and re.fullmatch(r"\d+\.\d+\.0\.dev0", hdsim.__version__)
        assert tuple(map(int, hdsim.__version__.split(".")[:2])) > tuple(map(int, others[0].split(".")[:2]))


def test_what_is_cited_is_the_latest_release(root):
    latest = next(version for version in releases(root) if version != "Unreleased")
    assert re.search(r"^version: (\S+)$", (root / "CITATION.cff").read_text(), re.M)[1] == latest


def test_actions_have_a_hash_and_a_version(root):
    """A tag can be moved by whoever owns it."""
    for workflow in (root / ".github" / "workflows").glob("*.yml"):
        used = re.findall(r"uses: (.*)", workflow.read_text())
        assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} +# v[\d.]+", line) for line in used), workflow


def test_the_forms_for_issues_ask_what_is_needed(root):
    """A wrong result, refused input, slowness: each can be read as a form, and one field at least must be filled in."""
    if importlib.util.find_spec("yaml") is None:
        pytest.skip("PyYAML is not installed")
    import yaml

    forms = {file.stem: yaml.safe_load(file.read_text()) for file in (root / ".github" / "ISSUE_TEMPLATE").glob("*.yml")}
    assert {*forms} == {"config", "wrong-result", "refused-input", "slow"}
    del forms["config"]
    for form in forms.values():
        assert form["name"] and form["description"] and form["labels"]
        fields = form["body"]
        assert any(field.get("validations", {}).get("required") for field in fields)
        assert len({field["id"] for field in fields}) == len(fields)
        assert all(field["type"] in ("textarea", "input") and field["attributes"]["label"] for field in fields)


def test_the_history_of_speed_is_of_releases(root):
    """Each line has a release, a commit and a machine, and rates that are positive where they were measured."""
    with (root / "benchmarks" / "history.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and {row["version"] for row in rows} <= {*releases(root)}
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{7,40}", row["commit"]) and row["machine"] and row["processor"]
        rates = [float(value) for name, value in row.items() if name.startswith("gas ") and value]
        assert rates and min(rates) > 0


def test_the_pages_for_contributors_point_at_what_is_there(root):
    for page in ("CONTRIBUTING.md", "SECURITY.md"):
        links = re.findall(r"\]\(([^)#]+)[^)]*\)", (root / page).read_text())
        assert links and all((root / link).exists() for link in links), page
