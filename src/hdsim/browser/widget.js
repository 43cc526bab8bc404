// The widget of a notebook. All views of a model in this page have one feed, which asks the kernel for the next few pictures:
// again and again while the run goes on, and now and then while it is paused. Without a view that is seen nothing is asked, and
// the run stands.
const SLOWLY = 250;             // milliseconds between two questions while the run is paused
const LOST = 3000;              // milliseconds after which an answer is not expected any more ...
const LOST_MOST = 60000;        // ... and after which at most, if none has come: it waits while a cell is running
const AHEAD = 250;              // milliseconds for which pictures are asked for at once ...
const FEWEST = 2, MOST = 16;    // ... and how many of them
const LEARN = .1;               // weight of the latest time in a mean

class Feed {
  constructor(model) {
    this.model = model;
    this.name = Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, "0")).join("");
    this.views = new Set();
    this.number = 0;            // of the latest question
    this.pictures = 0;          // how many it asked for ...
    this.more = 0;              // ... and how many of them are still to come
    this.unanswered = false;    // whether none has come
    this.waiting = [];          // numbers of questions, and what waits for their answers
    this.lost = LOST;
    this.paused = false;
    this.between = this.drawing = 1000 / 60;    // milliseconds between pictures, and from the arrival of one until it is drawn
    this.asked = this.heard = 0;                // when the latest question was, and the latest answer
    this.due = false;                           // whether a picture is being drawn
    this.arrived = 0;
    this.receive = (content, buffers) => this.take(content, buffers);
    model.on("msg:custom", this.receive);
  }

  add(screen) {
    this.views.add(screen);
    if (this.views.size === 1) this.timer = setInterval(() => this.proceed(), SLOWLY);
    this.ask();
  }

  remove(screen) {
    this.views.delete(screen);
    if (this.views.size > 0) return;
    clearInterval(this.timer);
    this.model.send({ kind: "gone", view: this.name });
  }

  // Ask if it is time to.
  proceed() {
    if (this.views.size === 0 || document.hidden) return;
    const now = performance.now();
    if (this.unanswered || this.more > this.pictures / 2) {
      if (now - Math.max(this.asked, this.heard) < this.lost) return;
      this.lost = Math.min(2 * this.lost, LOST_MOST);
    } else if (this.paused && now - this.asked < SLOWLY) return;
    this.ask();
  }

  // For the view that has least; the others get the same again.
  ask() {
    const all = [...this.views].map(view => view.have()), have = all.reduce((a, b) => a.serial <= b.serial ? a : b);
    this.asked = performance.now();
    this.number++;
    this.pictures = Math.min(Math.max(Math.round(AHEAD / this.between), FEWEST), MOST);
    this.unanswered = true;
    const every = Math.min(Math.max(this.drawing / 1000, 1 / 60), 1);
    this.model.send({ kind: "ask", view: this.name, number: this.number, pictures: this.pictures, every, have });
  }

  send(command) {
    this.model.send({ kind: "do", view: this.name, command });
    this.ask();
    return new Promise(resolve => {     // what follows waits for the answer, or until it is lost
      this.waiting.push([this.number, resolve]);
      setTimeout(resolve, LOST);
    });
  }

  take(header, buffers) {
    if (header.view === this.name) {
      const now = performance.now();
      if (this.more) this.between += LEARN * (Math.min(now - this.heard, 1000) - this.between);
      [this.heard, this.more, this.lost] = [now, header.more, LOST];
      if (header.number === this.number) this.unanswered = false;
      this.waiting = this.waiting.filter(([number, resolve]) => number > header.number || resolve());
    }
    this.drawn();
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

  // Go on when what has come is drawn, which a page does that is seen.
  drawn() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.due = false;
      this.drawing += LEARN * (Math.min(performance.now() - this.heard, 1000) - this.drawing);
      this.proceed();
    }));
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
