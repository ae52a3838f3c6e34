/** Applies changes of this window that no frame announces to the window's model immediately. */

import type { Mount } from '../../src-shared/wire/cell.ts';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import type { ConnectionsAnswer } from '../../src-shared/wire/routes/connections.ts';
import type { EnvAnswer } from '../../src-shared/wire/routes/secrets.ts';
import { cellModelOf, type NotebookModel } from './notebookModel.ts';

/** The model after this window has renamed the notebook. */
export function applyOwnName(model: NotebookModel, name: string): NotebookModel {
  return model.meta === null ? model : { ...model, meta: { ...model.meta, name } };
}

/** The model after this window has set the mounts. */
export function applyOwnMounts(model: NotebookModel, mounts: Mount[]): NotebookModel {
  return model.meta === null ? model : { ...model, meta: { ...model.meta, mounts } };
}

/** The model after this window has set or fetched the variables. */
export function applyOwnEnv(model: NotebookModel, answer: EnvAnswer): NotebookModel {
  const { cells: _told, ...env } = answer;
  return model.meta === null ? model : { ...model, meta: { ...model.meta, ...env } };
}

/** The model after this window has changed settings; the answer also contains the cells that they affect. */
export function applyOwnSettings(
  model: NotebookModel,
  { cells: changed, ...settings }: OwnSettings,
): NotebookModel {
  if (model.meta === null) return model;
  const cells = { ...model.cells };
  for (const cell of changed) cells[cell.id] = cellModelOf(cell, cells[cell.id]);
  return { ...model, cells, meta: { ...model.meta, ...settings } };
}

/** Connections, or the workers and the default worker. */
type OwnSettings = ConnectionsAnswer | Pick<NotebookBody, 'cells' | 'worker' | 'workers'>;

/** The model with an order that this window has set and the server has not announced yet. */
export function applyOwnOrder(model: NotebookModel, order: readonly string[]): NotebookModel {
  return { ...model, order };
}
