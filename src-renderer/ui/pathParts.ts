/** The most characters of a path's end that is always shown. */
const TAIL = 18;

/**
 * A path in two parts, for a place that may be too narrow for it: the end has the last parts of the path, as many as fit in
 * 18 characters and at least one; the start, which may be cut, has the others. Both together are the path.
 */
export function pathParts(path: string): { readonly start: string; readonly end: string } {
  let from = path.length;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    if (path[at] !== '/' && path[at] !== '\\' && at !== 0) continue;
    if (path.length - at > TAIL && from < path.length) break;
    from = at;
  }
  return { start: path.slice(0, from), end: path.slice(from) };
}
