/** Collects the versions around one version of the artifact store, for the graph of its lineage in the window. */

import type { Database } from 'better-sqlite3';
import { artifactUri } from '../artifacts/uri.ts';
import { type Origin, originOf } from './origin.ts';
import {
  isVisibleTo,
  type Party,
  uriOf,
  type VersionRef,
  type VersionRow,
  type VersionState,
} from './versionRow.ts';
import type { Versions } from './versions.ts';

/** What the window draws for one node of the lineage graph. */
export interface MapNode {
  readonly uri: string;
  readonly type: 'artifact' | 'table' | 'fetch';
  /** Null for a table or a file, and for a version that the client may not see or that was deleted. */
  readonly version: MapVersion | null;
  /** How many inputs and dependents it has, drawn or not. */
  readonly inputs: number;
  readonly dependents: number;
}

interface MapVersion extends VersionRef, Origin {
  readonly state: VersionState;
  readonly contentType: string;
  readonly byteSize: number | null;
  readonly rowCount: number | null;
  readonly createdAt: number;
  /** The first of its names. */
  readonly name: string | null;
}

export interface LineageMap {
  readonly uri: string;
  readonly nodes: readonly MapNode[];
  /** The edges, each from an input to the version that was made from it. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** Whether nodes within the requested depth were left out, because there were too many. */
  readonly isCut: boolean;
}

export interface MapQuery {
  /** Levels of inputs, and of dependents. */
  readonly up: number;
  readonly down: number;
  /** The maximum number of nodes. */
  readonly limit: number;
}

interface InputRow {
  readonly uri: string;
  readonly id: string | null;
  readonly version: number | null;
}

/** The versions around one: what it was made from, and what was made from it, level by level. Each node occurs once. */
export function lineageMapOf(
  database: Database,
  { versions, row, party, query }: { versions: Versions; row: VersionRow; party: Party; query: MapQuery },
): LineageMap {
  const reader = readerOf(database, party);
  const rows = new Map<string, VersionRow>([[uriOf(row), row]]);
  const nodes = new Map<string, MapNode>();
  const edges = new Map<string, { from: string; to: string }>();
  let isCut = false;
  const add = (uri: string, node: () => MapNode): boolean => {
    if (nodes.has(uri)) return true;
    if (nodes.size >= query.limit) {
      isCut = true;
      return false;
    }
    nodes.set(uri, node());
    return true;
  };
  const link = (from: string, to: string): void => void edges.set(`${from} ${to}`, { from, to });
  /** The row of a version, if the client may see it. */
  const visible = (ref: VersionRef): VersionRow | null => {
    const uri = uriOf(ref);
    const cachedNode = rows.get(uri);
    if (cachedNode !== undefined) return cachedNode;
    const one = versions.find(ref);
    if (one === null || !isVisibleTo(one, party)) return null;
    rows.set(uri, one);
    return one;
  };
  add(uriOf(row), () => reader.node(row));

  const walk = (levels: number, step: (at: VersionRow, next: VersionRow[]) => void): void => {
    const visited = new Set<string>([uriOf(row)]);
    let level: VersionRow[] = [row];
    for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
      const next: VersionRow[] = [];
      for (const at of level) step(at, next);
      // A version that several others read is walked once.
      level = next.filter((one) => {
        const isNew = !visited.has(uriOf(one));
        visited.add(uriOf(one));
        return isNew;
      });
    }
  };
  walk(query.up, (at, next) => {
    for (const input of reader.inputsOf(at)) {
      const ref =
        input.id === null || input.version === null ? null : { id: input.id, version: input.version };
      const uri = ref === null ? input.uri : artifactUri(ref.id, ref.version);
      const below = ref === null ? null : visible(ref);
      if (!add(uri, () => (below === null ? outside(uri, ref !== null) : reader.node(below)))) continue;
      link(uri, uriOf(at));
      if (below !== null) next.push(below);
    }
  });
  walk(query.down, (at, next) => {
    for (const ref of reader.dependentsOf(at)) {
      const above = visible(ref);
      if (above === null || !add(uriOf(ref), () => reader.node(above))) continue;
      link(uriOf(at), uriOf(ref));
      next.push(above);
    }
  });
  return { uri: uriOf(row), nodes: [...nodes.values()], edges: [...edges.values()], isCut };
}

/** A node of which only the URI is known. */
function outside(uri: string, isArtifact: boolean): MapNode {
  const type = isArtifact ? 'artifact' : /^(https?|fetch):/.test(uri) ? 'fetch' : 'table';
  return { uri, type, version: null, inputs: 0, dependents: 0 };
}

/** The prepared statements of one walk. */
function readerOf(database: Database, party: Party) {
  const inputs = database.prepare<[string, number], InputRow>(
    `SELECT input_uri AS uri, input_id AS id, input_number AS version FROM artifact_inputs
     WHERE id = ? AND version = ? ORDER BY input_uri`,
  );
  const inputCount = database
    .prepare<[string, number], number>('SELECT count(*) FROM artifact_inputs WHERE id = ? AND version = ?')
    .pluck();
  const readers = `FROM artifact_inputs i JOIN artifact_versions v ON v.id = i.id AND v.version = i.version
    WHERE i.input_id = ? AND i.input_number = ? AND (? OR v.tenant IN ('', ?))`;
  const dependents = database.prepare<unknown[], VersionRef>(
    `SELECT DISTINCT v.id, v.version ${readers} ORDER BY v.created_at DESC, v.id, v.version`,
  );
  const dependentCount = database
    .prepare<unknown[], number>(`SELECT count(*) FROM (SELECT DISTINCT v.id, v.version ${readers})`)
    .pluck();
  const nameOf = database
    .prepare<[string, number], string>(
      'SELECT name FROM artifact_names WHERE artifact_id = ? AND version = ? ORDER BY name LIMIT 1',
    )
    .pluck();
  const keyOf = ({ id, version }: VersionRef) => [id, version, party.isAdmin ? 1 : 0, party.tenant];
  return {
    inputsOf: ({ id, version }: VersionRef): readonly InputRow[] => inputs.all(id, version),
    dependentsOf: (ref: VersionRef): readonly VersionRef[] => dependents.all(...keyOf(ref)),
    node(row: VersionRow): MapNode {
      return {
        uri: uriOf(row),
        type: 'artifact',
        version: {
          id: row.id,
          version: row.version,
          state: row.state,
          contentType: row.contentType,
          byteSize: row.byteSize,
          rowCount: row.rowCount,
          createdAt: row.createdAt,
          name: nameOf.get(row.id, row.version) ?? null,
          ...originOf(row),
        },
        inputs: inputCount.get(row.id, row.version) ?? 0,
        dependents: dependentCount.get(...keyOf(row)) ?? 0,
      };
    },
  };
}
