// Draws spheres on pages, by WebGL 2 with the text of sphere.glsl, or on a 2D canvas where there is none. See space_view.py and
// spheres.py.
//
//   space    { high, middle, scale, nearness, planes, depths, sliced, fog, line, paper, faint, faces, behind }: lengths in
//            pixels of Python's picture, which is `high`, y upwards; faces: [color, [x, y, ...]]; behind: [x0, y0, x1, y1, ...],
//            edges behind the spheres
//   spheres  Float32Array (4 n): all x, then all y, all z and all radii, in eye coordinates, from back to front
//   inks     Uint8Array (3 n)
const hdsimSpheres = (() => {

const SPHERE = "/*sphere.glsl*/";
const { Store, WIDE, linked } = hdsimDrawing;
const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
`;
const VERTEX = `
uniform sampler2D places, colors;
uniform int n;
float at(int i) { return texelFetch(places, ivec2(i % ${WIDE}, i / ${WIDE}), 0).r; }
void main() {
#ifdef POINTS
  int i = gl_VertexID, k = 0;
#else
  int i = gl_VertexID / 6, k = gl_VertexID % 6;
#endif
  vec2 corner = vec2(k == 0 || k == 2 || k == 4 ? -1.0 : 1.0, k == 0 || k == 1 || k == 3 ? -1.0 : 1.0);
  vec4 sphere = vec4(at(i), at(n + i), at(2 * n + i), at(3 * n + i));
#ifdef SCREEN
  draw_screen(sphere, corner);
#else
  draw_sphere(sphere, texelFetch(colors, ivec2(i % ${WIDE}, i / ${WIDE}), 0).rgb, corner);
#endif
}`;
const POINT_MOST = 64;          // pixels, as in spheres.py

class Painter {
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.screened = 200000;     // spheres at most that leave depths first, as in spheres.py
    canvas.addEventListener("webglcontextrestored", () => this.begin());
    this.begin();
  }

  begin() {
    const { gl } = this;
    this.programs = {};         // by the words that are defined, made when they are needed
    this.works = true;
    this.store = new Store(gl, 2);
    this.most = Math.min(gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1], POINT_MOST);
  }

  program(...words) {
    const { gl, programs } = this;
    if (words in programs) return programs[words];
    const head = HEAD + words.map(word => `#define ${word}\n`).join("");
    const program = programs[words] = linked(gl, head + SPHERE + VERTEX, head + "#define FRAGMENT\n" + SPHERE);
    this.works = this.works && gl.getProgramParameter(program, gl.LINK_STATUS);
    return program;
  }

  // Whether all spheres can be points: their middles are in the picture, and none is large.
  mayBePoints(space, spheres, view, unit) {
    const n = spheres.length / 4, scale = space.scale * unit, { nearness } = space;
    const x = space.middle[0] * unit, y = view.height - (space.high - space.middle[1]) * unit;
    for (let i = 0; i < n; i++) {
      const growth = scale / (1 - spheres[2 * n + i] * nearness);
      const across = x + spheres[i] * growth, up = y + spheres[n + i] * growth;
      const inside = across > 0 && across < view.width && up > 0 && up < view.height;
      if (!inside || 2.2 * spheres[3 * n + i] * growth + 4 > this.most) return false;
    }
    return true;
  }

  // Draws the spheres; returns false where that is not possible. unit: pixels of the canvas for each of Python's.
  draw(space, spheres, inks, view, unit) {
    const { gl, canvas } = this, n = spheres.length / 4;
    if (!this.works || gl.isContextLost()) return false;
    if (canvas.width !== view.width || canvas.height !== view.height) {
      canvas.width = view.width;
      canvas.height = view.height;
    }
    gl.viewport(0, 0, view.width, view.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (n === 0) return true;
    this.store.put(0, spheres, 1, gl.R32F, gl.RED, gl.FLOAT);
    this.store.put(1, inks, 3, gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    this.points = this.mayBePoints(space, spheres, view, unit);
    const points = this.points ? ["POINTS"] : [];
    // First each sphere leaves the depth of its centre where it surely covers what is farther off, so that this is not coloured;
    // as in spheres.py. Of points, those farther off than half of them hide little.
    if (n <= this.screened) {
      gl.colorMask(false, false, false, false);
      this.drawWith(this.program("SCREEN", ...points), n >> 1, n, space, view, unit);
      gl.colorMask(true, true, true, true);
    }
    gl.depthMask(false);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.drawWith(this.program(...space.sliced ? ["SLAB"] : [], ...points), 0, n, space, view, unit);
    gl.depthMask(true);
    gl.disable(gl.DEPTH_TEST);
    return this.works;
  }

  drawWith(program, first, n, space, view, unit) {
    const { gl, points } = this;
    gl.useProgram(program);
    const put = name => gl.getUniformLocation(program, name), part = color => color.map(level => level / 255);
    gl.uniform2f(put("target"), view.width, view.height);
    gl.uniform2f(put("middle"), space.middle[0] * unit, view.height - (space.high - space.middle[1]) * unit);
    gl.uniform1f(put("scale"), space.scale * unit);
    gl.uniform1f(put("nearness"), space.nearness);
    gl.uniform2f(put("planes"), ...space.planes);
    gl.uniform2f(put("depths"), ...space.depths);
    gl.uniform1f(put("fog"), space.fog);
    gl.uniform1f(put("line"), space.line * unit);
    gl.uniform3f(put("paper"), ...part(space.paper));
    gl.uniform3f(put("faint"), ...part(space.faint));
    gl.uniform1i(put("n"), n);
    gl.uniform1i(put("places"), 0);
    gl.uniform1i(put("colors"), 1);
    if (points) gl.drawArrays(gl.POINTS, first, n - first);
    else gl.drawArrays(gl.TRIANGLES, 0, 6 * n);
  }
}

const css = color => `rgb(${color.map(Math.round).join()})`;

// Discs with a light side and a line around them, on a 2D canvas.
function fill(pen, space, spheres, inks, view, unit) {
  const n = spheres.length / 4;
  for (let i = 0; i < n; i++) {
    const z = spheres[2 * n + i], growth = space.scale * unit / (1 - z * space.nearness), r = spheres[3 * n + i] * growth;
    if (z > space.planes[0] || z < space.planes[1]) continue;
    const x = space.middle[0] * unit + spheres[i] * growth;
    const y = (space.high - space.middle[1]) * unit - spheres[n + i] * growth;
    const back = Math.min(Math.max((space.depths[0] - z) / (space.depths[0] - space.depths[1]), 0), 1) * space.fog;
    const ink = [0, 1, 2].map(k => inks[3 * i + k]);
    const fogged = color => css(color.map((level, k) => level + back * (space.paper[k] - level)));
    const light = pen.createRadialGradient(x - .3 * r, y - .35 * r, 0, x, y, r);
    light.addColorStop(0, fogged(ink.map(level => level + .3 * (255 - level))));
    light.addColorStop(.6, fogged(ink));
    light.addColorStop(1, fogged(ink.map(level => .5 * level)));
    pen.fillStyle = light;
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fill();
  }
}

// The faces of the box and its edges behind the spheres.
function drawBox(pen, space, theme, view, unit) {
  const y = at => (space.high - at) * unit;
  for (const [color, corners] of space.faces) {
    pen.fillStyle = pen.strokeStyle = css(color);
    pen.beginPath();
    for (let k = 0; k < corners.length; k += 2) pen.lineTo(corners[k] * unit, y(corners[k + 1]));
    pen.closePath();
    pen.fill();
    pen.stroke();
  }
  pen.strokeStyle = css(theme.outline);
  pen.lineWidth = 1.25 * space.line * unit;
  pen.lineCap = "round";
  pen.beginPath();
  for (let k = 0; k < space.behind.length; k += 4) {
    pen.moveTo(space.behind[k] * unit, y(space.behind[k + 1]));
    pen.lineTo(space.behind[k + 2] * unit, y(space.behind[k + 3]));
  }
  pen.stroke();
}

return { Painter, fill, drawBox };
})();
