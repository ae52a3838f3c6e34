/** Contracts of the routes that export and import notebooks. */

import * as z from 'zod';
import { sessionState } from '../notebookState.ts';
import type { RouteContract } from './contract.ts';
import { flagField, integerField, sessionParams } from './params.ts';

const PREFIX = '/v1/notebooks';

/** The maximum size of an imported Jupyter notebook, in bytes (docs/spec/rest-notebooks.md, 3.1, 5, 7). */
export const MAX_JUPYTER_BYTES = 50 * 1024 * 1024;
const MAX_SNAPSHOT_BYTES = 2 * 1024 ** 3;

const placeFields = z.object({
  /** The notebook's name; default: the file's. */
  name: z.string().max(255).optional(),
  /** Inside the storage root, which is the default. */
  parent_path: z.string().max(4_096).optional(),
  /** Extension: the name of its folder; default: made from the name. */
  folder: z.string().max(255).optional(),
});

/** The result of importing a Jupyter notebook (docs/spec/rest-notebooks.md, 3, 4). */
export const jupyterReport = z.object({
  markdown_cells: z.number().int(),
  code_cells: z.number().int(),
  suppressed_outputs: z.number().int(),
  skipped_cells: z.array(z.string()),
  translated_magics: z.array(z.string()),
  dropped_magics: z.array(z.string()),
  dropped_shells: z.array(z.string()),
  captured_deps: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Extension: the same, cell by cell. */
  findings: z.array(z.object({ cell_id: z.string().nullable(), kind: z.string(), text: z.string() })),
  report_path: z.string().nullable(),
  report_text: z.string(),
});
export type JupyterReport = z.infer<typeof jupyterReport>;

/** The result of importing a snapshot (docs/spec/rest-notebooks.md, 3.1). */
export const snapshotReport = z.object({
  imported_artifacts: z.number().int(),
  replaced_notebook_id: z.string().nullable(),
  by_reference_cells: z.array(z.string()),
});
export type SnapshotReport = z.infer<typeof snapshotReport>;

/** Export and import of notebooks (docs/spec/rest-notebooks.md, 8, 3). */
export const TRANSFER_ROUTES = {
  exportNotebook: {
    method: 'GET',
    path: `${PREFIX}/{sid}/export`,
    summary:
      'The notebook as one file: a zip, a snapshot with its results, Markdown, a page of HTML or a Jupyter notebook',
    scope: 'notebook:read',
    params: sessionParams,
    query: z.object({
      /** zip, snapshot, markdown, html; extension: ipynb. */
      fmt: z.string().default('zip'),
      /** For a snapshot: all, selected, or none of the stored results. */
      include: z.string().default('selected'),
      /** Ids of the selected cells, with commas between. */
      cells: z.string().max(100_000).optional(),
      include_inactive_variants: flagField.default('false'),
      app_view: flagField.default('false'),
      /** Extension: with `html`, the app view in the layout of notebook.toml (docs/apps.md). */
      app_layout: flagField.default('false'),
      /** Extension: `false` omits the output of cells. */
      console: flagField.default('true'),
      /** Extension: the maximum size of a single output in Markdown, HTML or ipynb; 0: no limit. */
      max_output_bytes: integerField.pipe(z.int().min(0)).default(1_048_576),
    }),
    response: 'bytes',
    media: ['application/zip', 'text/markdown', 'text/html', 'application/x-ipynb+json'],
    errors: [400, 404, 422],
  },
  importNotebook: {
    method: 'POST',
    path: `${PREFIX}/import`,
    summary:
      'Convert a Jupyter notebook and open it; the answer lists what was translated and what was left out',
    scope: 'notebook:write',
    upload: { maxBytes: MAX_JUPYTER_BYTES, fields: placeFields },
    response: sessionState.extend({ import_report: jupyterReport }),
    errors: [400, 403, 404, 409, 413, 422],
  },
  importSnapshot: {
    method: 'POST',
    path: `${PREFIX}/import-snapshot`,
    summary: 'Import a snapshot with its results, and open it',
    scope: 'notebook:write',
    upload: { maxBytes: MAX_SNAPSHOT_BYTES, fields: placeFields },
    response: sessionState.extend({ import_report: snapshotReport }),
    errors: [400, 403, 404, 409, 413, 422],
  },
} as const satisfies Record<string, RouteContract>;
