"use strict";
// Runs Python and hdsim for the page to try hdsim. Pyodide and numpy come from Pyodide's own place, of the version that hdsim is
// tested with; hdsim comes from the folder of this page. Nothing else is fetched.
const PYODIDE = "0.27.7";
const WHEEL = "hdsim-0.3.0.dev0-cp311-abi3-pyodide_2024_0_wasm32.whl";       // written here by tests/pyodide_wheel.py
const FRAME = 1000 / 60;        // milliseconds

// Another place for Pyodide, on this site only.
const given = new URLSearchParams(location.search).get("pyodide");
const place = given && new URL(given, location.href).origin === location.origin ? new URL(given, location.href).href
  : `https://cdn.jsdelivr.net/pyodide/v${PYODIDE}/full/`;
const language = new URLSearchParams(location.search).get("lang") || "en";

let workplace = null, wanted = null, last = performance.now();
const say = (kind, more) => postMessage({ kind, ...more });

async function begin() {
  say("state", { text: "python" });
  importScripts(place + "pyodide.js");
  const python = await loadPyodide({ indexURL: place });
  say("state", { text: "numpy" });
  const quiet = { messageCallback() {} };
  await python.loadPackage("numpy", quiet);
  say("state", { text: "hdsim" });
  await python.loadPackage(new URL(WHEEL, location.href).href, { ...quiet, checkIntegrity: false });
  workplace = python.pyimport("hdsim.browser.worker").Workplace(language);
  say("ready", { scripts: workplace.scripts(), choices: JSON.parse(workplace.choices()) });
  tick();
}

function tick() {
  const now = performance.now();
  try {
    workplace.tick((now - last) / 1000);
    if (wanted) picture();
  } catch (error) {
    say("failed", { text: error.message });
  }
  last = now;
  setTimeout(tick, Math.max(0, FRAME - (performance.now() - now)));
}

// The next picture, if there is something new for what the page has.
function picture() {
  const found = workplace.picture(JSON.stringify(wanted));
  if (!found) return;
  const [header, ...parts] = found.toJs({ create_proxies: false });
  found.destroy();
  const buffers = parts.map(part => part.slice());        // out of the memory of Python, which moves
  postMessage({ kind: "picture", header: JSON.parse(header), buffers }, buffers.map(part => part.buffer));
  wanted = null;
}

const ACTIONS = {
  run: ({ program }) => say("ran", { text: workplace.run(program) }),
  do: ({ command }) => {
    const refused = workplace.do(JSON.stringify(command));
    if (refused) say("refused", { text: refused });
  },
  want: ({ have }) => { wanted = have; },
  link: ({ program }) => say("link", { text: workplace.link(program) }),
  open: ({ text }) => say("opened", { program: workplace.open_link(text) }),
};

onmessage = ({ data }) => {
  try {
    ACTIONS[data.kind](data);
  } catch (error) {
    const lines = error.message.trim().split("\n");
    say("failed", { text: lines[lines.length - 1] });
  }
};

begin().catch(error => say("failed", { text: `${error.message || error}`, final: true }));
