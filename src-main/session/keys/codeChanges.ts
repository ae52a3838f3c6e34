/** Finds which code changed since the run that made a cell's result, for the explanation of the cell's status. */

import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { CodeChange } from '../../../src-shared/wire/routes/extensions.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import { ownSourceHash } from '../../run/setupHash.ts';
import { readDigest } from '../../run/shared/pinned.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** Longer sources are not sent: such a difference is too long to read next to a cell. */
export const MAX_CODE_CHARACTERS = 64 * 1024;
/** Maximum number of reported cells: the nearest ones. */
const MAX_CHANGES = 4;

/**
 * The cells whose code differs from the code behind the cell's last run: itself, and the direct and indirect producers
 * of the results it read. The code of a run is recorded with what it stored (docs/spec/provenance-and-cache.md, 2,
 * `source`).
 */
export function codeChangesOf(state: SessionState, cell: CellState): CodeChange[] {
  const ran = cell.record?.facts ?? null;
  if (ran === null) return [];
  const walk = newWalk(state);
  // A newer run may have overwritten what this one read: its own lines come first.
  if (ran.sourceHash !== cell.analysis.sourceHash) walk.add(cell, sourceOf(cell, ran.sourceHash));
  const setup = ran.setup === undefined ? undefined : state.cells.get(ran.setup.cellId as CellId); // the cell may be deleted
  if (setup !== undefined && ran.setup?.sourceHash !== setup.analysis.sourceHash) {
    walk.add(setup, sourceOf(setup, ran.setup?.sourceHash ?? ''));
  }
  for (const { cellId, name, sha256 } of ran.inputs) {
    const producer = state.cells.get(cellId as CellId); // unknown ids return nothing
    const row = producer && versionsOf(producer.artifacts, name).find((one) => readDigest(one) === sha256);
    if (row !== undefined) walk.visit(producer as CellState, row); // the cell has a row, so it exists
  }
  return walk.changes;
}

function newWalk(state: SessionState) {
  const changes: CodeChange[] = [];
  const visited = new Set<ArtifactRow>();
  const reported = new Set<CellId>();
  const add = (cell: CellState, before: string | null): void => {
    if (before === null || reported.has(cell.id) || changes.length === MAX_CHANGES) return;
    if (Math.max(before.length, cell.source.length) > MAX_CODE_CHARACTERS) return;
    reported.add(cell.id);
    changes.push({ cell_id: cell.id, before });
  };
  /** Compares the source of a stored result with the current source of its cell. */
  const visit = (cell: CellState, row: ArtifactRow): void => {
    if (visited.has(row) || changes.length === MAX_CHANGES) return;
    visited.add(row);
    const { source, source_hash: hash } = row.params;
    if (hash !== undefined && ownSourceHash(hash) !== cell.analysis.sourceHash) {
      add(cell, source ?? null);
      return;
    }
    for (const uri of Object.keys(row.inputVersions)) {
      const input = rowAt(state, uri);
      if (input !== null) visit(input.cell, input.row);
    }
  };
  return { changes, add, visit };
}

/** The text with this hash, if one of the cell's stored results has it. */
function sourceOf(cell: CellState, hash: string): string | null {
  for (const rows of Object.values(cell.artifacts)) {
    const match = rows.find(({ params }) => ownSourceHash(params['source_hash'] ?? '') === hash);
    if (match !== undefined) return match.params['source'] ?? null;
  }
  return null;
}

/** A stored result by its uri, with the cell that made it. */
function rowAt(state: SessionState, uri: string): { cell: CellState; row: ArtifactRow } | null {
  const ref = parseArtifactUri(uri);
  if (ref === null) return null;
  const name = parseArtifactId(state.notebookId, ref.id, (id) => state.cells.has(id as CellId));
  const cell = state.cells.get((name?.cellId ?? '') as CellId); // parseArtifactId checked that it is a cell's
  if (name === null || cell === undefined) return null;
  const row = versionsOf(cell.artifacts, name.label).find(({ version }) => version === ref.version);
  return row === undefined ? null : { cell, row };
}
