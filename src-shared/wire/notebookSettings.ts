/** The wire form of a user's settings for one notebook. */

import * as z from 'zod';
import { autoRun } from './autoRun.ts';

/** The maximum of SVC_NOTEBOOK_PARALLEL_CELLS. */
const MAX_PARALLEL_CELLS = 64;

/** `parallel_cells` of this notebook, and of the server; and which of its runs begin without a request. */
export const notebookSettings = z.object({
  parallel_cells: z.object({ own: z.number().nullable(), server: z.number() }),
  auto_run: autoRun,
});

/** New settings of a notebook; an absent one keeps its value. */
export const newNotebookSettings = z.object({
  parallel_cells: z.number().int().min(1).max(MAX_PARALLEL_CELLS).nullable().optional(),
  auto_run: autoRun.optional(),
});
