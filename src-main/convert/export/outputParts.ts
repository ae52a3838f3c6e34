/** Prepares the outputs of a cell for exports: terminal text, truncation, stored bytes. */

import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { TerminalText } from '../../../src-shared/terminal/terminalText.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ExportView } from '../exportView.ts';

/** The final state of printed text on a terminal: a progress bar is one line, as in the window. */
export function lastTerminalState(text: string): string {
  const terminal = new TerminalText({
    maxLines: Number.POSITIVE_INFINITY,
    maxColumns: Number.POSITIVE_INFINITY,
  });
  terminal.feed(text);
  return Array.from({ length: terminal.count }, (_, at) => terminal.text(at)).join('\n');
}

/** A text without colours and other control sequences of a terminal. */
export function plainOutput(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

/** The start of a text of at most `most` bytes, with a note of what is missing; 0: all of it. */
export function cutOutput(text: string, most: number): string {
  if (most === 0 || Buffer.byteLength(text) <= most) return text;
  const prefix = Buffer.from(text)
    .subarray(0, most)
    .toString('utf8')
    .replace(/\ufffd$/, '');
  return `${prefix}\n[… ${Buffer.byteLength(text) - most} bytes omitted …]`;
}

/** The stored bytes, or null if they are missing or longer than allowed. */
export async function storedOutput(
  view: ExportView,
  { artifact_uri: uri }: Output,
  most: number,
): Promise<Buffer | null> {
  const row = uri === null ? null : view.store.rowByUri(uri);
  if (row === null || (most !== 0 && row.byteSize > most)) return null;
  const blob = await view.store.readable(row);
  return blob.kind === 'ok' ? readFile(blob.path) : null;
}

/** A value of a preview as text; empty for none. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
