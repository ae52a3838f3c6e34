import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { cellId } from '../../src-shared/notebook/ids.ts';
import { errnoOf, syncDirectory, writeFileAtomic } from '../lib/atomicFile.ts';
import { cellFileOf } from './notebookFile.ts';

export interface NewNotebook {
  readonly parentDir: string;
  readonly name: string;
  /** `3.12` */
  readonly pythonVersion: string;
  readonly starterCell: boolean;
}

export type Created =
  | { readonly kind: 'created'; readonly dir: string }
  | { readonly kind: 'exists'; readonly dir: string; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

const GITIGNORE = `# What Cellar makes again by itself
.svc/
.venv/
renv/library/
renv/staging/
__pycache__/
*.pyc
/.mcp.json
/CLAUDE.md
`;

/** What a Python notebook needs to keep tables, JSON and any other object (semantics 13). */
const DEPENDENCIES = ['pyarrow>=18.0.0', 'orjson>=3.10.0', 'cloudpickle>=3.0.0'];

/** What common file systems allow of one name. */
const MAX_NAME_BYTES = 255;

/** The folder of a notebook: its name lowercased, spaces to `_` (semantics 13). Null for a name that names no folder. */
export function folderNameOf(name: string): string | null {
  const trimmed = name.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (trimmed === '' || trimmed === '.' || /[/\\\u0000-\u001f]|\.\./.test(trimmed)) return null;
  if (!trimmed.isWellFormed()) return null;
  const folder = trimmed.toLowerCase().replaceAll(' ', '_');
  return Buffer.byteLength(folder) > MAX_NAME_BYTES ? null : folder;
}

/** Makes a notebook folder beside its place and moves it there whole: a crash leaves none or all of it. */
export async function createNotebook(options: NewNotebook): Promise<Created> {
  const folder = folderNameOf(options.name);
  if (folder === null) {
    return {
      kind: 'refused',
      message: `${JSON.stringify(options.name)} cannot name a folder (no / \\ .. or control characters, not empty, at most 255 bytes).`,
    };
  }
  const dir = join(options.parentDir, folder);
  if (await isOccupied(dir)) return { kind: 'exists', dir, message: `${dir} is there already.` };
  const staged = join(options.parentDir, `.svc-new-${randomBytes(6).toString('hex')}`);
  await mkdir(options.parentDir, { recursive: true });
  // Not recursive: on a disk that refuses, only then the error says why.
  await mkdir(staged);
  try {
    await mkdir(join(staged, 'cells'));
    await fill(staged, { ...options, folder });
    await syncDirectory(staged);
    // An empty folder that waits there already is replaced by the rename.
    await rename(staged, dir);
    await syncDirectory(options.parentDir);
    return { kind: 'created', dir };
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    const code = errnoOf(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      return { kind: 'exists', dir, message: `${dir} is there already.` };
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

async function fill(dir: string, options: NewNotebook & { readonly folder: string }): Promise<void> {
  const now = new Date();
  const starter = cellId(randomBytes(4).toString('hex'));
  const file = cellFileOf(starter, 'python');
  const document = {
    notebook_id: randomUUID().replaceAll('-', ''),
    name: options.name.trim(),
    created_at: now,
    updated_at: now,
    ...(options.starterCell ? { cells: [{ id: starter, file, language: 'python', order: 0 }] } : {}),
  };
  await writeFileAtomic(join(dir, 'notebook.toml'), `${stringify(document)}\n`);
  await writeFileAtomic(join(dir, 'pyproject.toml'), projectText(options));
  await writeFileAtomic(join(dir, '.gitignore'), GITIGNORE);
  if (options.starterCell) await writeFileAtomic(join(dir, file), '');
}

function projectText({
  folder,
  pythonVersion,
}: {
  readonly folder: string;
  readonly pythonVersion: string;
}): string {
  const project = folder.replaceAll(/[^a-z0-9.-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'notebook';
  return `[project]
name = ${JSON.stringify(project)}
version = "0.1.0"
description = ""
requires-python = "==${pythonVersion}.*"
dependencies = [
${DEPENDENCIES.map((dependency) => `    ${JSON.stringify(dependency)},`).join('\n')}
]

[tool.uv]
`;
}
