// The page: what is typed and chosen goes to the worker, and what jsonscan makes of it is shown. The address carries all of it.

const OPTIONS = { // the default first
  expect: ["container", "any", "object", "array"],
  repair: ["safe", "off", "full"],
  truncated: ["raise", "keep"],
  select: ["answer", "first", "last", "largest", "sole"],
  duplicate_keys: ["last", "first", "raise"],
  nonfinite: ["raise", "allow", "null"],
  big_int: ["exact", "float", "str"],
};
const EXAMPLES = {
  "a damaged answer in a fence": [
    "<think>\nMaybe {\"city\": \"Lyon\"}?\n</think>\nHere it is, {name}:\n\n```json\n{\n  'city': \"Paris\",  // the capital\n" +
    "  \"sights\": [\"Louvre\", \"Tour Eiffel\",],\n  \"open\": True\n}\n```\n\nThe old one was {\"city\": \"Nice\"}, by the way.\n", {}],
  "an answer that was cut": ["Sure:\n```json\n{\"items\": [{\"id\": 1, \"name\": \"pen\"}, {\"id\": 2, \"na", {}],
  "two verdicts": ["{\"verdict\": \"yes\"}\n\nOn reflection:\n{\"verdict\": \"no\"}\n", { select: "sole" }],
  "quotes inside a string": ["{\"said\": \"she wrote \"no\" and left\", 'n': 007}", { repair: "full" }],
  "nothing there": ["I cannot help with that.", {}],
};
const LONGEST_LINK = 8000; // beyond that some sites cut addresses off
const PATIENCE = 15000; // milliseconds for one answer: reading is linear, so this is a text of many megabytes

const at = id => document.getElementById(id);
const state = { raw: "", options: {} };
let shown = null; // the last answer
let worker, watch;
let busy = true; // the worker starts, or reads a text
let stale = false; // and there is a newer one
let turn = 0; // of the address
const PAUSE = 150; // milliseconds without a key before the text is read
let pause;

// -- the address: "#1." and the state as JSON, deflated, in base64url

const through = async (stream, bytes) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function packed() {
  const json = JSON.stringify({ raw: state.raw, ...state.options }); // lone surrogates become escapes
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(json));
  let text = "";
  for (let from = 0; from < bytes.length; from += 4096) text += String.fromCharCode(...bytes.subarray(from, from + 4096));
  return "#1." + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(fragment) {
  const text = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, char => char.charCodeAt(0)));
  const { raw, ...options } = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof raw !== "string") throw new TypeError("no text");
  return { raw, options };
}

async function fromAddress() {
  if (!location.hash.startsWith("#1.") || location.hash === await packed()) return;
  try {
    const { raw, options } = await unpacked(location.hash);
    take(raw, options);
  } catch {
    say("This address does not hold what a link of this page holds; it may have been cut off.", true);
  }
}

// -- what is typed and chosen

function take(raw, options) {
  at("raw").value = raw;
  for (const [name, choices] of Object.entries(OPTIONS)) at(name).value = choices.includes(options[name]) ? options[name] : choices[0];
  changed(raw);
}

async function changed(raw) {
  state.raw = raw;
  state.options = Object.fromEntries(Object.keys(OPTIONS).map(name => [name, at(name).value]).filter(([name, value]) => value !== OPTIONS[name][0]));
  const hidden = at("raw").value !== raw;
  at("note").hidden = !hidden;
  at("note").textContent = hidden ? "The text holds carriage returns, which this box cannot show. They are kept until you edit it." : "";
  at("call").textContent = `jsonscan.search(${["raw", ...Object.entries(state.options).map(([name, value]) => `${name}="${value}"`)].join(", ")})`;
  look();
  const mine = ++turn, address = await packed();
  if (mine === turn) history.replaceState(null, "", address);
}

// -- the worker

function start() {
  worker = new Worker("worker.js", { type: "module" });
  busy = true;
  worker.onmessage = ({ data }) => {
    clearTimeout(watch);
    if (data.html !== undefined) show(data);
    else say(data.trouble ?? `jsonscan ${data.version}, ${data.build} build, Python ${data.python}`, Boolean(data.trouble));
    busy = Boolean(data.dead);
    if (stale) look();
  };
  worker.onerror = error => say(`Python could not be started: ${error.message || "see the console"}`, true);
}

function look() {
  stale = busy;
  if (busy) return;
  busy = true;
  watch = setTimeout(() => {
    worker.terminate();
    say("That took too long and was stopped. Python starts anew …", true);
    start();
  }, PATIENCE);
  worker.postMessage({ raw: state.raw, options: JSON.stringify(state.options) });
}

function show(answer) {
  shown = answer;
  const page = at("page"), before = page.src;
  page.src = URL.createObjectURL(new Blob([answer.html], { type: "text/html" })); // not srcdoc: there, #links lead back to this page
  if (before) URL.revokeObjectURL(before);
  at("save").disabled = false;
  say(answer.outcome);
}

function say(words, bad = false) {
  at("status").textContent = words;
  at("status").classList.toggle("bad", bad);
}

// -- buttons

async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    say(words);
  } catch {
    say(`The clipboard cannot be reached. Copy the address of this page instead.`, true);
  }
}

async function link() {
  return new URL(await packed(), location.href).href;
}

async function report() {
  const call = at("call").textContent;
  const raw = JSON.stringify(state.raw).replace(/[\u007f-\uffff]/g, char => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"));
  return `jsonscan ${shown?.version ?? "?"}\n\n\`\`\`python\nraw = json.loads(r'''${raw.replaceAll("'", "\\u0027")}''')\n${call}\n` +
    `\`\`\`\n\ngives\n\n\`\`\`\n${shown?.outcome ?? "nothing yet"}\n\`\`\`\n\nExpected: ...\n\n${await link()}\n`;
}

async function copyLink() {
  const address = await link();
  await copy(address, address.length > LONGEST_LINK
    ? `Link copied. It has ${address.length.toLocaleString("en")} characters, which some sites cut off.` : "Link copied.");
}

function save() {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([shown.html], { type: "text/html" }));
  anchor.download = "response.html";
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}

// -- beginning

for (const [name, choices] of Object.entries(OPTIONS)) {
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.id = name;
  select.append(...choices.map(choice => new Option(choice, choice)));
  select.onchange = () => changed(state.raw);
  label.append(name, select);
  at("options").append(label);
}
at("example").append(...Object.keys(EXAMPLES).map(name => new Option(name, name)));
at("example").onchange = ({ target }) => {
  if (target.value) take(...EXAMPLES[target.value]);
  target.value = "";
};
at("raw").oninput = () => {
  clearTimeout(pause);
  pause = setTimeout(() => changed(at("raw").value), PAUSE);
};
at("link").onclick = copyLink;
at("report").onclick = async () => copy(await report(), "Bug report copied.");
at("save").onclick = save;
addEventListener("hashchange", fromAddress);

start();
if (location.hash.startsWith("#1.")) await fromAddress();
else take(...Object.values(EXAMPLES)[0]);
