/** Stores the outputs of an imported Jupyter notebook's cells, in `.svc/imported_outputs.json`. */

import * as z from 'zod';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownName, ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord, recordText } from '../folder/record.ts';

/**
 * The name of the file. Its outputs are shown until a cell runs for the first time and are not results: no key, status
 * or later cell depends on them.
 */
export const IMPORTED_OUTPUTS_FILE = ownName('importedOutputs');

const TEXTS = ['text/plain', 'text/html', 'text/markdown', 'text/latex', 'image/svg+xml'] as const;
/** Figures as data, which the window draws: Plotly, Vega and Vega-Lite. */
export const FIGURE_TYPE = /^application\/vnd\.(?:plotly\.v1|vega(?:lite)?\.v\d+)[+.]json$/;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif'] as const;

const size = z.number().int().positive().max(100_000).nullable();

const importedDisplay = z.union([
  z.object({ type: z.enum(TEXTS), text: z.string() }),
  z.object({
    type: z.enum(PICTURES),
    base64: z.string().regex(/^[A-Za-z0-9+/]+=*$/),
    width: size,
    height: size,
  }),
  z.object({ type: z.string().regex(FIGURE_TYPE), text: z.string() }),
  z.object({ type: z.literal('json/object'), value: z.unknown() }),
]);
export type ImportedDisplay = z.infer<typeof importedDisplay>;
export type PictureType = (typeof PICTURES)[number];
export type TextType = (typeof TEXTS)[number];

const importedCell = z.object({
  stdout: z.string(),
  stderr: z.string(),
  displays: z.array(importedDisplay).max(10_000),
});
export type ImportedCell = z.infer<typeof importedCell>;

const importedFile = z.object({ version: z.literal(1), cells: z.record(z.string(), importedCell) });

/** A cell's outputs from its imported file. */
export interface ImportedOutputs {
  readonly stdout: string;
  readonly stderr: string;
  readonly displays: readonly Output[];
}

/** The maximum size of the file; an import stops well before it. */
const MAX_BYTES = 64 * 1024 * 1024;

export function importedOutputsText(cells: ReadonlyMap<string, ImportedCell>): string {
  return recordText({ version: 1, cells: Object.fromEntries(cells) }, 'line');
}

/** The outputs by cell id; empty if the notebook was not imported, or the file is invalid. */
export async function loadImportedOutputs(
  dir: NotebookFolder,
): Promise<ReadonlyMap<string, ImportedOutputs>> {
  const options = { repairs: false, maxBytes: MAX_BYTES };
  const loading = loadRecord(ownPlace(dir, 'importedOutputs'), importedFile, options);
  // A file that the system does not let us read shows nothing.
  const value = await loading.then((loaded) => loaded.value).catch(() => null);
  if (value === null) return new Map();
  return new Map(
    Object.entries(value.cells).map(([id, { stdout, stderr, displays }]) => [
      id,
      { stdout, stderr, displays: displays.map(outputOf) },
    ]),
  );
}

function outputOf(display: ImportedDisplay): Output {
  const isPicture = 'base64' in display;
  const value = 'text' in display ? display.text : 'value' in display ? display.value : null;
  const text = isPicture ? '' : typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return {
    content_type: display.type,
    rows: null,
    columns: null,
    bytes: isPicture ? Math.floor((display.base64.length * 3) / 4) : Buffer.byteLength(text),
    artifact_uri: null,
    preview: isPicture ? null : value,
    inline_data_url: isPicture ? `data:${display.type};base64,${display.base64}` : null,
    markdown_text: display.type === 'text/markdown' ? text : null,
    width: isPicture ? display.width : null,
    height: isPicture ? display.height : null,
    error: null,
  };
}
