"use strict";
// The drawing module of every page: films, the page of `--browser`, the widget of a notebook, the page to try hdsim.
// It draws discs, the shapes around and between them, and what a caller adds on top. It fetches nothing.
//
//   scene      { box: [width, height], periodic: [x, y], theme: { paper: [r, g, b], ... }, shapes: [...] }, see shapes.py;
//              rims: false where no disc gets a rim, however pale
//   discs      radii, Float32Array (n); colors, Uint8Array (3 n)
//   positions  Float32Array (2 n), all x before all y, in box lengths
//   bodies     Float32Array (n k 2), corners of polygons in the place of discs that are no circles, whose radii are 0
//
// Three canvases lie one over the other: what is at rest, drawn only if it changes; discs by WebGL 2; and what a caller adds.
// Where there is no WebGL 2, discs are drawn on the last one.
const hdsimDrawing = (() => {

// Below this radius in pixels a square of the same area will do, and is quick.
const SMALL = 1.2, SIDE = Math.sqrt(Math.PI);
const LEAST = .5;           // radius in CSS pixels that a disc has at least, so that it is seen
const MARGIN = 8, LINE = 1.5;       // around the box, and of its walls, CSS pixels
const ABSENT = .5;          // opacity of the lines of an obstacle that is not there at this time

const css = color => `rgb(${color[0]},${color[1]},${color[2]})`;

// Whether a disc would not be seen on the paper without a line around it; as in layers.py.
function needsRim(r, g, b, paper) {
  r = (r - paper[0]) / 255;
  g = (g - paper[1]) / 255;
  b = (b - paper[2]) / 255;
  return Math.hypot(r, g, b) < .4 && Math.abs(.299 * r + .587 * g + .114 * b) < .2;
}

// Where else a disc is to be seen along a periodic axis.
function images(x, radius, length, periodic) {
  if (!periodic || (x >= radius && x <= length - radius)) return [0];
  return [0, x < radius ? length : -length];
}

// One picture in the element `host`, which it fills.
class Picture {
  constructor(host) {
    this.host = host;
    this.painter = null;
    this.still = host.ownerDocument.createElement("canvas");
    this.place(this.still);
    this.drawn = "";                // what the still canvas shows
    this.zoom = 1;                  // magnification, and by how many CSS pixels the middle of the box is displaced
    this.shift = [0, 0];
    const middle = host.ownerDocument.createElement("canvas");
    const context = middle.getContext("webgl2", { antialias: false });
    if (context) {
      this.painter = new Painter(middle, context);
      this.place(middle);
    }
    this.canvas = host.ownerDocument.createElement("canvas");
    this.place(this.canvas);
    this.pen = this.canvas.getContext("2d");
    this.overlays = [];             // functions (pen, view) that draw over the discs
    this.scene = null;
    this.radii = new Float32Array(0);
    this.colors = new Uint8Array(0);
    this.positions = new Float32Array(0);
    this.bodies = null;
    this.order = null;              // discs by colour, for the 2D canvas, which fills all of one colour at once
    this.space = null;              // where spheres are seen from, see spheres.js; null: there are discs
  }

  // Shows spheres in the place of discs.
  setSpace(space, spheres, inks) {
    this.space = space;
    if (spheres) this.spheres = spheres;
    if (inks) this.inks = inks;
    this.drawn = "";
  }

  place(canvas) {
    canvas.style.cssText = "position:absolute;left:0;top:0;width:100%;height:100%;display:block";
    this.host.appendChild(canvas);
  }

  setScene(scene) {
    this.scene = scene;
    this.drawn = "";
    if (this.painter) this.painter.stale = true;
  }

  setDiscs(radii, colors) {
    this.radii = radii;
    this.colors = colors;
    this.order = null;
    if (this.painter) this.painter.stale = true;
  }

  setPositions(positions, bodies = null) {
    if (this.space) this.drawn = "";
    this.space = null;
    this.positions = positions;
    this.bodies = bodies;
  }

  // Gives the graphics memory back; browsers have few contexts of WebGL.
  close() {
    if (this.painter) this.painter.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  // The transformation from box to pixels: x to left + scale x, y to bottom - scale y.
  view() {
    const sharp = window.devicePixelRatio || 1, [w, h] = this.scene.box;
    const width = Math.round(this.host.clientWidth * sharp), height = Math.round(this.host.clientHeight * sharp);
    const margin = MARGIN * sharp, line = Math.max(1, Math.round(LINE * sharp));
    const scale = this.zoom * Math.max(0, Math.min((width - 2 * margin) / w, (height - 2 * margin) / h));
    const left = Math.round((width - scale * w) / 2 + sharp * this.shift[0]);
    const top = Math.round((height - scale * h) / 2 + sharp * this.shift[1]);
    return { width, height, sharp, line, scale, left, top, bottom: top + scale * h };
  }

  // Magnifies by a factor; what is at (x, y), CSS pixels in the picture, stays there. Never smaller than the whole box.
  zoomAt(factor, x, y) {
    const zoom = Math.min(Math.max(this.zoom * factor, 1), 1000), middle = [this.host.clientWidth / 2, this.host.clientHeight / 2];
    this.shift = [x, y].map((at, k) => zoom === 1 ? 0 : at - middle[k] - zoom / this.zoom * (at - middle[k] - this.shift[k]));
    this.zoom = zoom;
  }

  draw() {
    if (!this.scene) return;
    const view = this.view(), { pen, canvas } = this, key = Object.values(view).join();
    if (key !== this.drawn) {
      this.drawStill(view);
      this.drawn = key;
    }
    canvas.width = view.width;
    canvas.height = view.height;
    if (this.space) this.drawSpheres(view);
    else if (!this.painter || !this.painter.draw(this, view)) this.fillDiscs(view);
    if (this.bodies && !this.space) this.fillBodies(view);
    for (const overlay of this.overlays) {
      pen.save();
      overlay(pen, view);
      pen.restore();
    }
  }

  drawSpheres(view) {
    const { painter, space, spheres, inks } = this;
    if (painter && !painter.spheres && !painter.lost) painter.spheres = new hdsimSpheres.Painter(painter.canvas, painter.gl);
    if (painter?.spheres?.draw(space, spheres, inks, view, view.unit)) painter.stale = true;
    else hdsimSpheres.fill(this.pen, space, spheres, inks, view, view.unit);
  }

  // Limits drawing to the box across periodic edges, where an image on the other side takes over.
  clip(view) {
    const { pen, scene } = this, [x, y] = scene.periodic, far = view.width + view.height;
    const across = view.scale * scene.box[0], down = view.scale * scene.box[1];
    pen.beginPath();
    pen.rect(x ? view.left : -far, y ? view.top : -far, x ? across : 2 * far + across, y ? down : 2 * far + down);
    pen.clip();
  }

  byColor() {
    if (this.order === null) {
      const c = this.colors, n = this.radii.length, keys = new Float64Array(n);
      for (let i = 0; i < n; i++) keys[i] = (c[3 * i] << 16 | c[3 * i + 1] << 8 | c[3 * i + 2]) * 2097152 + i;
      keys.sort();
      this.order = Uint32Array.from(keys, key => key % 2097152);
    }
    return this.order;
  }

  fillDiscs(view) {
    const { pen, scene, radii, colors, positions } = this, n = radii.length;
    if (positions.length !== 2 * n) return;
    const { scale, left, bottom, line } = view, { theme } = scene, least = view.least ?? LEAST * view.sharp;
    const faint = theme.faint[0] << 16 | theme.faint[1] << 8 | theme.faint[2];
    let shown = null;
    const fill = color => {         // what is in the path, and begin another
      if (color !== null) {
        pen.fillStyle = "#" + color.toString(16).padStart(6, "0");
        pen.fill();
      }
      pen.beginPath();
    };
    pen.save();
    this.clip(view);
    pen.beginPath();
    for (const i of this.byColor()) {
      const x = positions[i], y = positions[n + i], radius = radii[i], r = Math.max(radius * scale, least);
      const red = colors[3 * i], green = colors[3 * i + 1], blue = colors[3 * i + 2], color = red << 16 | green << 8 | blue;
      const rimmed = scene.rims !== false && needsRim(red, green, blue, theme.paper);
      if (color !== shown || rimmed) {
        fill(shown);
        shown = color;
      }
      for (const dx of images(x, radius, scene.box[0], scene.periodic[0])) {
        for (const dy of images(y, radius, scene.box[1], scene.periodic[1])) {
          const px = left + (x + dx) * scale, py = bottom - (y + dy) * scale;
          if (rimmed) {
            this.addDisc(px, py, r);
            fill(faint);
          }
          this.addDisc(px, py, rimmed ? r - Math.min(line, .4 * r) : r);
        }
      }
    }
    fill(shown);
    pen.restore();
  }

  // Fills the bodies from first to last, with their images across periodic edges.
  fillBodies(view) {
    const { pen, scene, bodies, colors } = this, { left, bottom, scale } = view, [width, height] = scene.box;
    const [xs, ys] = scene.periodic.map(wraps => wraps ? [-1, 0, 1] : [0]), step = bodies.length / colors.length * 3;
    pen.save();
    this.clip(view);
    for (const x of xs) for (const y of ys) for (let i = 0, k = 0; k < bodies.length; i += 3) {
      pen.fillStyle = css(colors.subarray(i, i + 3));
      pen.beginPath();
      for (const end = k + step; k < end; k += 2) {
        pen.lineTo(left + scale * (bodies[k] + x * width), bottom - scale * (bodies[k + 1] + y * height));
      }
      pen.fill();
    }
    pen.restore();
  }

  addDisc(px, py, r) {
    if (r < SMALL) {
      this.pen.rect(px - r * SIDE / 2, py - r * SIDE / 2, r * SIDE, r * SIDE);
    } else {
      this.pen.moveTo(px + r, py);
      this.pen.arc(px, py, r, 0, 2 * Math.PI);
    }
  }

  // Surround, paper, and the shapes of the scene: the areas first, then all lines.
  drawStill(view) {
    const { still, scene } = this, { theme, shapes } = scene, { left, top, scale } = view;
    const box = [left, top, scale * scene.box[0], scale * scene.box[1]];
    still.width = view.width;
    still.height = view.height;
    const pen = still.getContext("2d");
    pen.fillStyle = css(theme.surround);
    pen.fillRect(0, 0, view.width, view.height);
    if (this.space) return hdsimSpheres.drawBox(pen, this.space, theme, view, view.unit);
    pen.fillStyle = css(theme.paper);
    pen.fillRect(...box);
    pen.save();
    pen.beginPath();
    pen.rect(...box);
    pen.clip();
    for (const shape of shapes) if (shape.area) fillArea(pen, view, shape, box);
    for (const shape of shapes) if (!shape.out) strokeLines(pen, view, shape, theme);
    pen.restore();
    for (const shape of shapes) if (shape.out) strokeLines(pen, view, shape, theme);
  }
}

// Shapes at rest, see shapes.py

function fillArea(pen, view, shape, box) {
  pen.beginPath();
  if (shape.around) pen.rect(...box);
  for (const path of shape.paths) trace(pen, view, path);
  pen.fillStyle = css(shape.area);
  pen.fill(shape.around ? "evenodd" : "nonzero");
}

function strokeLines(pen, view, shape, theme) {
  if (shape.dashed === null) return;
  const { line } = view, [ox, oy] = shape.out || [0, 0];
  pen.lineWidth = line;
  pen.strokeStyle = css(shape.color || theme.outline);
  pen.setLineDash(shape.dashed ? [3 * line, 3 * line] : []);
  pen.lineCap = shape.dashed ? "butt" : shape.out ? "square" : "round";
  pen.lineJoin = "round";
  pen.beginPath();
  for (const path of shape.paths) trace(pen, { ...view, left: view.left + ox * line / 2, bottom: view.bottom - oy * line / 2 }, path);
  pen.globalAlpha = shape.dashed && !shape.out ? ABSENT : 1;
  pen.stroke();
  pen.globalAlpha = 1;
}

function trace(pen, { left, bottom, scale }, path) {
  path.forEach((piece, k) => {
    const [x, y, ...rest] = piece, px = left + scale * x, py = bottom - scale * y;
    if (rest.length === 3) {            // an arc, counterclockwise
      const [radius, begin, end] = rest, r = scale * radius;
      if (k === 0) pen.moveTo(px + r * Math.cos(begin), py - r * Math.sin(begin));
      pen.arc(px, py, r, -begin, -end, true);
    } else if (k === 0) {
      pen.moveTo(px, py);
    } else {
      pen.lineTo(px, py);
    }
  });
}

// WebGL

// Each disc is a square of two triangles, whose data the vertices look up in textures by their number: instances of a square
// would be a draw call each for a processor without a graphics card. Textures have WIDE columns, in as many rows as needed.
// A disc of at most SMALL_POINT pixels is a point, one vertex instead of six; a point whose centre lies beyond the picture is not
// drawn, and so near an edge of the box none does.
const WIDE = 2048;
const SMALL_POINT = MARGIN - 2;
const source = (point, body) => `#version 300 es
#define POINT ${point ? 1 : 0}
precision highp float;
precision highp sampler2D;
${body}`;
const VERTEX = `
uniform sampler2D places, radii, inks;
uniform int n;
uniform vec2 size; uniform vec4 view; uniform vec3 paper; uniform float line;
out vec2 offset; flat out float reach; flat out float rim; flat out vec3 ink;
ivec2 at(int i) { return ivec2(i % ${WIDE}, i / ${WIDE}); }
void main() {
  int i = POINT == 1 ? gl_VertexID : gl_VertexID / 6, k = gl_VertexID % 6;
  vec2 corner = vec2(k == 0 || k == 2 || k == 4 ? -1.0 : 1.0, k == 0 || k == 1 || k == 3 ? -1.0 : 1.0);
  float x = texelFetch(places, at(i), 0).r, y = texelFetch(places, at(n + i), 0).r;
  vec3 color = texelFetch(inks, at(i), 0).rgb;
  reach = max(texelFetch(radii, at(i), 0).r * view.z, view.w);
  offset = POINT == 1 ? vec2(0.0) : corner * (reach + 1.0);
  vec3 off = color - paper;
  bool faint = length(off) < .4 && abs(dot(off, vec3(.299, .587, .114))) < .2;
  rim = faint ? reach - min(line, .4 * reach) : reach + 2.0;
  ink = color;
  gl_PointSize = 2.0 * (reach + 1.0);
  gl_Position = vec4((view.xy + view.z * vec2(x, y) + offset) / size * 2.0 - 1.0, 0.0, 1.0);
}`;
const FRAGMENT = `
in vec2 offset; flat in float reach; flat in float rim; flat in vec3 ink;
uniform vec3 faint;
out vec4 pixel;
void main() {
  vec2 place = POINT == 1 ? (2.0 * gl_PointCoord - 1.0) * (reach + 1.0) : offset;
  float away = length(place), cover = clamp(reach - away + .5, 0.0, 1.0);
  if (cover == 0.0) discard;
  pixel = vec4(mix(ink, faint, clamp(away - rim + .5, 0.0, 1.0)), 1.0) * cover;
}`;

// A program from the texts of its shaders.
function linked(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

// Arrays in the graphics memory, as textures.
class Store {
  constructor(gl, count) {
    this.gl = gl;
    this.textures = Array.from({ length: count }, () => gl.createTexture());
    this.rooms = [];                // arrays with whole rows, in which data are copied
  }

  // Copies data to a texture, `parts` numbers for each of its points, and binds it; null: what is there.
  put(unit, data, parts, inside, format, type) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[unit]);
    if (!data) return;
    const rows = Math.ceil(data.length / parts / WIDE), size = rows * WIDE * parts;
    if (!this.rooms[unit] || this.rooms[unit].length !== size) this.rooms[unit] = new data.constructor(size);
    this.rooms[unit].set(data);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, WIDE, rows, 0, format, type, this.rooms[unit]);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }
}

class Painter {
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.lost = false;
    this.stale = true;              // radii and colours are not in the graphics memory yet
    canvas.addEventListener("webglcontextlost", event => {      // as where a page has many pictures: the 2D canvas takes over
      event.preventDefault();
      this.lost = true;
    });
    canvas.addEventListener("webglcontextrestored", () => { this.begin(); this.lost = false; });
    this.begin();
  }

  begin() {
    const { gl } = this;
    this.programs = [false, true].map(point => linked(gl, source(point, VERTEX), source(point, FRAGMENT)));
    this.works = this.programs.every(program => gl.getProgramParameter(program, gl.LINK_STATUS));
    this.stale = true;
    this.largest = 0;
    this.layers = [new Layer(gl, 3), new Layer(gl, 3)];       // the discs, and their images
  }

  // Draws the discs. Returns false where that is not possible.
  draw(picture, view) {
    const { gl, canvas } = this, { scene, radii, colors, positions } = picture, n = radii.length;
    if (this.lost || !this.works) return false;
    if (canvas.width !== view.width || canvas.height !== view.height) {
      canvas.width = view.width;
      canvas.height = view.height;
    }
    const part = color => color.map(level => level / 255), { theme } = scene, down = view.height - view.bottom;
    const box = [view.left, Math.round(down), Math.round(view.scale * scene.box[0]), Math.round(view.scale * scene.box[1])];
    gl.viewport(0, 0, view.width, view.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    if (n === 0 || positions.length !== 2 * n) return true;
    const [x, y] = scene.periodic;
    gl.scissor(x ? box[0] : 0, y ? box[1] : 0, x ? box[2] : view.width, y ? box[3] : view.height);
    if (this.stale) this.largest = radii.reduce((a, b) => Math.max(a, b), 0);
    const point = this.largest * view.scale <= SMALL_POINT * view.sharp, program = this.programs[Number(point)];
    gl.useProgram(program);
    const put = name => gl.getUniformLocation(program, name);
    gl.uniform2f(put("size"), view.width, view.height);
    gl.uniform4f(put("view"), view.left, down, view.scale, view.least ?? LEAST * view.sharp);
    gl.uniform3f(put("paper"), ...part(theme.paper));
    gl.uniform3f(put("faint"), ...part(theme.faint));
    gl.uniform1f(put("line"), scene.rims === false ? -2 : view.line);       // of a rim
    ["places", "radii", "inks"].forEach((name, unit) => gl.uniform1i(put(name), unit));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.layers[0].draw(put("n"), point, positions, this.stale ? radii : null, this.stale ? colors : null);
    this.stale = false;
    if (x || y) this.layers[1].draw(put("n"), point, ...across(scene, radii, colors, positions));
    return true;
  }
}

// The images of discs across periodic edges: their positions, radii and colours.
function across(scene, radii, colors, positions) {
  const n = radii.length, [w, h] = scene.box, xs = [], ys = [], which = [];
  for (let i = 0; i < n; i++) {
    const x = positions[i], y = positions[n + i], r = radii[i];
    if (x >= r && x <= w - r && y >= r && y <= h - r) continue;
    for (const dx of images(x, r, w, scene.periodic[0])) {
      for (const dy of images(y, r, h, scene.periodic[1])) {
        if (dx === 0 && dy === 0) continue;
        xs.push(x + dx);
        ys.push(y + dy);
        which.push(i);
      }
    }
  }
  const inks = new Uint8Array(3 * which.length);
  which.forEach((i, k) => inks.set(colors.subarray(3 * i, 3 * i + 3), 3 * k));
  return [Float32Array.from([...xs, ...ys]), Float32Array.from(which, i => radii[i]), inks];
}

// Discs in the graphics memory.
class Layer extends Store {
  // radii, colors: null if they are the same as before. where: of the number of discs, a uniform. point: see SMALL_POINT.
  draw(where, point, positions, radii, colors) {
    const { gl } = this, n = positions.length / 2;
    if (n === 0) return;
    this.put(0, positions, 1, gl.R32F, gl.RED, gl.FLOAT);
    this.put(1, radii, 1, gl.R32F, gl.RED, gl.FLOAT);
    this.put(2, colors, 3, gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE);
    gl.uniform1i(where, n);
    if (point) gl.drawArrays(gl.POINTS, 0, n);
    else gl.drawArrays(gl.TRIANGLES, 0, 6 * n);
  }
}

return { Picture, Store, WIDE, css, linked };
})();
