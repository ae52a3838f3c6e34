import { spliceDirective } from './spliceDirective.ts';

/** Replaces the `# @name` of a cell's source; an empty name removes it (docs/spec/annotations.md, 1.2, 2). */
export function withName(source: string, name: string): string {
  const argument = name.replace(/\s+/g, ' ').trim();
  return spliceDirective(source, 'name', argument === '' ? null : argument);
}
