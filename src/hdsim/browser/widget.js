// The widget of a notebook. All views of a model in this page have one feed, which asks the kernel for pictures: at each frame
// of the screen while the run goes on, and now and then while it is paused. Without a view nothing is asked, and the run stands.
const SLOWLY = 250;             // milliseconds between two questions while the run is paused
const LOST = 3000;              // milliseconds after which an answer is not expected any more ...
const LOST_MOST = 60000;        // ... and after which at most, if none has come: it waits while a cell is running
const ASKED_MOST = 2;           // questions under way

class Feed {
  constructor(model) {
    this.model = model;
    this.name = Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, "0")).join("");
    this.views = new Set();
    this.asked = [];            // when the questions that wait for an answer were asked
    this.answered = [];         // what waits for the next answer
    this.lost = LOST;
    this.paused = false;
    this.last = 0;
    this.arrived = 0;
    this.receive = (content, buffers) => this.take(content, buffers);
    model.on("msg:custom", this.receive);
  }

  add(screen) {
    this.views.add(screen);
    if (this.views.size === 1) this.loop();
    this.ask();
  }

  remove(screen) {
    this.views.delete(screen);
    if (this.views.size === 0) this.model.send({ kind: "gone", view: this.name });
  }

  loop() {
    if (this.views.size === 0) return;
    const now = performance.now();
    const expected = this.asked.filter(time => now - time < this.lost);
    if (expected.length < this.asked.length) this.lost = Math.min(2 * this.lost, LOST_MOST);
    this.asked = expected;
    if (this.asked.length < ASKED_MOST && (!this.paused || now - this.last > SLOWLY)) this.ask();
    requestAnimationFrame(() => this.loop());
  }

  // For the view that has least; the others get the same again.
  ask() {
    const all = [...this.views].map(view => view.have()), have = all.reduce((a, b) => a.serial <= b.serial ? a : b);
    this.last = performance.now();
    this.asked.push(this.last);
    this.model.send({ kind: "ask", view: this.name, have });
  }

  send(command) {
    this.model.send({ kind: "do", view: this.name, command });
    this.ask();
    return new Promise(resolve => {     // what follows waits for the answer, or until it is lost
      this.answered.push(resolve);
      setTimeout(resolve, LOST);
    });
  }

  take(header, buffers) {
    if (header.view === this.name) {
      this.asked.shift();
      this.lost = LOST;
      for (const resolve of this.answered.splice(0)) resolve();
    }
    if (header.same || !header.blocks) return;
    this.arrived++;
    this.paused = header.paused && !header.seeking;
    const message = hdsimMessages.assembled(header, buffers);
    for (const view of this.views) {
      const { scene, discs, colors } = view.have(), { arrays } = message;       // another page may have asked for less
      const whole = (header.scene || header.versions.scene === Number(scene)) && (arrays.radii || header.versions.discs === discs)
        && (arrays.colors || header.versions.colors === colors);
      if (whole) view.receive(message.header, arrays);
    }
  }
}

const feeds = new Map();        // by model

function render({ model, el }) {
  if (!feeds.has(model)) feeds.set(model, new Feed(model));
  const feed = feeds.get(model), root = document.createElement("div");
  root.style.height = model.get("height") + "px";
  el.append(root);
  const screen = hdsimScreen(root, { send: command => feed.send(command) }, model.get("choices"));
  feed.add(screen);
  root.hdsim = { screen, feed };
  return () => {
    feed.remove(screen);
    screen.close();
  };
}

export default { render };
