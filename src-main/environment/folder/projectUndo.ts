/** Reads pyproject.toml and uv.lock of a notebook, and restores them after an edit that failed or was undone. */

import { removeDurably } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readIfThere } from './projectFile.ts';

/** Both files of a project; null for a missing one. */
export interface ProjectFiles {
  readonly project: string | null;
  readonly lock: string | null;
}

export async function readProjectFiles(dir: NotebookFolder): Promise<ProjectFiles> {
  const [project, lock] = await Promise.all([
    readIfThere(placeIn(dir, 'pyproject.toml')),
    readIfThere(placeIn(dir, 'uv.lock')),
  ]);
  return { project: project?.toString('utf8') ?? null, lock: lock?.toString('utf8') ?? null };
}

/** Restores both files, each atomically. */
export async function writeProjectFiles(dir: NotebookFolder, files: ProjectFiles): Promise<void> {
  const now = await readProjectFiles(dir);
  for (const [name, content, current] of [
    ['pyproject.toml', files.project, now.project],
    ['uv.lock', files.lock, now.lock],
  ] as const) {
    if (content === current) continue;
    if (content === null) await removeDurably(placeIn(dir, name));
    else await replaceFile(placeIn(dir, name), content);
  }
}

/** The files before and after an edit. */
export interface ProjectUndo {
  readonly before: ProjectFiles;
  readonly after: ProjectFiles;
}

/** Undoes an edit whose environment could not be built, unless the project file was changed since. */
export async function undoEdit(dir: NotebookFolder, { before, after }: ProjectUndo): Promise<void> {
  const now = await readProjectFiles(dir);
  const isOurs = now.project === after.project;
  await writeProjectFiles(dir, { project: isOurs ? before.project : now.project, lock: before.lock });
}
