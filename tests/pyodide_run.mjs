// Runs Python code in Pyodide, in node: node pyodide_run.mjs PYODIDE WHEEL CODE [TESTS PACKAGES]
//
// PYODIDE: the folder of the package `pyodide` from npm, beside whose files the wheel of numpy is found or put. CODE: a file of
// Python. FOLDERS: what is seen as /tests and /packages, if it is given. What the code prints is printed; it ends with status 1 if it throws.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel, code, ...seen] = process.argv.slice(2).map(name => resolve(name));
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")).href);
const quiet = { messageCallback() {}, checkIntegrity: true };
const python = await loadPyodide({ indexURL: folder });
await python.loadPackage("numpy", quiet);
await python.loadPackage(wheel, quiet);
for (const [k, root] of seen.entries()) {
  const place = ["/tests", "/packages"][k];
  python.FS.mkdir(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
try {
  await python.runPythonAsync(readFileSync(code, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.exit(0);
