import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { CodeChange } from '../../../src-shared/wire/routes/extensions.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import { versionsOf } from '../../run/cache.ts';
import { ownSourceHash } from '../../run/setupHash.ts';
import { readDigest } from '../../run/shared/pinned.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** Longer sources are not sent: nobody reads such a difference beside a cell. */
export const MAX_CODE_CHARACTERS = 64 * 1024;
/** Cells told of at once: the nearest ones. */
const MAX_CHANGES = 4;

/**
 * The cells whose code is another one than what the cell's last run came from: itself, and those whose results it
 * read, however far away. What a run's code was is recorded with what it stored (provenance-and-cache 2, `source`).
 */
export function codeChangesOf(state: SessionState, cell: CellState): CodeChange[] {
  const ran = cell.record?.facts ?? null;
  if (ran === null) return [];
  const walk = newWalk(state);
  // A newer run may have stored over what this one read: its own lines are told first.
  if (ran.sourceHash !== cell.analysis.sourceHash) walk.add(cell, sourceOf(cell, ran.sourceHash));
  const setup = ran.setup === undefined ? undefined : state.cells.get(ran.setup.cellId as CellId); // may be gone
  if (setup !== undefined && ran.setup?.sourceHash !== setup.analysis.sourceHash) {
    walk.add(setup, sourceOf(setup, ran.setup?.sourceHash ?? ''));
  }
  for (const { cellId, name, sha256 } of ran.inputs) {
    const producer = state.cells.get(cellId as CellId); // unknown ids find nothing
    const row = producer && versionsOf(producer.artifacts, name).find((one) => readDigest(one) === sha256);
    if (row !== undefined) walk.visit(producer as CellState, row); // a row was found in it
  }
  return walk.changes;
}

function newWalk(state: SessionState) {
  const changes: CodeChange[] = [];
  const seen = new Set<ArtifactRow>();
  const told = new Set<CellId>();
  const add = (cell: CellState, before: string | null): void => {
    if (before === null || told.has(cell.id) || changes.length === MAX_CHANGES) return;
    if (Math.max(before.length, cell.source.length) > MAX_CODE_CHARACTERS) return;
    told.add(cell.id);
    changes.push({ cell_id: cell.id, before });
  };
  /** What a stored result came from, against what its cell says now. */
  const visit = (cell: CellState, row: ArtifactRow): void => {
    if (seen.has(row) || changes.length === MAX_CHANGES) return;
    seen.add(row);
    const { source, source_hash: hash } = row.params;
    if (hash !== undefined && ownSourceHash(hash) !== cell.analysis.sourceHash) {
      add(cell, source ?? null);
      return;
    }
    for (const uri of Object.keys(row.inputVersions)) {
      const read = rowAt(state, uri);
      if (read !== null) visit(read.cell, read.row);
    }
  };
  return { changes, add, visit };
}

/** The text of a hash the cell ran with, where one of its kept results has it. */
function sourceOf(cell: CellState, hash: string): string | null {
  for (const rows of Object.values(cell.artifacts)) {
    const found = rows.find(({ params }) => ownSourceHash(params['source_hash'] ?? '') === hash);
    if (found !== undefined) return found.params['source'] ?? null;
  }
  return null;
}

/** A kept result by its uri, with the cell that made it. */
function rowAt(state: SessionState, uri: string): { cell: CellState; row: ArtifactRow } | null {
  const ref = parseArtifactUri(uri);
  if (ref === null) return null;
  const named = parseArtifactId(state.notebookId, ref.id, (id) => state.cells.has(id as CellId));
  const cell = state.cells.get((named?.cellId ?? '') as CellId); // parseArtifactId asked whether there is one
  if (named === null || cell === undefined) return null;
  const row = versionsOf(cell.artifacts, named.label).find(({ version }) => version === ref.version);
  return row === undefined ? null : { cell, row };
}
