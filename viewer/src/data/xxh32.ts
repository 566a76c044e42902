// XXH32 with seed 0, the checksum of the header and of each frame.

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

/** The checksum of some bytes that begin at a multiple of four in their buffer. */
export function xxh32(bytes: Uint8Array): number {
  const whole = bytes.byteLength >>> 2;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, whole);
  let at = 0;
  let hash = P5;
  if (bytes.byteLength >= 16) {
    let [a, b, c, d] = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (; at + 4 <= whole; at += 4) {
      a = round(a, words[at]!);
      b = round(b, words[at + 1]!);
      c = round(c, words[at + 2]!);
      d = round(d, words[at + 3]!);
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + bytes.byteLength) | 0;
  for (; at < whole; at += 1) {
    hash = Math.imul(rotate((hash + Math.imul(words[at]!, P3)) | 0, 17), P4);
  }
  for (let byte = whole * 4; byte < bytes.byteLength; byte += 1) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[byte]!, P5)) | 0, 11), P1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, P2)) | 0, 13), P1);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
