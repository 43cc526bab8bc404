// In a worker of the page: gets pictures from the server, whatever the page is drawing meanwhile.
//
// It asks for the next picture as soon as one is there. Where an answer takes long to begin, because the server is far away,
// several requests are under way; where it takes long to arrive, because the line is slow, only one is, for positions of half
// the size: so that no picture waits in the line behind another. What the page has no time to draw is merged with what follows.
const FRAME = 1000 / 60;        // milliseconds
const SLOW = 50;                // milliseconds that a picture takes on a slow line
const MOST = 4;                 // requests at once
const AGAIN = 1000;             // milliseconds after which a lost connection is tried again, or a hidden page asks again

const line = { arrived: 0, bytes: 0, thin: false, begin: 0, held: 0, paused: true, lost: false, flying: 0, ages: [] };
const page = { address: "", reader: "", hidden: false };
const later = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
let have = { serial: -1, scene: -1, discs: -1, colors: -1, record: -1, file: -1 };
let pending = null, ready = true;       // what the page has not got yet, and whether it has drawn what it got

async function ask() {
  const alone = line.flying === 1, thin = Number(line.thin);
  const values = { reader: page.reader, ...have, thin, alone: Number(alone) };
  const answer = await fetch(page.address + "frame?" + new URLSearchParams(values));
  if (answer.status === 204) return;
  if (!answer.ok) throw new Error(answer.statusText);
  const data = await answer.arrayBuffer(), message = hdsimMessages.unpack(data), { header } = message;
  line.arrived++;
  line.bytes += data.byteLength;
  line.held = header.held;
  line.paused = header.paused;
  line.ages = [...line.ages.slice(-500), Date.now() / 1000 - header.clock];
  if (header.serial < have.serial) return;        // it was overtaken
  have = { serial: header.serial, ...header.versions };
  pending = hdsimMessages.merged(pending, message);
  hand();
}

function hand() {
  if (!ready || !pending) return;
  const buffers = new Set(Object.values(pending.arrays).map(array => array.buffer));
  postMessage({ ...pending, line }, [...buffers]);
  pending = null;
  ready = false;
}

// How many requests are to be under way.
function wanted() {
  return line.thin || line.paused || page.hidden ? 1 : Math.max(1, Math.min(MOST, Math.ceil(line.begin / FRAME)));
}

async function pull() {
  line.flying++;
  try {
    do {
      await ask();
      if (line.lost) postMessage({ lost: line.lost = false });
      if (page.hidden) await later(AGAIN);
      while (line.flying < wanted()) pull();
    } while (line.flying <= wanted());
  } catch (error) {
    if (!line.lost) postMessage({ lost: line.lost = true });
    await later(AGAIN);
    if (line.flying === 1) setTimeout(pull);
  }
  line.flying--;
}

// The browser's own clock of the line; that of a script would count the time for which the script waits, too.
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (!entry.responseStart || !entry.transferSize) continue;
    const took = entry.responseEnd - entry.responseStart;
    line.begin += .1 * (Math.max(entry.responseStart - entry.requestStart - line.held, 0) - line.begin);
    line.thin = took > (line.thin ? SLOW / 4 : SLOW);
  }
  performance.clearResourceTimings();
}).observe({ type: "resource" });

onmessage = event => {
  if (event.data.ready) {
    ready = true;
    hand();
    return;
  }
  const begins = !page.address;
  Object.assign(page, event.data);
  if (begins) pull();
};
