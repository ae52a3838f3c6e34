/** Reads the lines around a definition that the language server found in a file. */

import { open } from 'node:fs/promises';
import type { Span } from '../document/virtualDocument.ts';

const LINES_BEFORE = 20;
const LINES_AFTER = 80;
/** The maximum size of a file; no source file that a user reads is larger. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The lines around a position in a file named by the language server; null if it cannot be read. */
export async function excerptOf(
  path: string,
  span: Span,
): Promise<{ readonly span: Span; readonly text: string; readonly first_line: number } | null> {
  if (!/\.pyi?$/.test(path)) return null;
  const text = await readBounded(path);
  if (text === null) return null;
  const lines = text.split(/\r\n|\r|\n/);
  const first = Math.max(0, span.start.line - LINES_BEFORE);
  return { span, text: lines.slice(first, span.start.line + LINES_AFTER).join('\n'), first_line: first };
}

async function readBounded(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    return size > MAX_BYTES ? null : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
