// Plays what the pen of viewer/draw/record.py has recorded: the drawing of the parts of a window, on a canvas.
const hdsimRecord = (() => {

const STEPS = 8, FONTS = "Helvetica, Arial, 'Liberation Sans', Arimo, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";
const ANCHORS = ["left", "center", "right"];
const css = color => "#" + color.toString(16).padStart(6, "0");

// What the shape k of a run is: a path in canvas units, y downwards from `high`.
const PATHS = [
  (pen, high, [x0, y0, x1, y1]) => { pen.moveTo(x0, high - y0); pen.lineTo(x1, high - y1); },
  (pen, high, [x, y, radius]) => { pen.moveTo(x + radius, high - y); pen.arc(x, high - y, radius, 0, 2 * Math.PI); },
  (pen, high, [x, y, half, tall], corner) => {
    const box = [x - half, high - y - tall, 2 * half, 2 * tall];
    if (corner > 0) pen.roundRect(...box, corner); else pen.rect(...box);
  },
];

function drawShapes(pen, high, [kind, half, corner, colors, alphas, places]) {
  const count = places.length / 4, alike = !Array.isArray(colors) && !Array.isArray(alphas);
  const isFilled = k => kind === 1 ? places[4 * k + 3] > 0 : kind === 2 && half === 0;
  pen.lineWidth = 2 * half;
  pen.lineCap = "round";
  for (let k = 0; k < count; k++) {
    const color = Array.isArray(colors) ? colors[k] : colors, alpha = (Array.isArray(alphas) ? alphas[k] : alphas) / 255;
    if (!alike || k === 0) {
      pen.globalAlpha = alpha;
      pen.fillStyle = pen.strokeStyle = css(color);
      pen.beginPath();
    }
    PATHS[kind](pen, high, places.slice(4 * k, 4 * k + 4).map(place => place / STEPS), corner);
    if (alike && k + 1 < count && isFilled(k) === isFilled(k + 1)) continue;
    if (isFilled(k)) pen.fill(); else pen.stroke();
    pen.beginPath();
  }
}

// Letters that are wider than the pen has taken them to be are squeezed.
function drawText(pen, high, [text, x, y, size, color, alpha, bold, anchor, width]) {
  pen.globalAlpha = alpha / 255;
  pen.fillStyle = css(color);
  pen.font = `${bold ? "bold " : ""}${size}px ${FONTS}`;
  pen.textAlign = ANCHORS[anchor];
  pen.fillText(text, x, high - y, width + 1);
}

// Draws a piece. high: the height of the picture, in its pixels.
return function (pen, high, { c: clip, p: polygons, s: shapes, t: texts }) {
  pen.save();
  if (clip) {
    const [left, bottom, right, top] = clip.map(edge => edge / STEPS);
    pen.beginPath();
    pen.rect(left, high - top, right - left, top - bottom);
    pen.clip();
  }
  for (const [color, corners] of polygons || []) {
    pen.fillStyle = css(color);
    pen.beginPath();
    for (let k = 0; k < corners.length; k += 2) pen.lineTo(corners[k] / STEPS, high - corners[k + 1] / STEPS);
    pen.fill();
  }
  for (const run of shapes || []) drawShapes(pen, high, run);
  pen.textBaseline = "alphabetic";
  for (const text of texts || []) drawText(pen, high, text);
  pen.restore();
};
})();
