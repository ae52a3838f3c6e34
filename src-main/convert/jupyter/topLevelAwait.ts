import { logicalLines } from './logicalLines.ts';

/** Whether a cell awaits outside of every function, which only a kernel or a cell can do. */
export function awaitsAtTop(source: string): boolean {
  let inside: number | null = null;
  for (const { isBlank, indent, bare } of logicalLines(source)) {
    if (isBlank) continue;
    if (inside !== null && indent <= inside) inside = null;
    const statement = bare.trim();
    if (inside === null && /^(?:async\s+)?def\b|^class\b/.test(statement)) inside = indent;
    else if (inside === null && /\bawait\b|^async\s+(?:for|with)\b/.test(statement)) return true;
  }
  return false;
}
