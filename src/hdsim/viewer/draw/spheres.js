// Draws spheres on pages, by WebGL 2 with the text of sphere.glsl, or on a 2D canvas where there is none. See space_view.py.
//
//   space    { high, middle, scale, nearness, planes, depths, sliced, fog, line, paper, faint, faces, behind }: lengths in
//            pixels of Python's picture, which is `high`, y upwards; faces: [color, [x, y, ...]]; behind: [x0, y0, x1, y1, ...],
//            edges behind the spheres
//   spheres  Float32Array (4 n): all x, then all y, all z and all radii, in eye coordinates, from back to front
//   inks     Uint8Array (3 n)
const hdsimSpheres = (() => {

const SPHERE = "/*sphere.glsl*/";
const WIDE = 2048;              // columns of textures
const PLACES = `
uniform sampler2D places;
uniform int n;
uniform vec2 target, middle;
float at(int i) { return texelFetch(places, ivec2(i % ${WIDE}, i / ${WIDE}), 0).r; }
vec2 corner_of(int k) { return vec2(k == 0 || k == 2 || k == 4 ? 0.0 : 1.0, k == 0 || k == 1 || k == 3 ? 0.0 : 1.0); }
`;
const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
`;
const VERTEX = `
uniform sampler2D colors;
out vec2 place, aside; flat out vec2 body; flat out vec3 ink, outline; flat out vec4 look;
void main() {
  int i = gl_VertexID / 6;
  vec2 corner = corner_of(gl_VertexID % 6);
  vec3 eye = vec3(at(i), at(n + i), at(2 * n + i));
  float radius = at(3 * n + i), depth = 1.0 - eye.z * nearness;
  vec2 x = span(eye.x, depth, radius), y = span(eye.y, depth, radius);
  place = mix(vec2(x.x, y.x), vec2(x.y, y.y), corner) + (corner * 2.0 - 1.0) / scale;
  aside = place - eye.xy;
  body = vec2(eye.z, radius);
  ink = texelFetch(colors, ivec2(i % ${WIDE}, i / ${WIDE}), 0).rgb;
  outline = outline_of(ink);
  look = look_of(eye.z, radius);
  gl_Position = vec4((middle + place * scale) / target * 2.0 - 1.0, depth_at(eye.z + radius), 1.0);
}`;
// First each sphere leaves the depth of its centre where it surely covers what is farther off, so that this is not coloured; as in
// spheres.py.
const SCREEN = `
void main() {
  int i = gl_VertexID / 6;
  float z = at(2 * n + i);
  vec2 away = (corner_of(gl_VertexID % 6) * 2.0 - 1.0) * screen_of(z, at(3 * n + i));
  vec2 pixel = middle + (vec2(at(i), at(n + i)) * scale + away) / (1.0 - z * nearness);
  gl_Position = vec4(pixel / target * 2.0 - 1.0, depth_at(z), 1.0);
}`;
const NOTHING = `
out vec4 pixel;
void main() { pixel = vec4(0.0); }`;
const FRAGMENT = `
in vec2 place, aside; flat in vec2 body; flat in vec3 ink, outline; flat in vec4 look;
out vec4 pixel;
void main() {
  vec4 color = sphere_at(place, aside, body.x, body.y, ink, look, outline);
  pixel = vec4(color.rgb, 1.0) * color.a;
}`;

class Painter {
  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.rooms = [];            // arrays with whole rows, in which data are copied
    canvas.addEventListener("webglcontextrestored", () => this.begin());
    this.begin();
  }

  begin() {
    const { gl } = this;
    const slab = "#define SLAB\n";
    this.programs = [[SCREEN, NOTHING, ""], [VERTEX, FRAGMENT, ""], [VERTEX, FRAGMENT, slab]].map(([vertex, fragment, head]) => {
      const program = gl.createProgram();
      for (const [kind, body] of [[gl.VERTEX_SHADER, PLACES + vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, HEAD + head + SPHERE + body);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
      }
      gl.linkProgram(program);
      return program;
    });
    this.works = this.programs.every(program => gl.getProgramParameter(program, gl.LINK_STATUS));
    this.textures = [gl.createTexture(), gl.createTexture()];
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
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.put(0, spheres, 1, gl.R32F, gl.RED, gl.FLOAT);
    this.put(1, inks, 3, gl.RGB8, gl.RGB, gl.UNSIGNED_BYTE);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    gl.colorMask(false, false, false, false);
    this.drawWith(this.programs[0], n, space, view, unit);
    gl.colorMask(true, true, true, true);
    gl.depthMask(false);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.drawWith(this.programs[space.sliced ? 2 : 1], n, space, view, unit);
    gl.depthMask(true);
    gl.disable(gl.DEPTH_TEST);
    return true;
  }

  drawWith(program, n, space, view, unit) {
    const { gl } = this;
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
    gl.drawArrays(gl.TRIANGLES, 0, 6 * n);
  }

  // Copies data to a texture, and binds it.
  put(unit, data, parts, inside, format, type) {
    const { gl } = this, rows = Math.ceil(data.length / parts / WIDE), size = rows * WIDE * parts;
    if (!this.rooms[unit] || this.rooms[unit].length !== size) this.rooms[unit] = new data.constructor(size);
    this.rooms[unit].set(data);
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[unit]);
    gl.texImage2D(gl.TEXTURE_2D, 0, inside, WIDE, rows, 0, format, type, this.rooms[unit]);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
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
