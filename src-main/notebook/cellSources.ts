/** Reads the source files of a notebook's cells. */

import type { CellId } from '../../src-shared/notebook/ids.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { namesIn } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { type CellFile, readCellFile } from './file/cellFile.ts';
import { testFileOf } from './file/cellFileNames.ts';
import type { CellEntry, NotebookFile } from './file/notebookFile.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/**
 * A cell's text as the session works with it (LF, no BOM). A cell whose file is missing, binary or too long
 * opens with an empty source and a message about the problem; `testSource` is "" when there are no tests.
 */
export interface CellSource {
  readonly source: string;
  readonly testSource: string;
  readonly problem: string | null;
  readonly testProblem: string | null;
}

/** A cell's two files as they were last read or written. */
export interface LoadedCell {
  readonly entry: CellEntry;
  readonly file: CellFile;
  readonly tests: CellFile;
}

/** How many files are read concurrently: enough to keep the disk busy, few enough to leave descriptors to others. */
const READERS = 32;

/** Reads the files of these cells. Directories are listed first, so that absent tests cost nothing. */
export async function loadCells(
  dir: NotebookFolder,
  entries: readonly CellEntry[],
): Promise<Map<CellId, LoadedCell>> {
  const present = testFiles(dir);
  const loaded = new Map<CellId, LoadedCell>();
  // Sets the order of the map to the order of the cells, whichever file is read first.
  for (const entry of entries) loaded.set(entry.id, { entry, file: MISSING, tests: MISSING });
  const queue = entries.values();
  const reader = async (): Promise<void> => {
    for (const entry of queue) {
      const tests = testFileOf(entry.id);
      loaded.set(entry.id, {
        entry,
        file: await readCellFile(dir, entry.file),
        tests: present.has(tests) ? await readCellFile(dir, tests) : MISSING,
      });
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return loaded;
}

export function sourceOf({ file, tests }: LoadedCell): CellSource {
  return {
    source: file.kind === 'text' ? file.source : '',
    testSource: tests.kind === 'text' ? tests.source : '',
    problem: file.kind === 'text' ? null : file.problem,
    testProblem: tests.kind === 'unusable' ? tests.problem : null,
  };
}

export function sourcesOf(cells: ReadonlyMap<CellId, LoadedCell>): ReadonlyMap<CellId, CellSource> {
  return new Map([...cells].map(([id, cell]) => [id, sourceOf(cell)]));
}

/** Whether the same bytes would have been read both times. */
export function sameFile(a: CellFile, b: CellFile): boolean {
  if (a.kind !== 'text' || b.kind !== 'text') return a.kind === b.kind;
  return a.source === b.source && a.style.eol === b.style.eol && a.style.bom === b.style.bom;
}

/** An id of 8 characters that neither the notebook nor a leftover file uses. */
export async function unusedId(
  dir: NotebookFolder,
  file: NotebookFile,
  newId: () => CellId,
): Promise<CellId> {
  const names = cellNames(dir);
  const ids = new Set([
    ...file.cells.map((cell): string => cell.id),
    ...names.map((name) => name.split('.')[0] ?? name),
  ]);
  for (;;) {
    const id = newId();
    if (!ids.has(id)) return id;
  }
}

const MISSING: CellFile = { kind: 'missing', problem: 'there is no file' };

function testFiles(dir: NotebookFolder): ReadonlySet<string> {
  return new Set(
    cellNames(dir)
      .filter((name) => name.endsWith('.test.py'))
      .map((name) => `cells/${name}`),
  );
}

/** The names in the folder of cells. If it is a link, or not a folder, each cell reports it. */
function cellNames(dir: NotebookFolder): readonly string[] {
  try {
    return namesIn(placeIn(dir, 'cells'));
  } catch (error) {
    if (error instanceof PlaceRefusal) return [];
    throw error;
  }
}
