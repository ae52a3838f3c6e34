import { removeDurably } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { readIfThere } from './projectFile.ts';

/** Both files of a project, as text; null where one is missing. */
export interface ProjectFiles {
  readonly project: string | null;
  readonly lock: string | null;
}

export async function readProjectFiles(dir: string): Promise<ProjectFiles> {
  const [project, lock] = await Promise.all([
    readIfThere(placeIn(dir, 'pyproject.toml')),
    readIfThere(placeIn(dir, 'uv.lock')),
  ]);
  return { project: project?.toString('utf8') ?? null, lock: lock?.toString('utf8') ?? null };
}

/** Puts both files back, each whole. */
export async function writeProjectFiles(dir: string, files: ProjectFiles): Promise<void> {
  const now = await readProjectFiles(dir);
  for (const [name, was, is] of [
    ['pyproject.toml', files.project, now.project],
    ['uv.lock', files.lock, now.lock],
  ] as const) {
    if (was === is) continue;
    if (was === null) await removeDurably(placeIn(dir, name));
    else await replaceFile(placeIn(dir, name), was);
  }
}

/** The files before an edit and as it left them. */
export interface ProjectUndo {
  readonly before: ProjectFiles;
  readonly after: ProjectFiles;
}

/** Takes an edit back whose environment could not be had, unless somebody else wrote the project file since. */
export async function undoEdit(dir: string, { before, after }: ProjectUndo): Promise<void> {
  const now = await readProjectFiles(dir);
  const isOurs = now.project === after.project;
  await writeProjectFiles(dir, { project: isOurs ? before.project : now.project, lock: before.lock });
}
