/** The handlers of the routes that export and import notebooks, gathered from their files. */

import type { TRANSFER_ROUTES } from '../../../src-shared/wire/routes/transfer.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import { exportNotebook } from './exportNotebook.ts';
import { importNotebook, importSnapshotRoute } from './importNotebook.ts';
import type { HandlerContext } from './notebooks.ts';

/** The handlers of the routes that export and import notebooks (docs/spec/rest-notebooks.md, 8, 3). */
export function transferHandlers(context: HandlerContext): HandlersOf<typeof TRANSFER_ROUTES> {
  return {
    exportNotebook: async (call) => exportNotebook(context, call),
    importNotebook: async ({ upload }) => importNotebook(context, upload),
    importSnapshot: async ({ upload }) => importSnapshotRoute(context, upload),
  };
}
