/** Writes the text of a cell's file unless another program changed it meanwhile; then merges the changes or refuses. */

import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { merge3 } from '../../src-shared/notebook/merge3.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { makeFolderAt } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { isLinkRefusal } from '../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { sameFile } from './cellSources.ts';
import {
  type CellFile,
  cellPlace,
  encodeSource,
  normalizeSource,
  PLAIN_STYLE,
  readCellFileSync,
  sourceProblem,
  type TextStyle,
} from './file/cellFile.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/** A text to write to a cell's file. */
export interface TextToWrite {
  /** The path relative to the notebook's folder. */
  readonly file: string;
  readonly source: string;
  /** The file as this process last read or wrote it. */
  readonly known: CellFile;
  /** The text with which the edit was last refused: `force` overwrites only this one. */
  readonly refusedWith: CellFile | null;
  readonly force: boolean;
}

/**
 * `merged`: other lines had been changed externally, and the file now has both changes. `conflict`: the same
 * lines were changed, and nothing was written.
 */
type TextWrite =
  | { readonly kind: 'written'; readonly now: TextFile }
  | { readonly kind: 'merged'; readonly now: TextFile; readonly disk: TextFile }
  | { readonly kind: 'conflict'; readonly disk: TextFile; readonly base: string };

type TextFile = Extract<CellFile, { kind: 'text' }>;

/** Maximum attempts while the file keeps changing. */
const MAX_TRIES = 20;
/** Another program may be in the middle of writing: its text counts once it was unchanged for this long. */
const SETTLE_MS = 40;
const MAX_CHECKS = 25;

/**
 * Writes a text by compare-and-swap: right before the file is replaced it must be unchanged, otherwise it is
 * read again. An external change is merged, or the edit is refused; it is never overwritten unseen. @throws
 * AppError bad_request (invalid text for a cell), conflict (something at the path is not a cell source)
 */
export async function writeText(dir: NotebookFolder, request: TextToWrite): Promise<TextWrite> {
  const { file, source, known, refusedWith, force } = request;
  refuseSource(file, source);
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    let disk = readForWriting(dir, file);
    const isForeign = disk.kind === 'text' && !sameFile(disk, known) && !isSeen(disk, { refusedWith, force });
    if (isForeign) disk = await settled(dir, file, disk);
    const style = styleOf(disk, known);
    const mine = normalizeSource(source, style);
    let text = mine;
    if (isForeign && disk.kind === 'text' && disk.source !== mine) {
      const base = known.kind === 'text' ? known.source : '';
      const merged = merge3({ base, mine, theirs: disk.source });
      if (merged.kind === 'conflict') return { kind: 'conflict', disk, base };
      text = merged.text;
      refuseSource(file, text);
    }
    const bytes = encodeSource(text, style);
    const now: TextFile = { kind: 'text', source: text, style };
    const expected = disk.kind === 'text' ? Buffer.from(encodeSource(disk.source, disk.style)) : null;
    const isThere = expected?.equals(Buffer.from(bytes)) ?? false;
    if (isThere || (await writeIfExpected(dir, { file, bytes, expected }))) {
      if (text === mine || disk.kind !== 'text') return { kind: 'written', now };
      return { kind: 'merged', now, disk };
    }
  }
  throw new AppError('conflict', `Another program keeps changing ${file}, so nothing was saved. Try again.`);
}

function isSeen(disk: CellFile, { refusedWith, force }: Pick<TextToWrite, 'refusedWith' | 'force'>): boolean {
  return force && refusedWith !== null && sameFile(disk, refusedWith);
}

/** The current content of `file`. @throws AppError when it is not a cell source */
function readForWriting(dir: NotebookFolder, file: string): CellFile {
  const disk = readCellFileSync(dir, file);
  if (disk.kind === 'unusable') throw new AppError('conflict', `${disk.problem}. It was not overwritten.`);
  return disk;
}

/** The file once no other program writes to it. */
async function settled(dir: NotebookFolder, file: string, first: CellFile): Promise<CellFile> {
  let last = first;
  for (let look = 0; look < MAX_CHECKS; look += 1) {
    await delay(SETTLE_MS);
    const now = readForWriting(dir, file);
    if (sameFile(now, last)) return now;
    last = now;
  }
  return last;
}

/** The style of the existing file, else of the previous one. */
function styleOf(disk: CellFile, last: CellFile): TextStyle {
  if (disk.kind === 'text') return disk.style;
  return last.kind === 'text' ? last.style : PLAIN_STYLE;
}

/**
 * Writes a file if it still is `expected` (null: no file).
 * @returns false if it is not; nothing was written then
 * @throws AppError conflict for a link that leads out of the notebook
 */
export async function writeIfExpected(
  dir: NotebookFolder,
  write: { readonly file: string; readonly bytes: string | Uint8Array; readonly expected: Uint8Array | null },
): Promise<boolean> {
  refuseGone(dir);
  try {
    const { names } = placeIn(dir, write.file);
    makeFolderAt({ root: dir, names: names.slice(0, -1) });
    return await replaceFile(cellPlace(dir, write.file), write.bytes, { expected: write.expected });
  } catch (error) {
    if (isLinkRefusal(error)) throw new AppError('conflict', error.message);
    throw error;
  }
}

/** The error when the notebook's folder was moved or deleted; it may be moved back. */
export class FolderGoneError extends AppError {
  constructor(dir: NotebookFolder) {
    super('conflict', `The folder ${dir} no longer exists, so nothing was written.`);
  }
}

/**
 * Refuses to write to a folder that was moved or deleted, so that it is not created again with one file in it.
 * @throws FolderGoneError
 */
function refuseGone(dir: NotebookFolder): void {
  if (statSync(dir, { throwIfNoEntry: false }) === undefined) throw new FolderGoneError(dir);
}

/** Refuses text that cannot be stored as the source of a cell. @throws AppError bad_request */
export function refuseSource(what: string, source: string): void {
  const problem = sourceProblem(source);
  if (problem !== null) throw new AppError('bad_request', `${what} ${problem}.`);
}
