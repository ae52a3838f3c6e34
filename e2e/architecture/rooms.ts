/**
 * The order of the subfolders ("rooms") of large folders, and the rule which may import from which; used by rooms'
 * architecture tests.
 */

import type { Import } from './layers.ts';

/**
 * The rooms (subfolders) of folders that are too large for one list, from top to bottom; `.` means the files of the
 * folder itself. A room imports values and types only from rooms below its own (AR-17, AR-44).
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src-main/session': [
    'testing',
    'open',
    '.',
    'views',
    'effects',
    'watch',
    'reduce',
    'view',
    'keys',
    'state',
  ],
  'src-main/table': ['.', 'service', 'export', 'facts', 'summary', 'query', 'columns'],
  'src-main/notebook': ['testing', '.', 'history', 'edits', 'stored', 'file', 'toml', 'folder'],
  'src-main/environment': [
    'testing',
    'search',
    '.',
    'r',
    'imports',
    'project',
    'uv',
    'venv',
    'folder',
    'lock',
  ],
  'src-main/exec/remote': ['testing', '.', 'ssh', 'pull', 'push', 'health', 'call'],
};

function roomOf(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null;
  const rest = path.slice(folder.length + 1).split('/');
  return rest.length === 1 ? '.' : (rest[0] ?? null);
}

/** The rule that an import within one of those folders breaks, as a message, or null. */
export function brokenRoom({ from, to, typeOnly }: Import): string | null {
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const [above, below] = [roomOf(folder, from), roomOf(folder, to)];
    if (above === null || below === null || above === below) continue;
    const [fromRow, toRow] = [rooms.indexOf(above), rooms.indexOf(below)];
    if (fromRow === -1) return `${folder} has no room ${above}`;
    if (toRow === -1) return `${folder} has no room ${below}`;
    if (toRow < fromRow && !typeOnly) return `${above} may not import from ${below}`;
  }
  return null;
}
