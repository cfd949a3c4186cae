// Python in a thread of its own: it loads jsonscan's pure wheel and answers one text at a time.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const GLUE = `
import json, platform
import jsonscan
from jsonscan.page import page


def about():
    return json.dumps({"version": jsonscan.__version__, "build": jsonscan.BUILD, "python": platform.python_version()})


def outcome(raw, options):
    try:
        match = jsonscan.search(raw, **options)
    except jsonscan.JSONScanError as error:
        return f"{type(error).__name__}: {error}"
    return "None" if match is None else repr(match).encode("utf-8", "backslashreplace").decode()


def look(raw, options):
    options = json.loads(options)
    return json.dumps({"version": jsonscan.__version__, "html": page(raw, **options), "outcome": outcome(raw, options)})
`;

async function begin() {
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  const wheel = await fetch(new URL("jsonscan.whl", import.meta.url));
  if (!wheel.ok) throw new Error(`jsonscan.whl: ${wheel.status} ${wheel.statusText}`);
  python.unpackArchive(await wheel.arrayBuffer(), "wheel");
  python.runPython(GLUE);
  postMessage(JSON.parse(python.globals.get("about")()));
  return python.globals.get("look");
}

const ready = begin();
ready.catch(error => postMessage({ trouble: `Python could not be started: ${error.message}`, dead: true }));

onmessage = async ({ data }) => {
  const look = await ready;
  try {
    postMessage(JSON.parse(look(data.raw, data.options)));
  } catch (error) {
    postMessage({ trouble: `This is a bug in jsonscan: ${error.message.trim().split("\n").at(-1)}` });
  }
};
