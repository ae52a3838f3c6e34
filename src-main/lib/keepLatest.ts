/**
 * Puts an entry into `map` as its newest and removes the oldest ones beyond `most`. If it is also called for
 * each use, the map is a least-recently-used cache.
 */
export function keepLatest<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
