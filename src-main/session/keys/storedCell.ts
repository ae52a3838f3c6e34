/**
 * Builds a cell's state from its stored results and the records of its last runs, when a notebook is opened or a
 * deleted cell is restored.
 */

import { artifactPrefixOf, parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import { ITERATION_MARK } from '../../../src-shared/notebook/loop.ts';
import type { Output } from '../../../src-shared/wire/output.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import type { CellRuntime } from '../../notebook/stored/runtimeState.ts';
import { failedOutput } from '../../run/displays.ts';
import { replayDisplay } from '../../run/replay.ts';
import type { CellArtifacts, CellState, ConsoleOutput } from '../state/state.ts';
import { restoreRuntime } from './runtimeRecord.ts';

export const NO_CONSOLE: ConsoleOutput = { stdout: '', stderr: '' };

/**
 * The stored versions of each of these cells, newest first. For loops only their results: there may be
 * thousands of iterations, which never affect a status and are read on demand.
 */
export function storedByCell(
  store: ArtifactStore,
  { notebook, cellIds }: { readonly notebook: string; readonly cellIds: ReadonlySet<string> },
): ReadonlyMap<string, CellArtifacts> {
  const cells = new Map<string, Record<string, ArtifactRow[]>>();
  if (cellIds.size === 0) return cells;
  const rows = store.current(artifactPrefixOf(notebook), { without: ITERATION_MARK });
  for (const row of rows) {
    const artifact = parseArtifactId(notebook, row.id, (name) => cellIds.has(name));
    if (artifact === null) continue;
    const labels = cells.get(artifact.cellId) ?? {};
    cells.set(artifact.cellId, labels);
    const versions = Object.hasOwn(labels, artifact.label) ? (labels[artifact.label] ?? []) : [];
    labels[artifact.label] = versions;
    versions.push(row);
  }
  return cells;
}

/** A cell with the results of its runs: its versions in the store, its record, its displays, its console. */
export async function storedCell(
  store: ArtifactStore,
  parts: {
    readonly cell: CellState;
    readonly artifacts: CellArtifacts;
    readonly runtime: CellRuntime | undefined;
    readonly console: ConsoleOutput;
  },
): Promise<CellState> {
  const { displays, ...last } = restoreRuntime(parts.runtime);
  return {
    ...parts.cell,
    artifacts: parts.artifacts,
    ...last,
    displays: await Promise.all(displays.map((display) => withBytes(store, display))),
    console: parts.console,
  };
}

/** A recorded display with its bytes; if they are missing, a message in its place. */
async function withBytes(store: ArtifactStore, display: Output): Promise<Output> {
  if (display.artifact_uri === null) return display;
  const row = store.rowByUri(display.artifact_uri);
  return (row === null ? null : await replayDisplay(store, row, display)) ?? { ...display, error: LOST };
}

const LOST = 'This result is no longer stored. Run the cell to create it again.';

/** The display of a row; if its bytes are missing, a message in its place. */
export async function shownDisplay(store: ArtifactStore, row: ArtifactRow): Promise<Output> {
  return (await replayDisplay(store, row)) ?? { ...failedOutput(LOST), artifact_uri: null };
}
