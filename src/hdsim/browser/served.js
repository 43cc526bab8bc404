// The page of `python -m hdsim ... --browser`: a worker gets pictures from its server (pull.js), and commands are sent by POST.
function serve(root, choices, source) {
  const reader = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, "0")).join("");
  const address = new URL(".", location.href).href, headers = { "Content-Type": "application/json" };
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const post = (way, value) => fetch(way, { method: "POST", body: JSON.stringify(value), headers, keepalive: true })
    .catch(() => null);
  const tell = () => worker.postMessage({ address, reader, hidden: document.hidden });
  const screen = hdsimScreen(root, { send: command => post("do", command) }, { ...choices, wholePage: true });
  const served = { screen, worker, line: { arrived: 0 } };
  worker.onmessage = ({ data }) => {
    if ("lost" in data) {
      screen.tell(data.lost ? screen.say("connection lost; trying again") : "");
      return;
    }
    served.line = data.line;
    screen.receive(data.header, data.arrays);
    const next = () => worker.postMessage({ ready: true });
    if (document.hidden) next();        // there are no animation frames then
    else requestAnimationFrame(next);
  };
  addEventListener("visibilitychange", () => {
    tell();
    worker.postMessage({ ready: true });
  });
  addEventListener("pagehide", () => post(`leave?reader=${reader}`, {}));
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });
  tell();
  return served;
}
