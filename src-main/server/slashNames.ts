/**
 * Routes whose `{name}` may contain slashes. The router matches one path segment per parameter, so these routes share
 * one wildcard per method, and the URL decides which route is meant.
 */
const SLASHED_PREFIXES = ['/v1/artifacts/names/', '/v1/names/'] as const;

/** The wildcard path that covers a contract's path, or null when its parameters have no slashes. */
export function wildcardOf(path: string): string | null {
  const prefix = SLASHED_PREFIXES.find((one) => path.startsWith(`${one}{name}`));
  return prefix === undefined ? null : `${prefix}*`;
}

/**
 * Reads the parameters of `path` from the text that the wildcard matched, decoded. Null: the URL belongs to another
 * route.
 * `aliases` is reserved: a URL with it is never a name.
 */
export function matchSlashed(path: string, rest: string): Readonly<Record<string, string>> | null {
  const tail = path.slice(path.indexOf('{name}') + '{name}'.length);
  const trimmed = rest.replace(/\/$/, '');
  const end = (text: string): string | null =>
    trimmed.endsWith(text) && trimmed.length > text.length ? trimmed.slice(0, -text.length) : null;
  if (tail === '/aliases/{alias}') {
    const [, name, alias] = /^(.+)\/aliases\/([^/]+)$/.exec(trimmed) ?? [];
    return name === undefined || alias === undefined ? null : { name, alias };
  }
  if (tail === '') return trimmed === '' || /(^|\/)aliases(\/|$)/.test(trimmed) ? null : { name: trimmed };
  const name = end(tail);
  return name === null ? null : { name };
}
