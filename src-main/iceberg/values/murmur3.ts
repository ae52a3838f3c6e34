/** The 32-bit Murmur3 hash, by which Iceberg assigns values to bucket partitions. */

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

function rotateLeft(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

function mixed(k: number): number {
  return Math.imul(rotateLeft(Math.imul(k, C1), 15), C2);
}

/**
 * The 32-bit Murmur3 hash (x86 variant, seed 0) as a signed number, which Iceberg's buckets are computed
 * from.
 */
export function murmur3(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.byteLength & ~3;
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash = rotateLeft(hash ^ mixed(view.getInt32(at, true)), 13);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.byteLength - 1; at >= whole; at -= 1) tail = (tail << 8) | (bytes[at] ?? 0);
  if (whole < bytes.byteLength) hash ^= mixed(tail);
  hash ^= bytes.byteLength;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
