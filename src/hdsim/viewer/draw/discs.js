"use strict";
// The drawing module of every page: films, the page of `--browser`, the widget of a notebook, the page to try hdsim.
// It draws discs, the shapes around and between them, and what a caller adds on top. It fetches nothing.
//
//   scene      { box: [width, height], periodic: [x, y], theme: { paper: [r, g, b], ... }, shapes: [...] }, see shapes.py
//   discs      radii, Float32Array (n); colors, Uint8Array (3 n)
//   positions  Float32Array (2 n), all x before all y, in box lengths
//
// Discs are drawn by WebGL 2 where there is one, else by a 2D canvas; all else by a 2D canvas that lies over them.
const hdsimDrawing = (() => {

// Below this radius in pixels a square of the same area will do, and is quick.
const SMALL = 1.2, SIDE = Math.sqrt(Math.PI);
const LEAST = .5;           // radius in CSS pixels that a disc has at least, so that it is seen
const MARGIN = 8, LINE = 1.5;       // around the box, and of its walls, CSS pixels

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

// A message of one frame: the length of a header (uint32, little-endian), the header as JSON, and arrays, each of which
// begins at a multiple of 8 bytes. header.blocks: [name, type, number of elements] of each.
const TYPES = { f4: Float32Array, u2: Uint16Array, u1: Uint8Array };

function unpack(buffer) {
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  const arrays = {};
  let at = 4 + size;
  for (const [name, type, count] of header.blocks) {
    at = Math.ceil(at / 8) * 8;
    arrays[name] = new TYPES[type](buffer, at, count);
    at += arrays[name].byteLength;
  }
  return { header, arrays };
}

// Positions that came as multiples of 1 / 65536 of the box, in box lengths.
function widened(places, box) {
  const n = places.length / 2, positions = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    positions[i] = places[i] * box[0] / 65536;
    positions[n + i] = places[n + i] * box[1] / 65536;
  }
  return positions;
}

// One picture in the element `host`, which it fills.
class Picture {
  constructor(host) {
    this.host = host;
    this.painter = null;
    const below = host.ownerDocument.createElement("canvas");
    const context = below.getContext("webgl2", { alpha: false, antialias: false, depth: false });
    if (context) {
      this.painter = new Painter(below, context);
      this.place(below);
    }
    this.canvas = host.ownerDocument.createElement("canvas");
    this.place(this.canvas);
    this.pen = this.canvas.getContext("2d");
    this.overlays = [];             // functions (pen, view) that draw over the discs
    this.scene = null;
    this.radii = new Float32Array(0);
    this.colors = new Uint8Array(0);
    this.positions = new Float32Array(0);
    this.order = null;              // discs by colour, for the 2D canvas, which fills all of one colour at once
  }

  place(canvas) {
    canvas.style.cssText = "position:absolute;left:0;top:0;width:100%;height:100%;display:block";
    this.host.appendChild(canvas);
  }

  setScene(scene) {
    this.scene = scene;
    if (this.painter) this.painter.stale = true;
  }

  setDiscs(radii, colors) {
    this.radii = radii;
    this.colors = colors;
    this.order = null;
    if (this.painter) this.painter.stale = true;
  }

  setPositions(positions) {
    this.positions = positions;
  }

  // The transformation from box to pixels: x to left + scale x, y to bottom - scale y.
  view() {
    const sharp = window.devicePixelRatio || 1, [w, h] = this.scene.box;
    const width = Math.round(this.host.clientWidth * sharp), height = Math.round(this.host.clientHeight * sharp);
    const margin = MARGIN * sharp, line = Math.max(1, Math.round(LINE * sharp));
    const scale = Math.max(0, Math.min((width - 2 * margin) / w, (height - 2 * margin) / h));
    const left = Math.round((width - scale * w) / 2), top = Math.round((height - scale * h) / 2);
    return { width, height, sharp, line, scale, left, top, bottom: top + scale * h };
  }

  draw() {
    if (!this.scene) return;
    const view = this.view(), { pen, canvas, scene } = this;
    canvas.width = view.width;
    canvas.height = view.height;
    if (this.painter && this.painter.draw(this, view)) {
      this.outline(view);
    } else {
      pen.fillStyle = css(scene.theme.surround);
      pen.fillRect(0, 0, view.width, view.height);
      pen.fillStyle = css(scene.theme.paper);
      pen.fillRect(view.left, view.top, view.scale * scene.box[0], view.scale * scene.box[1]);
      this.outline(view);
      this.fillDiscs(view);
    }
    for (const overlay of this.overlays) {
      pen.save();
      overlay(pen, view);
      pen.restore();
    }
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
    const { scale, left, bottom, line } = view, { theme } = scene, least = LEAST * view.sharp;
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
      const rimmed = needsRim(red, green, blue, theme.paper);
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

  addDisc(px, py, r) {
    if (r < SMALL) {
      this.pen.rect(px - r * SIDE / 2, py - r * SIDE / 2, r * SIDE, r * SIDE);
    } else {
      this.pen.moveTo(px + r, py);
      this.pen.arc(px, py, r, 0, 2 * Math.PI);
    }
  }

  // The shapes of the scene: the box and the walls inside it. A wall with `out` lies beside its line, on that side.
  outline(view) {
    const { pen, scene } = this, { scale, left, bottom, line } = view;
    pen.lineWidth = line;
    for (const shape of scene.shapes) {
      pen.strokeStyle = css(shape.color || scene.theme.outline);
      pen.setLineDash(shape.dashed ? [3 * line, 3 * line] : []);
      pen.lineCap = shape.dashed ? "butt" : "square";
      pen.beginPath();
      if (shape.kind === "line") {
        const [x0, y0, x1, y1] = shape.at, [ox, oy] = shape.out || [0, 0];
        pen.moveTo(left + scale * x0 + ox * line / 2, bottom - scale * y0 - oy * line / 2);
        pen.lineTo(left + scale * x1 + ox * line / 2, bottom - scale * y1 - oy * line / 2);
      } else {
        const [x, y, r, begin, end] = shape.at;     // counterclockwise from begin to end, radians
        pen.arc(left + scale * x, bottom - scale * y, scale * r, -begin, -end, true);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
  }
}

// WebGL

const VERTEX = `#version 300 es
in vec2 corner; in float x; in float y; in float radius; in vec3 color;
uniform vec2 size; uniform vec4 view; uniform vec3 paper; uniform float line;
out vec2 offset; flat out float reach; flat out float rim; flat out vec3 ink;
void main() {
  reach = max(radius * view.z, view.w);
  offset = corner * (reach + 1.0);
  vec3 off = color - paper;
  bool faint = length(off) < .4 && abs(dot(off, vec3(.299, .587, .114))) < .2;
  rim = faint ? reach - min(line, .4 * reach) : reach + 2.0;
  ink = color;
  gl_Position = vec4((view.xy + view.z * vec2(x, y) + offset) / size * 2.0 - 1.0, 0.0, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec2 offset; flat in float reach; flat in float rim; flat in vec3 ink;
uniform vec3 faint;
out vec4 pixel;
void main() {
  float away = length(offset), cover = clamp(reach - away + .5, 0.0, 1.0);
  if (cover == 0.0) discard;
  pixel = vec4(mix(ink, faint, clamp(away - rim + .5, 0.0, 1.0)), 1.0) * cover;
}`;

class Painter {
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.lost = false;
    this.stale = true;              // radii and colours are not in the graphics memory yet
    canvas.addEventListener("webglcontextlost", event => { event.preventDefault(); this.lost = true; });
    canvas.addEventListener("webglcontextrestored", () => { this.begin(); this.lost = false; });
    this.begin();
  }

  begin() {
    const { gl } = this, program = this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    this.works = gl.getProgramParameter(program, gl.LINK_STATUS);
    this.stale = true;
    this.layers = [new Layer(gl, program), new Layer(gl, program)];      // the discs, and their images
  }

  // Draws surround, paper and discs. Returns false where that is not possible.
  draw(picture, view) {
    const { gl, program, canvas } = this, { scene, radii, colors, positions } = picture, n = radii.length;
    if (this.lost || !this.works) return false;
    if (canvas.width !== view.width || canvas.height !== view.height) {
      canvas.width = view.width;
      canvas.height = view.height;
    }
    const part = color => color.map(level => level / 255), { theme } = scene, down = view.height - view.bottom;
    const box = [view.left, Math.round(down), Math.round(view.scale * scene.box[0]), Math.round(view.scale * scene.box[1])];
    gl.viewport(0, 0, view.width, view.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...part(theme.surround), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(...box);
    gl.clearColor(...part(theme.paper), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (n === 0 || positions.length !== 2 * n) return true;
    const [x, y] = scene.periodic;
    gl.scissor(x ? box[0] : 0, y ? box[1] : 0, x ? box[2] : view.width, y ? box[3] : view.height);
    gl.useProgram(program);
    const put = name => gl.getUniformLocation(program, name);
    gl.uniform2f(put("size"), view.width, view.height);
    gl.uniform4f(put("view"), view.left, down, view.scale, LEAST * view.sharp);
    gl.uniform3f(put("paper"), ...part(theme.paper));
    gl.uniform3f(put("faint"), ...part(theme.faint));
    gl.uniform1f(put("line"), view.line);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.layers[0].draw(positions, this.stale ? radii : null, this.stale ? colors : null);
    this.stale = false;
    if (x || y) this.layers[1].draw(...across(scene, radii, colors, positions));
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
class Layer {
  constructor(gl, program) {
    this.gl = gl;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    this.buffers = {};
    this.places = {};
    for (const name of ["corner", "x", "y", "radius", "color"]) {
      this.buffers[name] = name === "y" ? this.buffers.x : gl.createBuffer();
      this.places[name] = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(this.places[name]);
      if (name !== "corner") gl.vertexAttribDivisor(this.places[name], 1);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.corner);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.vertexAttribPointer(this.places.corner, 2, gl.FLOAT, false, 0, 0);
  }

  // radii, colors: null if they are the same as before.
  draw(positions, radii, colors) {
    const { gl, buffers, places } = this, n = positions.length / 2;
    if (n === 0) return;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers.x);
    gl.bufferData(gl.ARRAY_BUFFER, positions, gl.STREAM_DRAW);
    gl.vertexAttribPointer(places.x, 1, gl.FLOAT, false, 0, 0);
    gl.vertexAttribPointer(places.y, 1, gl.FLOAT, false, 0, 4 * n);
    if (radii) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers.radius);
      gl.bufferData(gl.ARRAY_BUFFER, radii, gl.DYNAMIC_DRAW);
      gl.vertexAttribPointer(places.radius, 1, gl.FLOAT, false, 0, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers.color);
      gl.bufferData(gl.ARRAY_BUFFER, colors, gl.DYNAMIC_DRAW);
      gl.vertexAttribPointer(places.color, 3, gl.UNSIGNED_BYTE, true, 0, 0);
    }
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, n);
  }
}

return { Picture, unpack, widened, css };
})();
