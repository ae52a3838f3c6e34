/** Lists and opens the example notebooks that are installed with the program. */

import { randomUUID } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { access, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf, syncDirectory } from '../lib/atomicFile.ts';
import { OWN_FOLDER, placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { ownedName } from '../lib/ownedName.ts';
import { NEW_PREFIX } from './createNotebook.ts';
import { isNotebookFolder } from './discover.ts';
import { NOTEBOOK_FILE } from './file/notebookFile.ts';
import { type NotebookFolder, notebookFolder } from './folder/notebookFolder.ts';
import { readNotebook } from './notebookFiles.ts';
import { editNotebookText, parseNotebookText, rawText, readNotebookToml } from './notebookText.ts';
import { NotebookFileError } from './toml/notebookFileError.ts';

/** A notebook that was installed with the program. */
interface FoundExample {
  /** The name of its folder. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  /** The first paragraph of its first Markdown cell. */
  readonly about: string;
  readonly cells: number;
}

/** The notebooks that were installed with the program; none if the folder is missing. */
export interface Examples {
  list(): Promise<readonly FoundExample[]>;
  /**
   * The folder to open: the example's own, or a new copy in the storage folder, with a number if its name is
   * in use. @throws AppError not_found
   */
  folderFor(name: string): Promise<string>;
}

interface ExamplesOptions {
  readonly dir: string;
  readonly storageDir: string;
}

/**
 * Whether examples are edited in place. Those in a writable folder belong to a clone and are. Those inside an app are
 * not: an update would delete the user's work.
 */
export async function areEditedInPlace(dir: string): Promise<boolean> {
  const mayWrite = await access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
  const isClone = await access(join(dir, '..', 'src-main')).then(
    () => true,
    () => false,
  );
  return mayWrite && isClone;
}

/** The first ones to show; the others follow by name. */
const FIRST: readonly string[] = ['first-steps', 'penguins', 'seattle-weather'];

function inOrder(names: readonly string[]): readonly string[] {
  return [...FIRST.filter((name) => names.includes(name)), ...names.filter((name) => !FIRST.includes(name))];
}

export function createExamples({ dir, storageDir }: ExamplesOptions): Examples {
  return {
    async list() {
      const examples: FoundExample[] = [];
      for (const name of inOrder(await namesIn(dir))) {
        const path = join(dir, name);
        const description = await describe(path).catch(nullIfBroken);
        if (description !== null) examples.push({ name, path, ...description });
      }
      return examples;
    },
    async folderFor(name) {
      const path = join(dir, name);
      if (
        basename(path) !== name ||
        !(await namesIn(dir)).includes(name) ||
        !(await isNotebookFolder(path))
      ) {
        throw new AppError('not_found', `There is no example ${name}.`);
      }
      return (await areEditedInPlace(dir)) ? path : copyInto(path, storageDir);
    },
  };
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function describe(path: string): Promise<Pick<FoundExample, 'title' | 'about' | 'cells'>> {
  const { file, sources } = await readNotebook(notebookFolder(path));
  const words = file.cells.find(({ language }) => !LANGUAGES[language].runs);
  const text = words === undefined ? '' : (sources.get(words.id)?.source ?? '');
  return { title: file.name, about: firstParagraph(text), cells: file.cells.length };
}

export function firstParagraph(markdown: string): string {
  const paragraphs = markdown.split(/\n\s*\n/).map((part) => part.trim());
  const first = paragraphs.find((part) => part !== '' && !part.startsWith('#') && !part.startsWith('<!--'));
  return (first ?? '').replaceAll(/\s*\n\s*/g, ' ');
}

/** A folder without a readable notebook is not an example. */
function nullIfBroken(error: unknown): null {
  if (error instanceof NotebookFileError) return null;
  throw error;
}

/** The results of runs are not part of an example. */
const LEFT_OUT = new Set([OWN_FOLDER, '.venv', '__pycache__']);

async function copyInto(from: string, storageDir: string): Promise<string> {
  await mkdir(storageDir, { recursive: true });
  const staged = join(storageDir, await ownedName(NEW_PREFIX));
  try {
    await cp(from, staged, {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(basename(source)) && !lstatSync(source).isSymbolicLink(),
    });
    await giveOwnIdentity(notebookFolder(staged));
    for (let number = 1; ; number += 1) {
      const to = join(storageDir, number === 1 ? basename(from) : `${basename(from)}-${number}`);
      if (await isTaken(to)) continue;
      if (!(await moved(staged, to))) continue;
      await syncDirectory(storageDir);
      return to;
    }
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

async function isTaken(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Renames a folder. @returns false when another process took the name a moment ago */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') return false;
    throw error;
  }
}

/**
 * Gives a copied example an identity of its own, because two copies are two notebooks. The app's own files may be
 * read-only; the copy must be writable.
 */
async function giveOwnIdentity(dir: NotebookFolder): Promise<void> {
  const text = parseNotebookText(await readNotebookToml(dir));
  const id = randomUUID().replaceAll('-', '');
  const edited = editNotebookText(text, [{ op: 'set', path: ['notebook_id'], value: id }]);
  await replaceFile(placeIn(dir, NOTEBOOK_FILE), rawText(edited), { mode: 0o644 });
}
