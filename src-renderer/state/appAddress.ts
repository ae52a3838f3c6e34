/** The address of a notebook's app view: what follows the page's own. */
export function appHash(sessionId: string, path: string | null, embed = false): string {
  const query = new URLSearchParams({
    ...(path === null ? {} : { path }),
    ...(embed ? { embed: '1' } : {}),
  });
  const suffix = query.size === 0 ? '' : `?${query}`;
  return `#/app/${encodeURIComponent(sessionId)}${suffix}`;
}
