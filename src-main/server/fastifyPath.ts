/** Converts the path of a route's contract to Fastify's syntax: `{name}` to `:name`. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
