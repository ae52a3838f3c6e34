/** Reads one stored iteration of a loop with its displays and console, as the window shows it. */

import { readFile } from 'node:fs/promises';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { FIGURE_TYPE } from '../../notebook/stored/importedOutputs.ts';
import { outputOf } from '../../run/displays.ts';
import { readStoredConsole, replayDisplay } from '../../run/replay.ts';
import type { SessionState } from '../state/state.ts';
import { columnsOf } from '../view/results.ts';
import { iterationOf, type StoredIteration } from './iterations.ts';

/** Text up to this size is sent whole, because the route for a cell's displays does not serve iterations. */
const WHOLE_BYTES = 1024 * 1024;
const TEXTS: ReadonlySet<string> = new Set([
  'json/object',
  'text/html',
  'image/svg+xml',
  'text/plain',
  'text/latex',
]);

/**
 * The preview of one finished iteration of a cell, counted from the end where negative; null if there is
 * none.
 */
export async function shownIterationOf(
  state: SessionState,
  id: CellId,
  { store, at }: { readonly store: ArtifactStore; readonly at: number },
): Promise<ShownIteration | null> {
  const cell = state.cells.get(id);
  const iteration = cell === undefined ? null : iterationOf(state, cell, { store, at });
  return iteration === null ? null : shownIteration(store, iteration);
}

/** One iteration with its preview. */
export interface ShownIteration {
  readonly iteration: number;
  readonly count: number;
  readonly durationMs: number;
  readonly untilReached: boolean;
  readonly createdAtMs: number;
  readonly carry: { readonly name: string; readonly output: Output };
  readonly displays: readonly Output[];
  readonly stdout: string;
  readonly stderr: string;
}

async function shownIteration(store: ArtifactStore, iteration: StoredIteration): Promise<ShownIteration> {
  const { row } = iteration;
  const printed = iteration.console === null ? null : await readStoredConsole(store, iteration.console);
  const displays = await Promise.all(
    iteration.displays.map(async (display) => {
      const replayed = await replayDisplay(store, display);
      return replayed === null ? storedValue(display) : withWholeText(store, display, replayed);
    }),
  );
  return {
    iteration: iteration.iteration,
    count: iteration.count,
    durationMs: Number(row.params['build_duration_ms'] ?? 0),
    untilReached: row.params['until_reached'] === 'true',
    createdAtMs: row.createdAt,
    carry: { name: iteration.carry, output: await withWholeText(store, row, storedValue(row)) },
    displays,
    stdout: printed?.stdout ?? '',
    stderr: printed?.stderr ?? '',
  };
}

/** A stored value as an output; its bytes are not read. */
function storedValue(row: ArtifactRow): Output {
  const columns = columnsOf(row.schemaJson);
  return outputOf(
    {
      content_type: row.contentType,
      bytes: row.byteSize,
      preview: `<${row.contentType}, ${row.byteSize} bytes>`,
      ...(row.rowCount === null ? {} : { rows: row.rowCount }),
      ...(columns === null ? {} : { columns }),
    },
    artifactUri(row.id, row.version),
  );
}

async function withWholeText(store: ArtifactStore, row: ArtifactRow, output: Output): Promise<Output> {
  if ((!TEXTS.has(row.contentType) && !FIGURE_TYPE.test(row.contentType)) || row.byteSize > WHOLE_BYTES)
    return output;
  const readable = await store.readable(row);
  if (readable.kind !== 'ok') return { ...output, error: readable.message };
  const { preview_truncated: _cut, ...whole } = output;
  const text = await readFile(readable.path, 'utf8');
  return { ...whole, preview: row.contentType === 'json/object' ? parsedOr(text) : text };
}

/** NaN and the like are not valid JSON: the text is used as the value. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
