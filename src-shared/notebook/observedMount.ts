/** Offers a file that a run was seen to read as a mount of the cell. */

import type { Cell } from '../wire/cell.ts';
import type { ExplainedInput } from '../wire/routes/extensions.ts';
import { mountNameFor, relativeMountUri, withMount } from './mountUri.ts';

/** The detail of a file that a run looked for and did not find. */
export const NOT_FOUND = 'not found when the cell checked';

/** Whether something a run used can be declared as a mount: a file or folder in the notebook's folder. */
export function canBeMount({
  kind,
  name,
  state,
  detail,
}: Pick<ExplainedInput, 'kind' | 'name' | 'state' | 'detail'>): boolean {
  if ((kind !== 'file' && kind !== 'folder') || state === 'gone' || detail === NOT_FOUND) return false;
  return name !== '.' && !/^([\\/]|[a-zA-Z]:)/.test(name) && !/\s/.test(name);
}

/** Adds a `# @mount` line for the path to the cell's source, with a name that the source does not use. */
export function withMountOf(
  { source, defines, references }: Pick<Cell, 'source' | 'defines' | 'references'>,
  path: string,
): string {
  const usedNames = new Set([...defines, ...references, ...(source.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])]);
  return withMount(source, { name: mountNameFor(path, usedNames), uri: relativeMountUri(path) });
}
