import { readDirectives } from './directives.ts';

/**
 * A cell's source with another `# @name`; an empty name takes it away. The first such line is rewritten and further
 * ones go; where there is none it comes after the last directive, or at the top (semantics 1.2). Line ends stay.
 */
export function withName(source: string, name: string): string {
  const wanted = name.replace(/\s+/g, ' ').trim();
  const end = source.includes('\r\n') ? '\r\n' : '\n';
  const lines = source.split(end);
  const directives = readDirectives(source);
  const named = directives.filter((one) => one.key === 'name').map((one) => one.line - 1);
  const line = `# @name ${wanted}`;
  const [first, ...others] = named;
  const gone = new Set(wanted === '' ? named : others);
  if (first !== undefined) {
    return lines
      .map((text, at) => (at === first ? line : text))
      .filter((_text, at) => !gone.has(at))
      .join(end);
  }
  if (wanted === '') return source;
  const last = directives.at(-1)?.line ?? 0;
  return [...lines.slice(0, last), line, ...lines.slice(last)].join(end);
}
