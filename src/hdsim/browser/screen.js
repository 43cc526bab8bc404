// The screen of a page: discs drawn by discs.js, all else as Python has drawn it (record.js), and the mouse, the fingers and the
// keys, which Python is told of: what they mean is the matter of the parts of a window (viewer/parts). The served page, the widget
// of a notebook and the page to try hdsim differ in their `link` only: link.send(command) has a command executed, and returns a
// promise or nothing.
//
//   const screen = hdsimScreen(root, link, choices)
//   screen.receive(header, arrays)        shows a message, see messages.py
//   screen.have()                         what the page has already, for the next message
const hdsimScreen = (() => {

const STYLE = `
.hd { position: relative; height: 100%; overflow: hidden; outline: none; user-select: none; -webkit-user-select: none;
  touch-action: none; -webkit-touch-callout: none; cursor: default; }
.hd-picture { position: absolute; inset: 0; }
.hd button { position: absolute; padding: 0; border: 0; background: none; pointer-events: none; border-radius: 5px; }
.hd button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.hd-status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.hd-told { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); padding: 6px 12px; border-radius: 6px;
  font: 13px/1.3 Helvetica, Arial, sans-serif; background: var(--panel); color: var(--warning); }
.hd-told:empty { display: none; }
`;
const NAMES = { ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down", PageUp: "PgUp", PageDown: "PgDn",
                Escape: "Esc", Delete: "Del", Insert: "Ins", " ": "Space", Enter: "Enter", Home: "Home", End: "End", Tab: "Tab",
                Backspace: "Backspace", F1: "F1" };
const BUTTONS = [1, 2, 4];          // of Python, by number of the event
const STILL = 7, LONG = 550;        // a finger that has moved less, CSS pixels, for so long, milliseconds, is a right button
const PINCH = Math.log(1.25);       // logarithm of the magnification for one step of the wheel
const TWIST = .02;                  // radians by which two fingers turn at least
const CLICK = 100;                  // pixels of the wheel for one step

return function (root, link, choices) {
  const doc = root.ownerDocument, state = { header: null, scene: null, pieces: {}, due: false };
  const me = Array.from(crypto.getRandomValues(new Uint8Array(6)), byte => byte.toString(16).padStart(2, "0")).join("");
  const say = text => choices.texts[text] || text;
  const make = (tag, className, ...children) => {
    const found = Object.assign(doc.createElement(tag), { className });
    found.append(...children);
    return found;
  };
  const surface = make("div", "hd-picture"), status = make("div", "hd-status"), told = make("div", "hd-told");
  const bar = make("div", ""), all = make("div", "hd", make("style", "", STYLE), surface, bar, status, told);
  all.tabIndex = -1;
  status.setAttribute("aria-live", "polite");
  root.append(all);
  const picture = new hdsimDrawing.Picture(surface);
  picture.view = view;
  picture.overlays.push(drawPieces);

  // what is shown

  function have() {
    const versions = state.header ? state.header.versions : { scene: -1, discs: -1, colors: -1, record: -1, file: -1 };
    return { serial: state.header ? state.header.serial : -1, ...versions };
  }

  function receive(header, arrays) {
    if (state.header && header.serial < state.header.serial) return;    // it was overtaken
    const known = { ...state.pieces, ...header.record };
    if (header.pieces.some(number => !(number in known))) return;       // it was for another view, which has more
    if (header.scene) {
      state.scene = header.scene;
      picture.setScene(header.scene);
      for (const name of ["accent", "panel", "warning"]) {
        all.style.setProperty("--" + name, hdsimDrawing.css(header.scene.theme[name]));
      }
    }
    if (arrays.radii || arrays.colors) picture.setDiscs(arrays.radii || picture.radii, arrays.colors || picture.colors);
    if (arrays.positions) picture.setPositions(arrays.positions, arrays.bodies);
    if (header.space) picture.setSpace(header.space, arrays.spheres, arrays.inks);
    if (arrays.places) picture.setPositions(hdsimMessages.widened(arrays.places, state.scene.box), arrays.bodies);
    state.pieces = Object.fromEntries(header.pieces.map(number => [number, known[number]]));
    const full = state.header && header.fullscreen !== state.header.fullscreen && header.page === me;
    state.header = header;
    redraw();
    if (full) (header.fullscreen ? all.requestFullscreen() : doc.exitFullscreen()).catch(() => null);
    if (header.file && header.file.page === me) take(header.file, arrays.file);
    if (!state.asked) resized();
  }

  // CSS pixels of this page for each of the picture, which may be laid out for another page.
  function fit() {
    const [wide, high] = state.header.size;
    return Math.min(surface.clientWidth / wide, surface.clientHeight / high);
  }

  function view() {
    const { header, scene } = state, sharp = window.devicePixelRatio || 1, unit = sharp * fit();
    const [x, y, scale, line, least] = header.view, bottom = (header.size[1] - y) * unit;
    return { width: Math.round(surface.clientWidth * sharp), height: Math.round(surface.clientHeight * sharp), sharp, unit,
             line: Math.max(1, line * unit), least: least * unit, scale: scale * unit, left: x * unit, bottom,
             top: bottom - scale * unit * scene.box[1] };
  }

  function drawPieces(pen, { sharp }) {
    const { header, pieces } = state, unit = sharp * fit();
    pen.scale(unit, unit);
    for (const number of header.pieces) hdsimRecord(pen, header.size[1], pieces[number]);
  }

  // Transparent buttons over those that are drawn: for the keyboard, and for readers of a screen.
  function placeButtons() {
    const number = state.header.pieces[state.header.pieces.length - 1], key = `${number} ${fit()}`;
    if (bar.dataset.shown === key) return;
    bar.dataset.shown = key;
    const places = state.pieces[number].b, high = state.header.size[1], unit = fit();
    while (bar.children.length > places.length) bar.lastChild.remove();
    places.forEach(([label, lit, left, bottom, right, top], k) => {
      const button = bar.children[k] || bar.appendChild(Object.assign(make("button", ""), { type: "button" }));
      button.setAttribute("aria-label", label);
      button.setAttribute("aria-pressed", lit);
      button.style.cssText = `left:${left * unit}px; top:${(high - top) * unit}px; width:${(right - left) * unit}px; `
        + `height:${(top - bottom) * unit}px`;
      button.onclick = () => click((left + right) / 2, (bottom + top) / 2, 1);
    });
  }

  function tell(text) { told.textContent = text; }

  // files

  // The whole picture on one canvas.
  function composite(canvas = make("canvas", "")) {
    picture.draw();
    [canvas.width, canvas.height] = [picture.canvas.width, picture.canvas.height];
    const pen = canvas.getContext("2d");
    for (const layer of surface.querySelectorAll("canvas")) pen.drawImage(layer, 0, 0);
    return canvas;
  }

  function save(blob, name) {
    const way = Object.assign(make("a", ""), { href: URL.createObjectURL(blob), download: name });
    way.click();
    setTimeout(() => URL.revokeObjectURL(way.href), 60000);
  }

  function take({ name, take: what }, data) {
    if (!what) save(new Blob([data]), name);
    else if (what === "picture") composite().toBlob(blob => save(blob, name));
    else if (what === "film") beginFilm(name);
    else if (what === "end") state.film?.recorder.stop();
    else if (what === "open") {
      const input = Object.assign(make("input", ""), { type: "file", onchange: () => send(input.files) });
      input.click();
    }
  }

  function beginFilm(name) {
    const canvas = composite(), recorder = new MediaRecorder(canvas.captureStream(30)), parts = [];
    recorder.ondataavailable = event => parts.push(event.data);
    recorder.onstop = () => {
      state.film = null;
      save(new Blob(parts, { type: recorder.mimeType }), name.replace("webm", recorder.mimeType.includes("mp4") ? "mp4" : "webm"));
    };
    recorder.start();
    state.film = { canvas, recorder };
  }

  async function send([file]) {
    if (!file) return;
    const data = await new Promise(resolve => {
      const reader = Object.assign(new FileReader(), { onload: () => resolve(reader.result.replace(/^[^,]*,/, "")) });
      reader.readAsDataURL(file);
    });
    link.send({ do: "file", name: file.name, data });
  }

  // what Python is told: events are gathered while others are under way

  let waiting = [], busy = false;

  function tellPython(...events) {
    const { header } = state;
    if (!header) return;
    if (events.some(event => event.do !== "size") && (header.page !== me || state.asked !== header.size.join())) {
      waiting.push(size());
    }
    for (const event of events) {
      const last = waiting[waiting.length - 1];
      if (last && event.do === "move" && last.do === "move") waiting.pop();
      if (last && event.do === "drag" && last.do === "drag") {
        waiting.pop();
        [event.dx, event.dy] = [event.dx + last.dx, event.dy + last.dy];
      }
      waiting.push(event);
    }
    flush();
  }

  async function flush() {
    if (busy || !waiting.length) return;
    busy = true;
    const events = waiting;
    waiting = [];
    await link.send(events.length === 1 ? events[0] : { do: "events", events });
    busy = false;
    flush();
  }

  function size() {
    const [width, height] = [Math.max(surface.clientWidth, 160), Math.max(surface.clientHeight, 160)];
    state.asked = `${width},${height}`;
    return { do: "size", width, height, page: me };
  }

  function resized() {
    if (state.header && surface.clientWidth) tellPython(size());
    redraw();
  }

  // mouse and fingers

  function place(event) {
    const box = surface.getBoundingClientRect(), unit = fit();
    return { x: (event.clientX - box.left) / unit, y: state.header.size[1] - (event.clientY - box.top) / unit };
  }

  const held = event => (event.shiftKey ? 1 : 0) + (event.ctrlKey || event.metaKey ? 2 : 0);
  const click = (x, y, button) => tellPython({ do: "move", x, y }, { do: "press", x, y, button, held: 0 },
                                             { do: "release", x, y, button, held: 0 });
  const fingers = new Map();
  let pressed = null, timer = null, apart = null;     // apart: what two fingers were when they moved last

  surface.onpointerdown = event => {
    if (!state.header) return;
    all.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    const at = place(event);
    if (event.pointerType !== "touch") {
      pressed = { ...at, button: BUTTONS[event.button] || 1, told: true };
      tellPython({ do: "press", ...at, button: pressed.button, held: held(event) });
      return;
    }
    fingers.set(event.pointerId, at);
    clearTimeout(timer);
    if (fingers.size > 1) {         // what one finger has begun ends where it is
      if (pressed?.told) tellPython({ do: "release", x: pressed.x, y: pressed.y, button: 1, held: 0 });
      pressed = apart = null;
      return;
    }
    pressed = { ...at, button: 1, told: false };
    timer = setTimeout(() => {
      click(pressed.x, pressed.y, 4);
      pressed = null;
    }, LONG);
  };

  surface.onpointermove = event => {
    if (!state.header) return;
    const at = place(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at);
    if (fingers.size > 1) return pinch();
    if (!pressed) return event.pointerType === "touch" ? undefined : tellPython({ do: "move", ...at });
    const moved = { dx: at.x - pressed.x, dy: at.y - pressed.y };
    if (!pressed.told) {
      if (Math.hypot(moved.dx, moved.dy) < STILL) return;
      clearTimeout(timer);
      tellPython({ do: "press", x: pressed.x, y: pressed.y, button: 1, held: 0 });
      pressed.told = true;
    }
    Object.assign(pressed, at);
    tellPython({ do: "drag", ...at, ...moved, button: pressed.button, held: held(event) });
  };

  surface.onpointerup = surface.onpointercancel = event => {
    clearTimeout(timer);
    fingers.delete(event.pointerId);
    if (!pressed || !state.header) return;
    const at = place(event), { button } = pressed;
    if (pressed.told) tellPython({ do: "release", ...at, button, held: held(event) });
    else click(pressed.x, pressed.y, 1);
    pressed = null;
  };

  // Two fingers turn the wheel: apart and together, or both up and down; and they turn spheres around each other.
  function pinch() {
    const [a, b] = fingers.values(), now = { wide: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2,
                                             angle: Math.atan2(b.y - a.y, b.x - a.x) };
    if (apart && state.header.space) {
      const angle = Math.atan2(Math.sin(now.angle - apart.angle), Math.cos(now.angle - apart.angle));
      if (Math.abs(angle) > TWIST && Math.abs(angle) > Math.abs(Math.log(now.wide / apart.wide))) {
        tellPython({ do: "twist", x: now.x, y: now.y, angle });
        apart = now;
        return;
      }
    }
    if (apart) {
      const zoomed = Math.log(now.wide / apart.wide) / PINCH, moved = (now.y - apart.y) / CLICK;
      const clicks = Math.abs(zoomed) > Math.abs(moved) ? zoomed : -moved;
      if (Math.abs(clicks) < .1) return;
      tellPython({ do: "scroll", x: now.x, y: now.y, clicks });
    }
    apart = now;
  }

  surface.addEventListener("wheel", event => {
    if (!state.header || !(choices.wholePage || all.contains(doc.activeElement))) return;
    event.preventDefault();
    tellPython({ do: "scroll", ...place(event), clicks: -event.deltaY / (event.deltaMode ? 3 : CLICK) });
  }, { passive: false });
  surface.oncontextmenu = event => event.preventDefault();
  all.ondragover = event => event.preventDefault();
  all.ondrop = event => {
    event.preventDefault();
    send(event.dataTransfer.files);
  };

  // keys: all that the browser does not need itself

  const keyboard = event => {
    const here = event.target === all || event.target === doc.body, onButton = bar.contains(event.target);
    if (!(here || onButton) || event.altKey) return;
    const name = NAMES[event.key] || (/^[!-~]$/.test(event.key) ? event.key : ""), control = event.ctrlKey || event.metaKey;
    if (!name || (control && !choices.keys.includes(name.toLowerCase()))) return;
    if ((onButton && ["Space", "Enter", "Tab"].includes(name)) || (name === "Tab" && event.target !== all)) return;
    tellPython({ do: "key", key: (event.shiftKey ? "Shift+" : "") + (control ? "Ctrl+" : "") + name });
    event.preventDefault();
    event.stopPropagation();
  };
  (choices.wholePage ? doc : all).addEventListener("keydown", keyboard);

  // drawing, at most once for each picture of the screen

  function redraw() {
    if (!state.due) requestAnimationFrame(frame);
    state.due = true;
  }

  let ended = false;
  function frame() {
    state.due = false;
    if (ended || !state.header || !state.scene) return;
    picture.draw();
    placeButtons();
    if (state.film) composite(state.film.canvas);
    const words = [state.header.status, state.header.note].filter(Boolean).join("   ");
    if (status.textContent !== words) status.textContent = words;
    state.drawn = (state.drawn || 0) + 1;
  }
  const observer = new ResizeObserver(resized);
  observer.observe(surface);

  function close() {
    ended = true;
    observer.disconnect();
    picture.close();
    doc.removeEventListener("keydown", keyboard);
    all.remove();
  }

  return { receive, have, tell, say, close, state, picture };
};
})();
