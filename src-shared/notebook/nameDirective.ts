import { spliceDirective } from './spliceDirective.ts';

/** A cell's source with another `# @name` on one line; an empty name takes it away (annotations 1.2, 2). */
export function withName(source: string, name: string): string {
  const wanted = name.replace(/\s+/g, ' ').trim();
  return spliceDirective(source, 'name', wanted === '' ? null : wanted);
}
