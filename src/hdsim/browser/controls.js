// The controls of a page: the picture, the bar below it, and the panels beside it. The served page, the widget of a notebook and
// the page to try hdsim differ in their `link` only: link.send(command) has a command executed, and returns a promise.
//
//   const controls = hdsimControls(root, link, choices)
//   controls.receive(header, arrays)        shows a message, see messages.py
//   controls.have()                         what the page has already, for the next message
const hdsimControls = (() => {

const { el, Plots, Queue, Gas, drawContacts } = hdsimPanels;
const STYLE = `
.hd { position: relative; display: flex; flex-direction: column; height: 100%; font: 13px/1.3 system-ui, sans-serif;
  color: var(--text); background: var(--surround); outline: none; --control: color-mix(in srgb, var(--faint) 22%, transparent); }
.hd-top { flex: 1; min-height: 0; display: flex; }
.hd-picture { flex: 1 0 300px; min-width: 0; position: relative; cursor: pointer; touch-action: none; }
.hd-legend { position: absolute; left: 12px; bottom: 12px; padding: 6px 9px; border-radius: 6px; background: var(--panel);
  opacity: .94; pointer-events: none; font-size: 12px; }
.hd-legend i { display: block; width: 190px; height: 10px; margin: 3px 0; }
.hd-legend div { display: flex; justify-content: space-between; }
.hd-panel { flex: 0 1 auto; width: 370px; overflow: auto; box-sizing: border-box; padding: 8px 12px;
  border-left: 1px solid var(--control); }
.hd [hidden] { display: none !important; }
.hd-panel.hd-wide { width: 520px; }
.hd-panel.hd-gas { width: 300px; }
.hd-panel h2 { margin: 0 0 6px; font-size: 14px; }
.hd-panel.hd-fill { display: flex; flex-direction: column; overflow: hidden; }
.hd-plots { flex: 1; min-height: 0; width: 100%; display: block; }
.hd-about { margin-bottom: 6px; }
.hd-heap { display: grid; grid-template-columns: repeat(8, 1fr); gap: 4px 3px; }
.hd-card { border-left: 3px solid var(--kind); padding: 0 3px; background: var(--control); font-size: 9.5px; line-height: 1.25;
  overflow: hidden; white-space: nowrap; border-radius: 2px; min-width: 0; }
.hd-card b, .hd-card span { display: block; overflow: hidden; text-overflow: ellipsis; }
.hd-new { outline: 1px solid var(--accent); }
.hd-stale { opacity: .45; }
.hd-column { display: flex; flex-direction: column; gap: 2px; min-width: 0; }
.hd-day { display: inline-block; vertical-align: top; margin: 0 10px 5px 0; }
.hd-day:has(.hd-heap) { display: block; }
.hd-day i { font-style: normal; color: var(--faint); font-size: 11px; }
.hd-row { display: flex; flex-wrap: wrap; gap: 2px; }
.hd-tables { display: flex; gap: 20px; margin-top: 12px; font-size: 11px; align-items: flex-start; }
.hd-tables td, .hd-tables th { padding: 1px 4px; text-align: right; font-variant-numeric: tabular-nums; }
.hd-tables td:first-child, .hd-tables th:first-child { text-align: left; padding-left: 0; }
.hd-tables th { color: var(--faint); font-weight: normal; }
.hd-tables th:first-child { color: var(--accent); font-weight: bold; }
.hd-gas label { display: grid; grid-template-columns: 1fr 84px; align-items: center; gap: 2px 8px; margin-bottom: 8px; }
.hd-gas label[hidden] { display: none; }
.hd-gas label span { grid-column: 1 / 3; }
.hd-gas input[type=text] { font: inherit; color: inherit; background: var(--control); border: 0; border-radius: 4px;
  padding: 3px 6px; width: 72px; }
.hd-time { display: flex; align-items: center; gap: 10px; padding: 0 12px; }
.hd-time input, .hd-gas input[type=range] { flex: 1; min-width: 0; margin: 0; accent-color: var(--accent); }
.hd-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; padding: 4px 12px; }
.hd-bar button, .hd-bar select, .hd-gas button { height: 28px; min-width: 30px; padding: 0 8px; border: 0; border-radius: 5px;
  font: inherit; color: inherit; background: var(--control); cursor: pointer; }
.hd-bar select { max-width: 9em; }
.hd-bar option { color: black; background: white; }
.hd-bar button svg { display: block; margin: auto; fill: currentColor; }
.hd-bar button[aria-pressed=true] { background: var(--accent); color: var(--paper); }
.hd-bar button:hover, .hd-bar select:hover, .hd-gas button:hover { filter: brightness(.93); }
.hd :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.hd-bar output { min-width: 62px; text-align: center; font-variant-numeric: tabular-nums; }
.hd-gap { flex: 1; }
.hd-status { padding: 0 12px 6px; min-height: 18px; font-size: 12px; font-variant-numeric: tabular-nums; white-space: pre;
  overflow: hidden; text-overflow: ellipsis; }
@media (max-width: 700px) {
  .hd-top { flex-direction: column; }
  .hd-panel, .hd-panel.hd-wide, .hd-panel.hd-gas { width: 100%; height: 45%; }
}
`;
const ICONS = { play: "M3 1v12l10-6z", pause: "M2 1h4v12H2zM8 1h4v12H8z", step: "M2 1v12l8-6zM10.5 1H13v12h-2.5z",
                back: "M12 1v12L4 7zM1 1h2.5v12H1z", restart: "M7 2a5 5 0 1 1-4.6 3l1.7.8A3.2 3.2 0 1 0 7 3.8V6L3.5 3 7 0z",
                reverse: "M5 1v3h8v2H5v3L1 5zM9 6v3H1v2h8v3l4-4z" };
const COLORS = { auto: "automatic", file: "file", speed: "speed", collisions: "collisions", energy: "energy", order: "local order" };
const SEEK_EVERY = 60;          // milliseconds between two commands of a slider that is dragged

return function (root, link, choices) {
  const say = text => choices.texts[text] || text;
  const doc = root.ownerDocument, state = { header: null, scene: null, panels: {}, dirty: false, text: "", theme: "" };
  const shown = { plots: false, queue: false, gas: false };
  const send = (name, values) => link.send({ do: name, ...values });

  // the elements

  const icon = name => `<svg width="14" height="14"><path d="${ICONS[name]}"/></svg>`;
  const button = (label, inside, action) => {
    const found = el("button", { type: "button", title: label, innerHTML: inside, onclick: action });
    found.setAttribute("aria-label", label);
    return found;
  };
  const choice = (label, options, action) => {
    const found = el("select", { title: label, onchange: () => action(found.value) },
                     ...options.map(([value, text]) => el("option", { value, textContent: text })));
    found.setAttribute("aria-label", label);
    return found;
  };
  const surface = el("div", { className: "hd-picture", title: say("click on a disc: its trail") });
  const legend = el("div", { className: "hd-legend", hidden: true });
  const play = button(say("play, pause"), icon("play"), () => send("toggle"));
  const speed = el("output", { title: say("speed") });
  const slider = el("input", { type: "range", min: 0, max: 1, step: "any", value: 0 });
  slider.setAttribute("aria-label", say("time"));
  const clock = el("output");
  const colors = choice(say("colours"), choices.colors.map(name => [name, say(COLORS[name])]),
                        value => send("colors", { value }));
  const themes = choice(say("theme"), choices.themes.map(name => [name, say(name)]), value => send("theme", { value }));
  const sets = choice(say("data set"), [["", say("data set")], ...choices.datasets.map(([name]) => [name, name])],
                      source => source && send("open", { source }));
  [...sets.options].forEach((option, k) => { option.title = k ? choices.datasets[k - 1][1] : ""; });
  const status = el("div", { className: "hd-status" });
  const panel = (title, look) => el("div", { className: `hd-panel ${look}`, hidden: true }, el("h2", { textContent: title }));
  const hosts = { gas: panel(say("The gas"), "hd-gas"), queue: panel(say("Queue"), "hd-wide"),
                  plots: panel(say("Measured in the gas"), "hd-fill") };
  const drawers = { plots: new Plots(hosts.plots, say), queue: new Queue(hosts.queue, say),
                    gas: new Gas(hosts.gas, say, values => send("gas", values), () => send("partition")) };
  const toggles = Object.fromEntries(["gas", "queue", "plots"].map(name => {
    const found = button(say(name), "", () => toggle(name));
    found.textContent = say(name);
    found.setAttribute("aria-pressed", false);
    return [name, found];
  }));
  const all = el("div", { className: "hd", tabIndex: 0 }, el("style", { textContent: STYLE }),
    el("div", { className: "hd-top" }, surface, ...Object.values(hosts)),
    el("div", { className: "hd-time" }, slider, clock),
    el("div", { className: "hd-bar" },
      button(say("begin again"), icon("restart"), () => send("restart")),
      button(say("one event back"), icon("back"), () => send("step_back")), play,
      button(say("one event forward"), icon("step"), () => send("step")),
      button(say("reverse all velocities"), icon("reverse"), () => send("reverse")),
      button(say("slower"), "−", () => send("slower")), speed, button(say("faster"), "+", () => send("faster")),
      el("span", { className: "hd-gap" }), sets, colors, themes, ...Object.values(toggles)),
    status);
  root.append(all);
  const picture = new hdsimDrawing.Picture(surface);
  surface.append(legend);
  picture.overlays.push(drawTrails, drawNext);

  // what is shown

  function toggle(name) {
    shown[name] = !shown[name];
    hosts[name].hidden = !shown[name];
    toggles[name].setAttribute("aria-pressed", shown[name]);
    if (!shown[name]) delete state.panels[name];
    if (link.changed) link.changed();
    state.dirty = true;
  }

  function have() {
    const versions = state.header ? state.header.versions : { scene: -1, discs: -1, colors: -1 };
    const panels = Object.keys(shown).filter(name => shown[name])
      .map(name => `${name}:${state.panels[name] ? state.panels[name].version : -1}`);
    return { serial: state.header ? state.header.serial : -1, ...versions, panels: panels.join(",") };
  }

  function receive(header, arrays) {
    if (state.header && header.serial < state.header.serial) return;    // it was overtaken
    if (header.scene) {
      state.scene = header.scene;
      picture.setScene(header.scene);
      for (const [name, color] of Object.entries(header.scene.theme)) {
        if (name !== "palette") all.style.setProperty("--" + name, hdsimDrawing.css(color));
      }
      redraw();       // in the colours of another theme
    }
    if (arrays.radii || arrays.colors) picture.setDiscs(arrays.radii || picture.radii, arrays.colors || picture.colors);
    if (arrays.positions) picture.setPositions(arrays.positions);
    if (arrays.places) picture.setPositions(hdsimMessages.widened(arrays.places, state.scene.box));
    if (arrays.positions || arrays.places) {
      state.trails = Object.keys(arrays).filter(name => name.startsWith("trail ")).map(name => arrays[name]);
    }
    for (const [name, data] of Object.entries(header.panels)) {
      if (!shown[name]) continue;
      state.panels[name] = data;
      drawers[name].draw(data, state.scene.theme);
    }
    state.header = header;
    state.dirty = true;
  }

  function redraw() {
    for (const [name, data] of Object.entries(state.panels)) drawers[name].draw(data, state.scene.theme);
  }

  function tell(text) {
    state.text = text;
    state.dirty = true;
  }

  function put(element, name, value) {
    if (element[name] !== value) element[name] = value;
  }

  function update() {
    const { header } = state;
    const paths = header.paused ? "play" : "pause";
    if (play.dataset.icon !== paths) {
      play.dataset.icon = paths;
      play.innerHTML = icon(paths);
    }
    put(speed, "textContent", "× " + Number(header.speed.toPrecision(3)));
    put(colors, "value", header.colors);
    put(themes, "value", header.theme);
    put(sets, "value", choices.datasets.some(([name]) => name === header.name) ? header.name : "");
    const words = state.text || [header.status, header.note].filter(Boolean).join("   ");
    put(status, "textContent", words);
    put(status, "title", words);
    const span = header.end - header.begin;
    if (!dragging) slider.value = span > 0 ? (header.time - header.begin) / span : 1;
    put(clock, "textContent", "t = " + header.time.toPrecision(6));
    drawLegend(header.legend);
  }

  function drawLegend(data) {
    const text = JSON.stringify(data);
    if (legend.dataset.shown === text) return;
    legend.dataset.shown = text;
    legend.hidden = !data;
    if (!data) return;
    const bar = el("i"), scale = el("div", {}, ...data.texts.map(words => el("span", { textContent: words })));
    bar.style.background = `linear-gradient(to right, ${data.colors.map(hdsimDrawing.css).join(",") || "none, none"})`;
    const wheel = el("div", { textContent: say("hue: direction, strength: modulus") });
    legend.replaceChildren(el("b", { textContent: data.title }), " ", data.unit, ...(data.texts.length ? [bar, scale] : [wheel]));
  }

  function drawTrails(pen, view) {
    const { palette } = state.scene.theme;
    pen.lineWidth = 2 * view.sharp;
    (state.trails || []).forEach((pieces, k) => {
      pen.strokeStyle = hdsimDrawing.css(palette[k % palette.length]);
      for (let i = 0; i < pieces.length / 5; i++) {
        const [x0, y0, x1, y1, strength] = pieces.subarray(5 * i, 5 * i + 5);
        pen.globalAlpha = Math.sqrt(Math.max(strength, 0));
        pen.beginPath();
        pen.moveTo(view.left + view.scale * x0, view.bottom - view.scale * y0);
        pen.lineTo(view.left + view.scale * x1, view.bottom - view.scale * y1);
        pen.stroke();
      }
    });
  }

  function drawNext(pen, view) {
    if (state.panels.queue) drawContacts(pen, view, state.panels.queue, state.scene);
  }

  // mouse and keys

  let dragging = false, sought = 0;
  slider.oninput = () => {
    dragging = true;
    if (performance.now() - sought < SEEK_EVERY) return;
    sought = performance.now();
    seek();
  };
  slider.onchange = () => { seek(); dragging = false; };

  function seek() {
    const { begin, end } = state.header;
    send("seek", { time: begin + Number(slider.value) * (end - begin) });
  }

  surface.onclick = event => {
    if (!state.scene) return;
    const view = picture.view(), n = picture.radii.length, [w, h] = state.scene.box, [cutX, cutY] = state.scene.periodic;
    const x = (event.offsetX * view.sharp - view.left) / view.scale, y = (view.bottom - event.offsetY * view.sharp) / view.scale;
    let best = 6 * view.sharp / view.scale, found = null;
    for (let i = 0; i < n; i++) {
      let dx = Math.abs(picture.positions[i] - x), dy = Math.abs(picture.positions[n + i] - y);
      if (cutX) dx = Math.min(dx, w - dx);
      if (cutY) dy = Math.min(dy, h - dy);
      const gap = Math.hypot(dx, dy) - picture.radii[i];
      if (gap < best) [best, found] = [gap, i];
    }
    send("trail", { disc: found });
  };

  const next = (select, step) => {
    const values = [...select.options].map(option => option.value).filter(Boolean);
    return values[(values.indexOf(select.value) + step + values.length) % values.length];
  };
  const KEYS = { " ": () => send("toggle"), ArrowRight: () => send("step"), ArrowLeft: () => send("step_back"),
                 ArrowUp: () => send("faster"), ArrowDown: () => send("slower"),
                 Home: () => send("restart"), End: () => send("to_end"), r: () => send("reverse"),
                 c: () => send("colors", { value: next(colors, 1) }), p: () => toggle("plots"),
                 q: () => toggle("queue"), g: () => toggle("gas"), l: () => send("trail", { disc: null }),
                 "]": () => send("open", { source: next(sets, 1) }), "[": () => send("open", { source: next(sets, -1) }) };
  const keyboard = event => {
    const busy = ["INPUT", "SELECT", "BUTTON", "TEXTAREA"].includes(event.target.tagName);
    if (busy || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    KEYS[event.key]();
    event.preventDefault();
    event.stopPropagation();
  };
  (choices.wholePage ? doc : all).addEventListener("keydown", keyboard);

  // drawing, at most once for each picture of the screen

  let ended = false;
  function frame() {
    if (ended) return;
    if (state.dirty && state.header && state.scene) {
      state.dirty = false;
      picture.draw();
      update();
      state.drawn = (state.drawn || 0) + 1;
    }
    requestAnimationFrame(frame);
  }
  const resized = new ResizeObserver(() => {
    state.dirty = true;
    redraw();
  });
  resized.observe(surface);
  requestAnimationFrame(frame);

  function close() {
    ended = true;
    resized.disconnect();
    picture.close();
    doc.removeEventListener("keydown", keyboard);
    all.remove();
  }

  return { receive, have, tell, say, close, state, picture, shown };
};
})();
