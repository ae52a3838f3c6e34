/** Creates the folder of a new notebook, empty or with the cells of an import. */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { cellId } from '../../src-shared/notebook/ids.ts';
import { normalizedName, readRequirement } from '../../src-shared/notebook/requirement.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import { errnoOf, syncDirectory } from '../lib/atomicFile.ts';
import { makeFolderAt } from '../lib/guardedFolder/names.ts';
import { OWN_FOLDER, placeIn } from '../lib/guardedFolder/place.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import { ownedName } from '../lib/ownedName.ts';
import { cellFileOf, writtenCellFile } from './file/cellFileNames.ts';
import { type NotebookFolder, notebookFolder } from './folder/notebookFolder.ts';
import { STORE_REQUIREMENTS } from './storePackages.ts';

interface NewNotebook {
  readonly parentDir: string;
  readonly name: string;
  /** The Python of the notebook, such as `3.12`. */
  readonly pythonVersion: string;
  readonly starterCell: boolean;
  /** The name of its folder; otherwise made from the notebook's name. */
  readonly folder?: string | undefined;
  /** The initial cells, in order. */
  readonly cells?: readonly { readonly id: string; readonly language: Language; readonly source: string }[];
  /** Requirements (PEP 508); one overrides the default requirement of the same package. */
  readonly dependencies?: readonly string[];
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

type Created =
  | { readonly kind: 'created'; readonly dir: NotebookFolder }
  | { readonly kind: 'exists'; readonly dir: string; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

const GITIGNORE = `# Files that Cellar can recreate
${OWN_FOLDER}/
.venv/
renv/library/
renv/staging/
__pycache__/
*.pyc
/.mcp.json
/CLAUDE.md
`;

/** The maximum length of one name in common file systems. */
const MAX_NAME_BYTES = 255;

/**
 * The name of a notebook's folder: the notebook's name lowercased, spaces to `_` (docs/spec/notebook-file.md, 1). Null
 * if the name gives no folder name.
 */
export function folderNameOf(name: string): string | null {
  const trimmed = name.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (trimmed === '' || trimmed === '.' || /[/\\\u0000-\u001f]|\.\./.test(trimmed)) return null;
  if (!trimmed.isWellFormed()) return null;
  const folder = trimmed.toLowerCase().replaceAll(' ', '_');
  return Buffer.byteLength(folder) > MAX_NAME_BYTES ? null : folder;
}

/**
 * Prefix of a notebook that is being created; leftovers of a killed process are removed at the next start.
 */
export const NEW_PREFIX = '.svc-new-';

/**
 * Creates a notebook folder beside its final place and renames it when complete: after a crash the whole folder exists
 * or none of it.
 */
export async function createNotebook(options: NewNotebook): Promise<Created> {
  const own = folderNameOf(options.name);
  const folder = options.folder ?? own;
  if (own === null || folder === null || folderNameOf(folder) === null) {
    return {
      kind: 'refused',
      message: `${JSON.stringify(own === null ? options.name : folder)} is not a valid folder name. Use 1 to 255 bytes without / \\ .. and control characters.`,
    };
  }
  const dir = notebookFolder(join(options.parentDir, folder));
  if (await isOccupied(dir)) return { kind: 'exists', dir, message: `${dir} already exists.` };
  const staged = notebookFolder(join(options.parentDir, await ownedName(NEW_PREFIX)));
  await mkdir(options.parentDir, { recursive: true });
  // Not recursive: only then does the error show why a disk refuses it.
  await mkdir(staged);
  try {
    makeFolderAt(placeIn(staged, 'cells'));
    await fill(staged, { ...options, folder });
    await syncDirectory(staged);
    // The rename replaces an existing empty folder.
    await rename(staged, dir);
    await syncDirectory(options.parentDir);
    return { kind: 'created', dir };
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    const code = errnoOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      return { kind: 'exists', dir, message: `${dir} already exists.` };
    throw error;
  }
}

async function isOccupied(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length > 0;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return false;
    if (code === 'ENOTDIR') return true;
    throw error;
  }
}

async function fill(dir: NotebookFolder, options: NewNotebook & { readonly folder: string }): Promise<void> {
  const now = new Date();
  const starter = { id: randomBytes(4).toString('hex'), language: 'python' as const, source: '' };
  const cells = (options.cells ?? (options.starterCell ? [starter] : [])).map((cell, order) => {
    const id = cellId(cell.id);
    return { ...cell, id, file: cellFileOf(id, cell.language), order };
  });
  const document = {
    notebook_id: randomUUID().replaceAll('-', ''),
    name: options.name.trim(),
    created_at: now,
    updated_at: now,
    ...(cells.length > 0
      ? { cells: cells.map(({ source: _, file, ...entry }) => ({ ...entry, file: writtenCellFile(file) })) }
      : {}),
  };
  await replaceFile(placeIn(dir, 'notebook.toml'), `${stringify(document)}\n`);
  await replaceFile(placeIn(dir, 'pyproject.toml'), projectText(options));
  await replaceFile(placeIn(dir, '.gitignore'), GITIGNORE);
  for (const { file, source } of cells) {
    await replaceFile(placeIn(dir, file), source === '' ? '' : `${source}\n`);
  }
  for (const [path, text] of Object.entries(options.files ?? {})) {
    const place = placeIn(dir, path);
    if (place.names.length > 1) makeFolderAt({ ...place, names: place.names.slice(0, -1) });
    await replaceFile(place, text);
  }
}

/** The base packages and the requested ones; of two requirements of the same package, the requested one. */
function withDependencies(requirements: readonly string[]): readonly string[] {
  const keyOf = (text: string): string => normalizedName(readRequirement(text)?.name ?? text);
  const keys = new Set(requirements.map(keyOf));
  return [...STORE_REQUIREMENTS.filter((text) => !keys.has(keyOf(text))), ...requirements];
}

function projectText({
  folder,
  pythonVersion,
  dependencies = [],
}: {
  readonly folder: string;
  readonly pythonVersion: string;
  readonly dependencies?: readonly string[];
}): string {
  const project =
    folder
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '') || 'notebook';
  return `[project]
name = ${JSON.stringify(project)}
version = "0.1.0"
description = ""
requires-python = "==${pythonVersion}.*"
dependencies = [
${withDependencies(dependencies)
  .map((dependency) => `    ${JSON.stringify(dependency)},`)
  .join('\n')}
]

[tool.uv]
`;
}
