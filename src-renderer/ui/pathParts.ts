/** Splits a file path for display in a narrow place. */

/** The most characters at the end of a path that are always shown. */
const TAIL = 18;

/**
 * Splits a path for a place that may be too narrow for it. The end contains as many of the last parts as fit in 18
 * characters, at least one; the start, which may be cut, contains the others.
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
