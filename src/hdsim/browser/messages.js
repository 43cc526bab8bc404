// Messages as messages.py makes them: one instant of a running system.
const hdsimMessages = (() => {

const TYPES = { f4: Float32Array, u2: Uint16Array, u1: Uint8Array };

// What arrives by HTTP: the length of a header (uint32, little-endian), the header as JSON, and arrays, each of which begins at a
// multiple of 8 bytes. header.blocks: [name, type, number of elements] of each.
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
  return opened(header, arrays);
}

// The pieces of a record, which come as JSON in an array.
function opened(header, { record, ...arrays }) {
  return { header: { ...header, record: record ? JSON.parse(new TextDecoder().decode(record)) : {} }, arrays };
}

// A header with its arrays as one buffer each, which is a view that may begin anywhere in memory.
function assembled(header, buffers) {
  const arrays = {};
  header.blocks.forEach(([name, type, count], k) => {
    const { buffer, byteOffset, byteLength } = buffers[k];
    arrays[name] = new TYPES[type](buffer.slice(byteOffset, byteOffset + byteLength), 0, count);
  });
  return opened(header, arrays);
}

// One message in place of two, of which the second is newer: what it has not anew is that of the first.
function merged(first, second) {
  if (!first) return second;
  const arrays = { ...first.arrays, ...second.arrays };
  if (second.arrays.positions) delete arrays.places;
  if (second.arrays.positions || second.arrays.places) for (const name of ["spheres", "inks"]) delete arrays[name];
  if (second.arrays.spheres) for (const name of ["positions", "places", "bodies"]) delete arrays[name];
  if ((second.arrays.positions || second.arrays.places) && !second.arrays.bodies) delete arrays.bodies;
  if (second.arrays.places) delete arrays.positions;
  const { scene, file, record } = first.header;
  const header = { ...(scene && { scene }), ...(file && { file }), ...second.header, record: { ...record, ...second.header.record } };
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

return { unpack, assembled, merged, widened };
})();
