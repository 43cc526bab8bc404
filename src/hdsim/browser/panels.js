// The panels of a page: what is measured, the queue, and the sliders of the gas. The server reads all values (panels.py).
const hdsimPanels = (() => {

const { css } = hdsimDrawing;
const MEASURED = 1, THEORY = 4, OTHERS = [2, 3, 5];     // colours of the palette, as in the window
const KINDS = { pair: 1, wall: 2, "re-prediction": 5, timer: 0, redraw: 0 };

// An element with properties and children.
function el(tag, properties, ...children) {
  const found = Object.assign(document.createElement(tag), properties);
  found.append(...children);
  return found;
}

// Charts

// Round numbers from low to high, and their texts with a common power of ten.
function ticks(low, high, most) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(most, 1), decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10, 20].map(s => s * decade).find(s => s >= rough * (1 - 1e-9));
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

function tickTexts(places) {
  const largest = Math.max(...places.map(Math.abs), 0), decade = largest ? Math.floor(Math.log10(largest)) : 0;
  const shift = decade >= -2 && decade < 5 ? 0 : decade, step = places.length > 1 ? places[1] - places[0] : 10 ** decade;
  let decimals = 0;
  const shown = step / 10 ** shift;
  while (decimals < 15 && Math.abs(Number(shown.toFixed(decimals)) - shown) > 1e-6 * shown) decimals++;
  const raised = String(shift).replace(/./g, c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
  return [places.map(place => (place / 10 ** shift).toFixed(decimals).replace("-", "−")), shift ? `· 10${raised}` : ""];
}

class Chart {
  constructor(pen, theme, area, x, y) {
    Object.assign(this, { pen, theme, area, x, y });
  }

  atX(value) { return this.area[0] + (value - this.x[0]) / (this.x[1] - this.x[0]) * this.area[2]; }

  atY(value) {
    const share = Math.max(0, Math.min(1, (value - this.y[0]) / (this.y[1] - this.y[0])));
    return this.area[1] + this.area[3] * (1 - share);
  }

  axes(numbers, label) {
    const { pen, theme, area: [left, top, width, height] } = this;
    pen.lineWidth = 1;
    pen.font = "10px system-ui, sans-serif";
    pen.fillStyle = css(theme.faint);
    const places = ticks(...this.y, Math.max(2, Math.floor(height / 45))), [texts, power] = tickTexts(places);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    places.forEach((place, k) => {
      const y = Math.round(this.atY(place)) + .5;
      pen.strokeStyle = css(theme.faint);
      pen.globalAlpha = .25;
      this.stroke([[left, y], [left + width, y]]);
      pen.globalAlpha = 1;
      pen.fillText(texts[k], left - 5, y);
    });
    pen.textAlign = "left";
    pen.fillText(power, left + 4, top + 6);
    this.stroke([[left, top + height + .5], [left + width, top + height + .5]]);
    if (!numbers) return;
    const along = ticks(...this.x, Math.max(2, Math.floor(width / 70))), [words, shift] = tickTexts(along);
    const name = `${label || ""} ${shift}`.trim(), end = left + width - (name ? pen.measureText(name).width + 8 : -20);
    along.forEach((place, k) => {
      const x = this.atX(place);
      pen.textAlign = "center";
      if (x + pen.measureText(words[k]).width / 2 < end) pen.fillText(words[k], x, top + height + 10);
    });
    pen.textAlign = "right";
    pen.fillText(name, left + width, top + height + 10);
  }

  stroke(points) {
    this.pen.beginPath();
    points.forEach(([x, y], k) => k ? this.pen.lineTo(x, y) : this.pen.moveTo(x, y));
    this.pen.stroke();
  }

  curve(xs, ys, color) {
    this.pen.strokeStyle = css(color);
    this.pen.lineWidth = 1.8;
    this.stroke(xs.map((x, k) => [this.atX(x), this.atY(ys[k])]));
  }

  bars(top, heights, color) {
    const step = top / heights.length, bottom = this.area[1] + this.area[3];
    this.pen.fillStyle = css(color);
    this.pen.globalAlpha = .5;
    heights.forEach((height, k) => {
      const from = Math.round(this.atX(k * step)), to = Math.round(this.atX((k + 1) * step)), y = this.atY(height);
      this.pen.fillRect(from, y, to - from, bottom - y);
    });
    this.pen.globalAlpha = 1;
  }

  band(xs, low, high, color) {
    this.pen.fillStyle = css(color);
    this.pen.globalAlpha = .25;
    for (let k = 1; k < xs.length; k++) {
      if (low[k] === null || high[k] === null) continue;
      const from = Math.round(this.atX(xs[k - 1])), to = Math.round(this.atX(xs[k])), y = this.atY(high[k]);
      this.pen.fillRect(from, y, to - from, this.atY(low[k]) - y);
    }
    this.pen.globalAlpha = 1;
  }

  level(y, color) {
    this.pen.strokeStyle = css(color);
    this.pen.lineWidth = 1.8;
    this.pen.setLineDash([5, 4]);
    this.stroke([[this.area[0], this.atY(y)], [this.area[0] + this.area[2], this.atY(y)]]);
    this.pen.setLineDash([]);
  }
}

// The values measured in the gas, in a canvas that fills `host`.
class Plots {
  constructor(host, say) {
    this.say = say;
    this.canvas = el("canvas", { className: "hd-plots" });
    host.append(this.canvas);
  }

  draw(data, theme) {
    const canvas = this.canvas, sharp = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * sharp;
    canvas.height = height * sharp;
    const pen = canvas.getContext("2d"), gap = 10, head = 30, left = 46;
    pen.scale(sharp, sharp);
    const { speeds, courses } = data, each = (height - 36 - (courses.length + 1) * (gap + head)) / (1.9 + courses.length);
    let y = 0;
    data.heads.forEach((texts, k) => {
      const size = Math.max(each * (k ? 1 : 1.9), 4);
      this.head(pen, theme, y, width, texts);
      const area = [left, y + head, width - left - 4, size];
      if (k === 0) this.speeds(pen, theme, area, speeds);
      else this.course(pen, theme, area, courses[k - 1], k === courses.length);
      y += head + size + gap + (k === 0 ? 16 : 0);
    });
    if (data.note) this.text(pen, data.note, 0, height - 8, css(theme.faint), "11px");
  }

  text(pen, text, x, y, color, size, align = "left") {
    pen.font = `${size} system-ui, sans-serif`;
    pen.textAlign = align;
    pen.textBaseline = "alphabetic";
    pen.fillStyle = color;
    pen.fillText(text, x, y);
  }

  head(pen, theme, y, width, [title, unit, value, law, hasLaw]) {
    this.text(pen, title, 0, y + 12, css(theme.text), "bold 12px");
    this.text(pen, value, width, y + 12, css(theme.text), "bold 12px", "right");
    this.text(pen, law, width, y + 25, css(hasLaw ? theme.palette[THEORY] : theme.faint), "11px", "right");
    const room = width - pen.measureText(law).width - 10;
    if (pen.measureText(unit).width < room) this.text(pen, unit, 0, y + 25, css(theme.faint), "11px");
  }

  speeds(pen, theme, area, { top, density, curve, others }) {
    let highest = Math.max(...density, 0);
    if (curve) {        // discs at rest, such as heavy ones, would make the scale too large
      const law = Math.max(...curve[1]);
      highest = Math.min(Math.max(highest, law), 2 * law);
    }
    const chart = new Chart(pen, theme, area, [0, top], [0, 1.08 * highest || 1]);
    chart.axes(true, "");
    chart.bars(top, density, theme.palette[MEASURED]);
    if (curve) chart.curve(...curve, theme.palette[THEORY]);
    others.forEach(([heights, law], k) => {
      chart.curve(heights.map((_, i) => (i + .5) * top / heights.length), heights, theme.palette[OTHERS[k]]);
      if (law) chart.curve(...law, theme.palette[THEORY]);
    });
  }

  course(pen, theme, area, { times, values, errors, law, scale }, last) {
    if (!scale) return;
    const chart = new Chart(pen, theme, area, [0, Math.max(times[times.length - 1], 1e-300)], scale);
    chart.axes(last, this.say("time"));
    if (law !== null) chart.level(law, theme.palette[THEORY]);
    const known = errors.map((error, k) => error === null ? null : [values[k] - error, values[k] + error]);
    chart.band(times, known.map(both => both && both[0]), known.map(both => both && both[1]), theme.palette[MEASURED]);
    if (times.length > 1) chart.curve(times, values, theme.palette[MEASURED]);
  }
}

// The queue

class Queue {
  constructor(host, say) {
    this.say = say;
    this.about = el("div", { className: "hd-about" });
    this.cards = el("div", { className: "hd-cards" });
    this.tables = el("div", { className: "hd-tables" });
    host.append(this.about, this.cards, this.tables);
  }

  draw(data, theme) {
    this.theme = theme;
    this.about.textContent = data.about;
    const cards = data.entries.map(entry => this.card(entry));
    this.cards.replaceChildren(...(data.days.length ? this.days(data, cards) : [this.heap(cards)]));
    const { say } = this;
    this.tables.replaceChildren(
      this.table([[say("next contacts"), say("in")], ...data.contacts.map(([wait, discs]) => [discs, wait])]),
      this.table([[say("counters"), say("all"), say("per event"), say("last")], ...data.counters]));
  }

  card([time, discs, kind, isNew, stale]) {
    const color = css(kind in KINDS ? this.theme.palette[KINDS[kind]] : this.theme.faint);
    const card = el("div", { className: "hd-card" + (isNew ? " hd-new" : "") + (stale ? " hd-stale" : "") },
                    el("b", { textContent: discs }), el("span", { textContent: time }));
    card.style.setProperty("--kind", color);
    return card;
  }

  // A binary heap: four levels as a tree, and below it in each column the subtrees as indented lists.
  heap(cards) {
    const tree = el("div", { className: "hd-heap" });
    const list = (slot, depth) => {
      if (slot >= cards.length) return [];
      cards[slot].style.marginLeft = 5 * depth + "px";
      return [cards[slot], ...list(2 * slot + 1, depth + 1), ...list(2 * slot + 2, depth + 1)];
    };
    for (let level = 0; level < 4; level++) {
      for (let at = 0; at < 2 ** level && 2 ** level - 1 + at < cards.length; at++) {
        const card = cards[2 ** level - 1 + at], span = 8 / 2 ** level;
        card.style.gridRow = level + 1;
        card.style.gridColumn = `${at * span + 1} / span ${span}`;
        tree.append(card);
      }
    }
    for (let slot = 7; slot < Math.min(15, cards.length); slot++) {
      const column = el("div", { className: "hd-column" }, ...list(2 * slot + 1, 0), ...list(2 * slot + 2, 0));
      column.style.gridRow = 5;
      column.style.gridColumn = slot - 6;
      tree.append(column);
    }
    return tree;
  }

  // A calendar queue: a row for each day.
  days(data, cards) {
    let from = 0;
    return data.days.map((day, k) => {
      const own = cards.slice(from, from += day.shown);
      const name = k === 0 ? this.say("today") : day.number === null ? this.say("later") : `+${day.number - data.days[0].number}`;
      return el("div", { className: "hd-day" }, el("i", { textContent: `${name}: ${day.size}` }),
                day.heap && own.length >= 8 ? this.heap(own) : el("div", { className: "hd-row" }, ...own));
    });
  }

  table([head, ...rows]) {
    const row = (texts, tag) => el("tr", {}, ...texts.map(text => el(tag, { textContent: text })));
    return el("table", {}, row(head, "th"), ...rows.map(texts => row(texts, "td")));
  }
}

// Draws the next contacts and those of the latest step over the picture.
function drawContacts(pen, view, data, scene) {
  const at = ([x, y]) => [view.left + view.scale * x, view.bottom - view.scale * y];
  const ring = (point, radius, color, width) => {
    pen.beginPath();
    pen.arc(...at(point), radius, 0, 2 * Math.PI);
    pen.strokeStyle = color;
    pen.lineWidth = width * view.sharp;
    pen.stroke();
  };
  for (const [contacts, color] of [[data.next, null], [data.last, scene.theme.warning]]) {
    for (const contact of contacts) {
      const ink = css(color || scene.theme.palette[KINDS[contact.kind]]);
      contact.centres.forEach((centre, k) => {
        const radius = Math.max(contact.radii[k] * view.scale, 3 * view.sharp);
        ring(centre, color ? radius + 5 * view.sharp : radius, ink, 1.5);
      });
      if (color) continue;
      pen.lineWidth = 1.5 * view.sharp;
      for (const [x0, y0, x1, y1] of contact.paths) {
        pen.beginPath();
        pen.moveTo(...at([x0, y0]));
        pen.lineTo(...at([x1, y1]));
        pen.stroke();
      }
      pen.fillStyle = ink;
      pen.beginPath();
      pen.arc(...at(contact.point), 3 * view.sharp, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

// The gas

const SLIDERS = [["discs", "number of discs"], ["radius", "radius"], ["temperature", "temperature"], ["mass_ratio", "mass ratio"],
                 ["width", "width of the box"]];
const STEPS = 1000;

// Sliders with logarithmic scales, and the button of the partition. `change(values)` is called when a slider is released,
// `part()` when the button is pressed.
class Gas {
  constructor(host, say, change, part) {
    this.say = say;
    this.held = null;               // the slider that is being dragged
    this.rows = {};
    this.none = el("p", { textContent: say("the discs of this system cannot be changed"), hidden: true });
    host.append(this.none);
    for (const [name, label] of SLIDERS) {
      const slider = el("input", { type: "range", min: 0, max: STEPS, step: "any" });
      const number = el("input", { type: "text", inputMode: "decimal", size: 9 });
      slider.setAttribute("aria-label", say(label));
      number.setAttribute("aria-label", say(label));
      slider.oninput = () => { this.held = name; number.value = this.written(name, this.valueAt(name, slider.value)); };
      slider.onchange = () => { this.held = null; change({ [name]: Number(number.value) }); };
      number.onchange = () => change({ [name]: Number(number.value.replace(",", ".")) });
      const row = el("label", {}, el("span", { textContent: say(label) }), slider, number);
      host.append(row);
      this.rows[name] = { row, slider, number, range: [1, 10] };
    }
    this.partition = el("button", { type: "button", hidden: true, onclick: part });
    host.append(this.partition);
  }

  written(name, value) {
    if (name === "discs") return String(Math.round(value));
    return value > 0 && (value < 1e-3 || value >= 1e5) ? value.toExponential(3) : String(Number(value.toPrecision(4)));
  }

  valueAt(name, place) {
    const [low, high] = this.rows[name].range;
    return low * (high / low) ** (place / STEPS);
  }

  draw(data) {
    this.none.hidden = Object.keys(data.values).length > 0;
    this.partition.hidden = data.partition === null;
    this.partition.textContent = this.say(data.partition ? "pull the partition out" : "put a partition in");
    for (const [name] of SLIDERS) {
      const { row, slider, number } = this.rows[name], value = data.values[name];
      row.hidden = value === undefined;
      if (value === undefined) continue;
      const [low, high] = this.rows[name].range = this.kept(name, data.ranges[name], value);
      if (this.held !== name) slider.value = value > 0 ? STEPS * Math.log(value / low) / Math.log(high / low) : 0;
      if (this.held !== name && document.activeElement !== number) number.value = this.written(name, value);
    }
  }

  // A slider does not move under the hand of its user: its range stays as long as the value lies well within it.
  kept(name, range, value) {
    const [low, high] = this.rows[name].range;
    return name in this.seen && value >= low && value <= high ? [low, high] : (this.seen[name] = range);
  }

  seen = {};
}

return { el, Plots, Queue, Gas, drawContacts };
})();
