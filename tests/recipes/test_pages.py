"""The pages of recipes: their code is run against the libraries it is for."""

from __future__ import annotations

import asyncio
import doctest
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from typing import Any, ClassVar

import pytest

import jsonscan

DOCS = pathlib.Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["models", "langchain", "instructor"]


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


class Answers(BaseHTTPRequestHandler):
    """A server of chat completions that says what it is told to."""

    texts: ClassVar[list[str]] = []
    asked: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        text = self.texts[min(len(self.asked), len(self.texts)) - 1]
        message = {"role": "assistant", "content": text}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "some-model",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Answers]]:
    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("NO_PROXY", "*")
    Answers.texts, Answers.asked = [], []
    yield Answers
    server.shutdown()
    server.server_close()
    thread.join()


def module_of(page: str) -> Any:
    """What the page shows as a module."""
    name = f"recipe_{page}"
    module = sys.modules[name] = types.ModuleType(name)  # where type hints and pickles are looked up
    for body in blocks(page, "python"):
        exec(compile(body, f"{page}.md", "exec", dont_inherit=True), module.__dict__)
    return module


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page(page: str, service: type[Answers]) -> None:
    if page == "instructor":
        service.texts = [re.search(r"answers ``(.*) ``:$", (DOCS / "instructor.md").read_text("utf-8"), re.MULTILINE)[1]]  # type: ignore[index]
    module = module_of(page)
    sessions = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), module.__dict__, page, f"{page}.md", 0)
    assert sessions.examples
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(sessions, clear_globs=False).failed == 0


# -- LangChain


def chunks(text: str) -> Iterator[str]:
    return (text[at : at + 3] for at in range(0, len(text), 3))


def test_langchain_streams_the_same_asynchronously() -> None:
    from langchain_core.exceptions import OutputParserException
    from langchain_core.language_models import FakeListChatModel

    parser = module_of("langchain").JSONScanParser
    text = 'So:\n```json\n{"a": [1, {"b": "text"}], "c": 3}\n```'
    chain = FakeListChatModel(responses=[text]) | parser()

    async def watched(chain: Any) -> list[Any]:
        return [value async for value in chain.astream("?")]

    values = asyncio.run(watched(chain))
    assert values == list(chain.stream("?"))
    assert values[-1] == {"a": [1, {"b": "text"}], "c": 3}
    assert all(one != other for one, other in pairwise(values))
    cut = FakeListChatModel(responses=[text[:30]]) | parser()
    with pytest.raises(OutputParserException):
        asyncio.run(watched(cut))
    with pytest.raises(OutputParserException):
        list(cut.stream("?"))


def test_langchain_reads_a_long_stream_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = module_of("langchain").JSONScanParser
    text = json.dumps([{"id": at} for at in range(2000)])
    fed = []
    feed = jsonscan.Stream.feed
    monkeypatch.setattr(jsonscan.Stream, "feed", lambda self, chunk: fed.append(len(chunk)) or feed(self, chunk))
    changes = [change for changes in parser(diff=True).transform(chunks(text)) for change in changes]
    assert sum(fed) == len(text)
    assert len(changes) < 2 * len(fed) + 10


# -- instructor


def asked_for_a_city(hook: Any, retries: int) -> Any:
    import instructor
    from openai import OpenAI
    from pydantic import BaseModel

    class City(BaseModel):
        city: str

    client = instructor.from_openai(OpenAI(max_retries=0), mode=instructor.Mode.JSON)
    client.on("completion:response", hook)
    return client.create(model="m", response_model=City, messages=[{"role": "user", "content": "?"}], max_retries=retries)


def test_instructor_asks_again_after_a_cut_response(service: type[Answers]) -> None:
    service.texts = ['{"city": "Par', '<think>{"city": 1}</think>{"city": "Paris"}']
    assert asked_for_a_city(module_of("instructor").only_json, 1).city == "Paris"
    assert len(service.asked) == 2


def test_instructor_gets_what_does_not_fit_and_says_so(service: type[Answers]) -> None:
    service.texts = ['Here: {"town": "Paris",}', '{"city": "Paris"}']
    assert asked_for_a_city(module_of("instructor").only_json, 1).city == "Paris"
    assert "Field required" in json.dumps(service.asked[1]["messages"])


# -- llm

FAKE = '''
import os, llm

class Told(llm.Model):
    model_id = "told"
    can_stream = False

    def execute(self, prompt, stream, response, conversation):
        path = os.environ["TOLD"]
        with open(path) as file:
            first, _, rest = file.read().partition("---")
        with open(path, "w") as file:
            file.write(rest)
        with open(path + ".asked", "a") as file:
            file.write(prompt.prompt + "---")
        yield first

@llm.hookimpl
def register_models(register):
    register(Told())
'''


@pytest.fixture
def run_llm(tmp_path: pathlib.Path) -> Any:
    """Run llm with the plugin as it would be installed, and a model that says what it is told to."""
    (plugin,) = re.findall(r'^\[project\.entry-points\.llm\]\njsonscan = "(\w+)"$', blocks("llm", "toml")[0], re.MULTILINE)
    for name, body in ((plugin, blocks("llm", "python")[0]), ("told", FAKE)):
        (tmp_path / f"{name}.py").write_text(body, "utf-8")
        info = tmp_path / f"{name}-0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
        (info / "entry_points.txt").write_text(f"[llm]\n{name} = {name}\n")
    told = tmp_path / "told.txt"

    def run(*arguments: str, told_to: str) -> subprocess.CompletedProcess[str]:
        told.write_text(told_to, "utf-8")
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "LLM_USER_PATH": str(tmp_path / "llm"), "TOLD": str(told)}
        return subprocess.run(
            [sys.executable, "-m", "llm", "json", *arguments, "-m", "told"],
            env=environment, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path,
        )  # fmt: skip

    return run


def test_llm_prints_the_json_and_nothing_else(run_llm: Any) -> None:
    done = run_llm("Which city?", told_to='<think>{"city": "Lyon"}</think>It is {\'city\': "Zürich",}!')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{\n  "city": "Zürich"\n}\n'


def test_llm_by_the_command_of_the_page(run_llm: Any) -> None:
    (command,) = blocks("llm", "sh")
    words = shlex.split(command.partition(" | jq ")[0])
    assert words[:2] == ["llm", "json"]
    at = words.index("-m")
    done = run_llm(*words[2:at], *words[at + 2 :], told_to='Here: [{"city": "Lima"}, {"city": "Oslo"}]')
    assert json.loads(done.stdout)[0] == {"city": "Lima"}


def test_llm_asks_again_with_what_was_wrong(run_llm: Any, tmp_path: pathlib.Path) -> None:
    done = run_llm("Which city?", told_to='{"city": "Par---{"city": "Paris"}')
    assert json.loads(done.stdout) == {"city": "Paris"}
    assert "cut off inside /city" in (tmp_path / "told.txt.asked").read_text("utf-8")


def test_llm_gives_up_in_one_line(run_llm: Any) -> None:
    done = run_llm("Which city?", "--retries", "0", told_to="No.")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Error: there is no JSON in the text: line 1 column 1 (char 0)\n")
