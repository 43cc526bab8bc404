// Where spheres are seen from, on pages that turn them themselves. The formulas are those of orbit.py, space_view.py and wire.py,
// which a test compares.
//
//   given    { pose, centre, zoom, perspective, slab, fog }: see orbit.py; turn: degrees by which it turns from frame to frame
//   box      { lengths, periodic, radius, tints, lines }: radius: the largest one; tints: by axis and side, "0,1", the colours of
//            thermal faces; lines: [[x, y, z], ...] each, before the spheres
const hdsimOrbit = (() => {

const EYE = 2.5, CLOSEST = 1e3, FARTHEST = .2, AWAY = .75, BALL = .5, STEPS = 72;
const CLOSE = 1e-3, FAR = 1e30, FLAT = 1e-9, SHADE = .45, TINT = .55, INSET = .96, DASH = 3, FRONT = .55;
const LIGHT = [-.36, .48, .8];
const CORNERS = Array.from({ length: 8 }, (_, k) => [k >> 2 & 1, k >> 1 & 1, k & 1]);
const EDGES = CORNERS.flatMap((a, i) => CORNERS.flatMap((b, j) =>
  j > i && a.filter((x, k) => x !== b[k]).length === 1 ? [[i, j]] : []));

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const sum = (a, b, share = 1) => a.map((x, k) => x + share * b[k]);
const unit = a => a.map(x => x / Math.hypot(...a));
const times = (rows, v) => rows.map(row => dot(row, v));
const product = (a, b) => a.map(row => [0, 1, 2].map(k => row[0] * b[0][k] + row[1] * b[1][k] + row[2] * b[2][k]));

// The rotation about an axis of length 1 (the formula of Rodrigues).
function about(axis, angle) {
  const [x, y, z] = axis, across = [[0, -z, y], [z, 0, -x], [-y, x, 0]], twice = product(across, across);
  return across.map((row, i) => row.map((part, k) => (i === k) + Math.sin(angle) * part + (1 - Math.cos(angle)) * twice[i][k]));
}

// Rows of length 1, perpendicular, without the rounding errors of many turns.
function clean(rows) {
  const right = unit(rows[0]), up = unit(sum(rows[1], right, -dot(right, rows[1])));
  return [right, up, cross(right, up)];
}

class Orbit {
  constructor(given, box) {
    Object.assign(this, given, box);
    this.first = { pose: this.pose, zoom: this.zoom, centre: this.centre };
    this.own = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];       // the turns of a hand, in eye coordinates
    this.frame = 0;
    this.diagonal = Math.hypot(...this.lengths);
    this.middleOfBox = this.lengths.map(length => length / 2);
    this.distance = this.perspective ? EYE * this.diagonal : Infinity;
    this.nearness = 1 / this.distance;
  }

  // The pose of a frame: as given, turned about the axis of the box that is the most upright, and then by hand.
  poseOf(frame) {
    const rows = this.first.pose, k = [0, 1, 2].reduce((best, k) => Math.abs(rows[1][k]) > Math.abs(rows[1][best]) ? k : best, 0);
    const axis = rows.map(row => Math.sign(rows[1][k]) * row[k]);
    return product(this.own, product(about(axis, this.turn * frame * Math.PI / 180), rows));
  }

  // Looks at a frame, in a picture of so many pixels with a margin.
  look(frame, width, height, margin) {
    this.frame = frame;
    this.pose = clean(this.poseOf(frame));
    this.size = [width, height];
    this.middle = [width / 2, height / 2];
    this.target = this.centre || this.middleOfBox;
    const room = [width, height].map(side => Math.max(side - 2 * margin, 1));
    this.base = Math.min(...room) / this.diagonal;
    this.scale = this.zoom ? this.base * this.zoom : this.fitting(room);
  }

  // The scale at which the box fits: in this pose, or in all of a turn.
  fitting(room) {
    const pose = this.pose, bleed = this.periodic.some(Boolean) ? this.radius : 0, found = [];
    this.scale = 1;
    for (let k = 0; k < (this.turn ? STEPS : 1); k++) {
      if (this.turn) this.pose = this.poseOf(k * 360 / STEPS / this.turn);
      const away = this.corners().map(corner => sum(this.pixel(corner), this.middle, -1).map(Math.abs));
      const half = [0, 1].map(axis => bleed + Math.max(...away.map(at => at[axis])));
      found.push(.5 * room[0] / half[0], .5 * room[1] / half[1]);
    }
    this.pose = pose;
    return Math.min(...found);
  }

  corners() { return CORNERS.map(corner => corner.map((at, k) => at * this.lengths[k])); }

  eye(point) { return times(this.pose, sum(point, this.target, -1)); }

  pixel(point) {
    const [x, y, z] = this.eye(point), growth = this.scale / Math.max(1 - z * this.nearness, CLOSE);
    return [x * growth + this.middle[0], y * growth + this.middle[1]];
  }

  get depths() {
    const z = this.corners().map(corner => this.eye(corner)[2]);
    return [Math.max(...z), Math.min(...z)];
  }

  get planes() {
    const [near, far] = this.depths, [begin, end] = this.slab;
    return [begin === 0 ? FAR : near + begin * (far - near), end === 1 ? -FAR : near + end * (far - near)];
  }

  // The spheres that are drawn, from back to front: for spheres.js, and their numbers. positions: all x, then all y and all z.
  spheres(positions, radii) {
    const n = radii.length, { pose, target, distance, nearness } = this, [near, far] = this.planes;
    const seen = new Float32Array(3 * n), keys = new Float64Array(n);
    let drawn = [];
    for (let i = 0; i < n; i++) {
      const x = positions[i] - target[0], y = positions[n + i] - target[1], z = positions[2 * n + i] - target[2], r = radii[i];
      for (let k = 0; k < 3; k++) seen[k * n + i] = pose[k][0] * x + pose[k][1] * y + pose[k][2] * z;
      const a = seen[i], b = seen[n + i], c = seen[2 * n + i];
      keys[i] = nearness ? c * (2 * distance - c) - a * a - b * b + r * r : c;
      if (c - r < near && c + r > far && c + r < (1 - CLOSE) * distance) drawn.push(i);
    }
    drawn = Uint32Array.from(drawn).sort((i, j) => keys[i] - keys[j]);
    const m = drawn.length, found = new Float32Array(4 * m);
    drawn.forEach((i, at) => {
      for (let k = 0; k < 3; k++) found[k * m + at] = seen[k * n + i];
      found[3 * m + at] = radii[i];
    });
    return [found, drawn];
  }

  // How spheres are seen, for spheres.js; and `before`: edges and outlines before them, [x0, y0, x1, y1, color, opacity] each.
  space(theme, line) {
    const corners = this.corners(), pixels = corners.map(corner => this.pixel(corner)), faces = [], behind = [], before = [];
    const isAway = (axis, side) => {
      const sign = side ? 1 : -1, towards = this.pose[2][axis];
      if (!this.nearness) return sign * towards < -FLAT;
      return sign * (this.target[axis] + this.distance * towards - side * this.lengths[axis]) < -FLAT * this.distance;
    };
    const around = (axis, side) => { const own = [0, 1, 2, 3, 4, 5, 6, 7].filter(k => CORNERS[k][axis] === side);
                                     return [own[0], own[1], own[3], own[2]]; };
    const outlines = [];
    for (let axis = 0; axis < 3; axis++) for (const side of [0, 1]) {
      const tint = this.tints[[axis, side]], own = around(axis, side);
      if (isAway(axis, side)) {
        const inwards = this.pose.map(row => (side ? -1 : 1) * row[axis]);
        const shade = SHADE * (1 - Math.max(dot(inwards, LIGHT), 0));
        const color = theme.paper.map((paper, k) => Math.round(paper + shade * (theme.surround[k] - paper)));
        faces.push([tint ? color.map((a, k) => Math.round(a + TINT * (tint[k] - a))) : color, own.flatMap(k => pixels[k])]);
      } else if (tint) {
        const middle = own.reduce((all, k) => sum(all, corners[k], .25), [0, 0, 0]);
        const inner = own.map(k => this.pixel(sum(middle, sum(corners[k], middle, -1), INSET)));
        inner.forEach((at, k) => outlines.push([...at, ...inner[(k + 1) % 4], tint, 1]));
      }
    }
    for (const [i, j] of EDGES) {
      const across = [0, 1, 2].filter(k => CORNERS[i][k] === CORNERS[j][k]);
      const hidden = across.every(k => isAway(k, CORNERS[i][k])), open = across.every(k => this.periodic[k]);
      for (const ends of open ? dashes(pixels[i], pixels[j], line) : [[...pixels[i], ...pixels[j]]])
        if (hidden) behind.push(...ends);
        else before.push([...ends, theme.outline, FRONT]);
    }
    for (const run of this.lines) for (let k = 1; k < run.length; k++)
      before.push([...this.pixel(run[k - 1]), ...this.pixel(run[k]), theme.outline, FRONT]);
    return { high: this.size[1], middle: this.middle, scale: this.scale, nearness: this.nearness, planes: this.planes,
             depths: this.depths, sliced: this.slab[0] !== 0 || this.slab[1] !== 1, fog: this.fog, line: .6 * line,
             paper: theme.paper, faint: theme.faint, faces, behind, before: [...before, ...outlines] };
  }

  // A hand: places in pixels, y upwards

  turned(rotation) {
    this.zoom = this.scale / this.base;
    this.own = clean(product(rotation, this.own));
  }

  // Turns like a ball in the middle of the picture that is dragged from one pixel to another.
  dragged(start, end) {
    const ball = at => {
      const [x, y] = at.map((place, k) => (place - this.middle[k]) / BALL / Math.min(...this.size));
      const square = x * x + y * y;
      return unit([x, y, square < .5 ? Math.sqrt(1 - square) : .5 / Math.sqrt(square)]);
    };
    const a = ball(start), b = ball(end), axis = cross(a, b), sine = Math.hypot(...axis);
    if (sine > 0) this.turned(about(axis.map(x => x / sine), Math.atan2(sine, dot(a, b))));
  }

  rolled(angle) { this.turned(about([0, 0, 1], angle)); }

  reachable(point) {
    const away = sum(point, this.middleOfBox, -1), most = AWAY * this.diagonal;
    return sum(this.middleOfBox, away, Math.min(1, most / Math.max(Math.hypot(...away), most)));
  }

  // Closer by a factor; what is at the pixel stays there. 0: the whole box, as at first.
  zoomAt(factor, x, y) {
    if (!factor) {
      Object.assign(this, this.first);
      this.own = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      return;
    }
    const zoom = this.scale / this.base, share = Math.min(Math.max(zoom * factor, FARTHEST), CLOSEST) / zoom;
    const across = [(x - this.middle[0]) / this.scale, (y - this.middle[1]) / this.scale];
    const away = sum(this.pose[0].map(part => part * across[0]), this.pose[1], across[1]);
    this.centre = this.reachable(sum(this.target, away, 1 - 1 / share));
    this.zoom = zoom * share;
  }

  panned(dx, dy) {
    this.zoom = this.scale / this.base;
    this.centre = this.reachable(sum(sum(this.target, this.pose[0], -dx / this.scale), this.pose[1], -dy / this.scale));
  }
}

// The dashes of a line between two pixels.
function dashes([x0, y0], [x1, y1], line) {
  const count = Math.max(Math.floor(Math.hypot(x1 - x0, y1 - y0) / (2 * DASH * line)), 1);
  const at = share => [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
  return Array.from({ length: count }, (_, k) => [...at(k / count), ...at((k + .5) / count)]);
}

return { Orbit };
})();
