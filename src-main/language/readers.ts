/** The cell reader of each language. */

import type { Language } from '../../src-shared/wire/cell.ts';
import { type CellReader, NOTHING_READ } from './cellReader.ts';
import { promptReader } from './prompt/promptReader.ts';
import { pythonReader } from './python/pythonReader.ts';
import { rReader } from './r/rReader.ts';
import { sqlReader } from './sql/sqlReader.ts';
import { widgetReader } from './widget/widgetReader.ts';

/** The reader of text cells: text has no names, and lines that look like comments are headings. */
const textReader: CellReader = {
  read: () => NOTHING_READ,
  isEmpty: (source) => source.trim() === '',
};

/** The cell readers by language. */
export const READERS: Readonly<Record<Language, CellReader>> = {
  python: pythonReader,
  prompt: promptReader,
  sql: sqlReader,
  r: rReader,
  widget: widgetReader,
  markdown: textReader,
};
