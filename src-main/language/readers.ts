/** The table of cell readers by language. */

import type { Language } from '../../src-shared/wire/cell.ts';
import { type CellReader, NOTHING_READ } from './cellReader.ts';
import { promptReader } from './prompt/promptReader.ts';
import { pythonReader } from './python/pythonReader.ts';
import { rReader } from './r/rReader.ts';
import { sqlReader } from './sql/sqlReader.ts';
import { widgetReader } from './widget/widgetReader.ts';

/** Text has no names; its comments are headings. */
const textReader: CellReader = {
  read: () => NOTHING_READ,
  isEmpty: (source) => source.trim() === '',
};

/** How the cells of each language are read. */
export const READERS: Readonly<Record<Language, CellReader>> = {
  python: pythonReader,
  prompt: promptReader,
  sql: sqlReader,
  r: rReader,
  widget: widgetReader,
  markdown: textReader,
};
