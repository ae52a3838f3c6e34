/** Maps the content type of an output to how it is shown, and to the name of the file it is saved in. */

import type { Output } from '../../src-shared/wire/output.ts';
import { figureKind } from './frame/figures.ts';

/** How an output is shown. */
type OutputKind =
  | 'table'
  | 'image'
  | 'svg'
  | 'html'
  | 'figure'
  | 'widget'
  | 'markdown'
  | 'latex'
  | 'json'
  | 'text'
  | 'other';

const KINDS: ReadonlyMap<string, OutputKind> = new Map<string, OutputKind>([
  ['arrow/ipc', 'table'],
  ['image/png', 'image'],
  ['image/jpeg', 'image'],
  ['image/gif', 'image'],
  ['image/svg+xml', 'svg'],
  ['text/html', 'html'],
  ['text/markdown', 'markdown'],
  ['json/object', 'json'],
  ['text/plain', 'text'],
  ['text/latex', 'latex'],
  ['application/vnd.jupyter.widget-view+json', 'widget'],
]);

export function outputKind(output: Output): OutputKind {
  const kind = KINDS.get(output.content_type);
  if (kind !== undefined) return kind;
  return figureKind(output.content_type) === null ? 'other' : 'figure';
}

const ENDINGS: ReadonlyMap<string, string> = new Map<string, string>([
  ['arrow/ipc', 'arrow'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/svg+xml', 'svg'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['json/object', 'json'],
  ['text/latex', 'tex'],
  ['pickle/object', 'pickle'],
  ['module/cell-instance', 'pickle'],
]);

/** The file name for a downloaded output. */
export function outputFileName(output: Output, place: { cellId: string; index: number }): string {
  const part = place.index === 0 ? '' : `-${place.index + 1}`;
  const ending = ENDINGS.get(output.content_type) ?? (/[+.]json$/.test(output.content_type) ? 'json' : 'txt');
  return `${place.cellId}${part}.${ending}`;
}
