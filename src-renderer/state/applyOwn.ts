/** Changes of this window that no frame announces: the model shows them at once. */

import type { Mount } from '../../src-shared/wire/cell.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { ConnectionsAnswer } from '../../src-shared/wire/routes/connections.ts';
import type { EnvAnswer } from '../../src-shared/wire/routes/secrets.ts';
import { cellModelOf, type NotebookModel } from './notebookModel.ts';

/** A rename by this window: no frame announces it. */
export function applyOwnName(model: NotebookModel, name: string): NotebookModel {
  return model.meta === null ? model : { ...model, meta: { ...model.meta, name } };
}

/** The notebook's mounts as this window has just set them: no frame announces settings. */
export function applyOwnMounts(model: NotebookModel, mounts: Mount[]): NotebookModel {
  return model.meta === null ? model : { ...model, meta: { ...model.meta, mounts } };
}

/** The notebook's variables as this window has just set or fetched them: no frame announces settings. */
export function applyOwnEnv(model: NotebookModel, answer: EnvAnswer): NotebookModel {
  const { cells: _told, ...env } = answer;
  return model.meta === null ? model : { ...model, meta: { ...model.meta, ...env } };
}

/** Settings of the notebook as this window has just set them, and what the cells that use them say now. */
export function applyOwnSettings(
  model: NotebookModel,
  { cells: changed, ...settings }: OwnSettings,
): NotebookModel {
  if (model.meta === null) return model;
  const cells = { ...model.cells };
  for (const cell of changed) cells[cell.id] = cellModelOf(cell, cells[cell.id]);
  return { ...model, cells, meta: { ...model.meta, ...settings } };
}

/** Connections, or the workers and the one that cells take by default. */
type OwnSettings = ConnectionsAnswer | Pick<NotebookBody, 'cells' | 'worker' | 'workers'>;

/** An order set by this window, shown before the server has announced it. */
export function applyOwnOrder(model: NotebookModel, order: readonly string[]): NotebookModel {
  return { ...model, order };
}
