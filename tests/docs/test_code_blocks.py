"""What the documents show is what happens."""

from __future__ import annotations

import doctest
import pathlib
import re
import shlex
import subprocess
import sysconfig

import pytest

CHECKOUT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
RECIPES = {"models.md", "langchain.md", "instructor.md", "llm.md"}  # with other libraries; tests/recipes runs them
ENGINES = {f"{name}.md" for name in ("arrow", "polars", "duckdb", "dask", "ray", "spark")}  # tests/engines runs them, in theirs
# Blocks of other kinds, and what runs them.
ELSEWHERE = {
    ("README.md", "sh"): ".ci/run",
    ("docs/playground/README.md", "sh"): "tests/playground/conftest.py",
    ("docs/pre-commit.md", "yaml"): "tests/test_cli_manual.py",
    ("docs/langchain.md", "python"): "tests/recipes/test_pages.py",
    ("docs/instructor.md", "python"): "tests/recipes/test_pages.py",
    ("docs/llm.md", "python"): "tests/recipes/test_pages.py",
    ("docs/llm.md", "toml"): "tests/recipes/test_pages.py",
    ("docs/llm.md", "sh"): "tests/recipes/test_pages.py",
}
PROSE = {CHECKOUT / "docs" / "decisions", CHECKOUT / "docs" / "playground"}  # need no sessions
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: pathlib.Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(document.read_text(encoding="utf-8")) if name == language]


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def document(request) -> pathlib.Path:
    return request.param


def test_python_sessions(document, js):
    if document.name in RECIPES | ENGINES:
        return
    examples = re.sub("^>>> import jsonscan$", "", "\n".join(blocks(document, "pycon")), flags=re.MULTILINE)
    examples = examples.replace("from jsonscan", f"from {js.__name__}")
    test = doctest.DocTestParser().get_doctest(examples, {"jsonscan": js}, document.name, str(document), 0)
    assert test.examples or blocks(document, "console") or document.parent in PROSE
    assert doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test).failed == 0


def test_shell_sessions(document):
    if document.name in ENGINES:
        return
    commands = [
        line[2:] for block in blocks(document, "console") for line in block.splitlines() if line.startswith("$ ")
    ]
    scripts = sysconfig.get_path("scripts")
    for command in commands:
        done = subprocess.run(
            ["sh", "-c", f"PATH={shlex.quote(scripts)}:$PATH; {command}"],
            cwd=CHECKOUT,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), command
        assert done.stdout, command


def test_every_block_is_run_somewhere():
    languages = {
        (path.relative_to(CHECKOUT).as_posix(), language)
        for path in DOCUMENTS
        for language, _ in BLOCK.findall(path.read_text(encoding="utf-8"))
    }
    assert {each for each in languages if each[1] not in ("pycon", "console")} == set(ELSEWHERE)
    for (page, language), runner in ELSEWHERE.items():
        text = (CHECKOUT / runner).read_text(encoding="utf-8")
        assert pathlib.Path(page).stem in text and (language in text or page == "README.md"), page


def test_commands_that_take_long_are_those_of_an_environment(document):
    """What stands indented, without a prompt, and the names of environments in the text."""
    text, environments = document.read_text(encoding="utf-8"), (CHECKOUT / "tox.ini").read_text(encoding="utf-8")
    modules = re.findall(r"^    (?:.* && )?python -m ([\w.]+)", re.sub(BLOCK, "", text), re.MULTILINE)
    assert [module for module in modules if f"python -m {module}" not in environments] == []
    named = re.findall(r"`tox (?:run )?-e ([\w-]+)", text)
    assert [name for name in named if f"[testenv:{name}]" not in environments] == []


def test_each_engine_has_an_environment_that_runs_its_page():
    environments = (CHECKOUT / "tox.ini").read_text(encoding="utf-8")
    named = re.findall(r"--engine (\w+)", environments)
    assert {f"{name}.md" for name in named} | {"arrow.md"} == ENGINES


def test_the_readme_has_two_set_up_commands_of_one_line_each():
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    _, set_up, _ = re.split("<!-- (?:end of )?set-up -->", text)
    assert [len(body.splitlines()) for _, body in BLOCK.findall(set_up)] == [1, 1]


def test_links_lead_somewhere(document):
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []
