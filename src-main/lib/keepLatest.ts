/**
 * Puts an entry into `map` as its newest, and takes out the oldest beyond `most`. With a call for each use as well as
 * for each new entry, those used last stay.
 */
export function keepLatest<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
