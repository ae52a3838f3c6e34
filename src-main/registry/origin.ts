import { cellIdPart } from '../../src-shared/notebook/artifactIds.ts';
import type { VersionRow } from './versionRow.ts';

/** The cell of a notebook that made a version of the artifact store; null where it is not known. */
export interface Origin {
  readonly notebookId: string | null;
  readonly cellId: string | null;
  /** The variable; null for a display or the console. */
  readonly variable: string | null;
}

/** Reads the origin from the params that a promotion or the team's cache stored with the result, and from its id. */
export function originOf({ id, transformSpec, details }: VersionRow): Origin {
  const params = transformSpec?.params ?? details.shared_run?.params ?? {};
  const cellId = textOf(params['cell_id']);
  const label = textOf(params['variable_name']) ?? details.variable_name ?? null;
  const variable = label === null || label.startsWith('__') ? null : label;
  if (cellId === null) return { notebookId: null, cellId, variable };
  const at = id.indexOf(`_cell_${cellIdPart(cellId)}_var_`);
  const notebookId = id.startsWith('nb_') && at > 3 ? id.slice(3, at) : null;
  return { notebookId, cellId, variable };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
