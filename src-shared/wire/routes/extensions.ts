import { CELL_ROUTES } from './cells.ts';
import type { RouteContract } from './contract.ts';
import { cellParams } from './params.ts';

const CELL = '/v1/notebooks/{sid}/x/cells/{cell_id}';

/** Routes the specification does not have: what the window shows beyond it (docs/extensions.md). */
export const EXTENSION_ROUTES = {
  restoreCell: {
    method: 'POST',
    path: `${CELL}/restore`,
    summary: 'Undo a deletion: the same id, source, place, tests and results',
    scope: 'notebook:write',
    params: cellParams,
    response: CELL_ROUTES.deleteCell.response,
    errors: [404, 409],
  },
} as const satisfies Record<string, RouteContract>;
