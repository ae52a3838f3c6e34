/**
 * Normalizes the URL of a request: removes the path prefix of a reverse proxy, or the origin that proxies write before
 * the path.
 */

/** `url` without the path prefix of a reverse proxy, if it has one (docs/spec/rest-core.md, 2). */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '') return '/';
  if (rest.startsWith('/')) return rest;
  return rest.startsWith('?') ? `/${rest}` : url;
}

/** A request's URL as proxies write it (`GET http://host/path`) without its origin; limits and routes use the path. */
export function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
