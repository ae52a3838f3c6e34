/** Determines why a cell is stale (the cause shown in its chip), from what the server sent. Pure. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import { cellName } from './cellName.ts';
import type { NotebookModel } from './notebookModel.ts';

/** Why a cell's result may differ from that of a run now. */
export type Cause =
  | { readonly kind: 'source' }
  /** Python files in the notebook's folder that the cell imports. */
  | { readonly kind: 'modules'; readonly paths: readonly string[] }
  /** The name of the set-up cell; null if it was deleted. */
  | { readonly kind: 'setup'; readonly name: string | null }
  /** Mounts, fetches, datasets and tables whose data changed. With a single table, its new snapshot. */
  | { readonly kind: 'data'; readonly names: readonly string[]; readonly snapshot: string | null }
  | { readonly kind: 'environment' }
  | {
      readonly kind: 'inputs';
      readonly cells: readonly { readonly id: string | null; readonly name: string }[];
    }
  | {
      readonly kind: 'failed_upstream';
      readonly cells: readonly { readonly id: string; readonly name: string }[];
    }
  | { readonly kind: 'inputs_unknown' }
  | { readonly kind: 'forced' }
  /** Variables that were not stored because no cell read them when the cell ran, and that a cell reads now. */
  | { readonly kind: 'unkept'; readonly names: readonly string[] };

/**
 * The cause of a cell's staleness, from what the server sent (docs/spec/staleness-and-runs.md, 2): its causality, else
 * its reasons. Null for a cell that is not stale, or has simply not run.
 */
export function causeOf(model: NotebookModel, cell: Cell): Cause | null {
  if (cell.status !== 'stale' && cell.status !== 'idle') return null;
  const failed = cell.upstream_ids.filter((id) => model.cells[id]?.cell.status === 'error');
  if (failed.length > 0 && cell.status === 'stale') {
    return { kind: 'failed_upstream', cells: failed.map((id) => ({ id, name: cellName(model, id) })) };
  }
  if (cell.causality !== undefined) {
    const setup = cell.causality.details.find((detail) => detail.setup === true);
    if (setup !== undefined) {
      const { cell_id: id, cell_name: sentName = null } = setup;
      return { kind: 'setup', name: id !== undefined && model.cells[id] ? cellName(model, id) : sentName };
    }
    const inputs = cell.causality.details.filter((detail) => detail.type === 'input_changed');
    if (inputs.length > 0) {
      const cells = inputs.map(({ cell_id, cell_name }) => ({
        id: cell_id ?? null,
        name:
          cell_id !== undefined && model.cells[cell_id]
            ? cellName(model, cell_id)
            : (cell_name ?? 'an input'),
      }));
      return { kind: 'inputs', cells };
    }
    const paths = cell.causality.details.flatMap(({ module }) => (module === undefined ? [] : [module]));
    if (paths.length > 0) return { kind: 'modules', paths };
    const data = cell.causality.details.filter((detail) => detail.data !== undefined);
    if (data.length > 0) {
      const names = data.flatMap(({ data: name }) => (name === undefined ? [] : [name]));
      return { kind: 'data', names, snapshot: names.length === 1 ? (data[0]?.snapshot ?? null) : null };
    }
    return { kind: cell.causality.reason === 'env' ? 'environment' : 'source' };
  }
  const reasons = cell.staleness_reasons;
  if (reasons.includes('env')) return { kind: 'environment' };
  if (reasons.includes('forced')) return { kind: 'forced' };
  if (reasons.includes('self')) return { kind: 'source' };
  if (cell.status === 'stale') return { kind: 'inputs_unknown' };
  return cell.unkept === undefined ? null : { kind: 'unkept', names: cell.unkept };
}

/** Whether two causes have the same text, so that a selector can return the earlier object. */
export function sameCause(a: Cause | null, b: Cause | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
