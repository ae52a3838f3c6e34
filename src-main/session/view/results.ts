/** Lists the stored versions of a cell's values and displays, for the inspector and the list of variables. */

import type { ResultVersion, StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { newestVersion } from '../keys/expected.ts';
import { storedLabels, unreadOf } from '../keys/stored.ts';
import type { CellState, SessionState } from '../state/state.ts';

const DISPLAY = /^__display__(\d+)$/;

/**
 * Every stored version of a cell's values and displays, newest first; versions of the same time in the order
 * of their labels.
 */
export function resultVersionsOf(cell: CellState): ResultVersion[] {
  const results = Object.entries(cell.artifacts).flatMap(([label, rows]) => {
    const variable = shownName(label);
    if (variable === null) return [];
    return rows.map((row, at): ResultVersion => keptResult(variable, row, at === 0));
  });
  return results.sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** The values that each cell stored for its readers, in notebook order. */
export function storedVariablesOf(state: SessionState): Omit<StoredVariable, 'value'>[] {
  return [...state.cells.values()].flatMap((cell) =>
    keptRowsOf(state, cell).map(([name, row]) => {
      return {
        name,
        cell_id: cell.id,
        artifact_uri: artifactUri(row.id, row.version),
        content_type: row.contentType,
        rows: row.rowCount,
        columns: columnsOf(row.schemaJson)?.length ?? null,
        byte_size: row.byteSize,
      };
    }),
  );
}

/** The rows of the values that each cell stored for its readers, with their columns. */
export function keptVariableRows(state: SessionState) {
  return [...state.cells.values()].flatMap((cell) =>
    keptRowsOf(state, cell).map(([name, row]) => ({
      name,
      cellId: cell.id,
      uri: artifactUri(row.id, row.version),
      contentType: row.contentType,
      rows: row.rowCount,
      columns: row.schemaJson,
      byteSize: row.byteSize,
    })),
  );
}

function keptRowsOf(state: SessionState, cell: CellState): readonly (readonly [string, ArtifactRow])[] {
  const variables = storedLabels(state, cell.id).flatMap((name) => {
    const row = newestVersion(cell, name);
    return row === null ? [] : [[name, row] as const];
  });
  return [...variables, ...unreadOf(state, cell)];
}

/** The console and other parts of a run are not separate results. */
function shownName(label: string): string | null {
  const display = DISPLAY.exec(label)?.[1];
  if (display !== undefined) return `display ${Number(display) + 1}`;
  return label.startsWith('__') ? null : label;
}

function keptResult(variable: string, row: ArtifactRow, current: boolean): ResultVersion {
  return {
    variable,
    artifact_uri: artifactUri(row.id, row.version),
    version: row.version,
    content_type: row.contentType,
    rows: row.rowCount,
    columns: columnsOf(row.schemaJson),
    byte_size: row.byteSize,
    created_at: new Date(row.createdAt).toISOString(),
    current,
    provenance_hash: row.provenanceHash,
  };
}

/** The column names of a stored table; the schema came with the notebook's folder, so it is validated. */
export function columnsOf(schemaJson: string | null): string[] | null {
  if (schemaJson === null) return null;
  try {
    const schema: unknown = JSON.parse(schemaJson);
    if (!Array.isArray(schema)) return null;
    return schema.flatMap((column: unknown) =>
      typeof column === 'object' && column !== null && 'name' in column ? [String(column.name)] : [],
    );
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
