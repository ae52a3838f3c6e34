/** Walks from a version of the artifact store to the inputs it was made from, or to the versions made from it. */

import type { Database } from 'better-sqlite3';
import { artifactUri } from '../artifacts/uri.ts';
import { isVisibleTo, type Party, uriOf, type VersionRef, type VersionRow } from './versionRow.ts';
import type { Versions } from './versions.ts';

interface LineageNode {
  readonly uri: string;
  readonly type: 'artifact' | 'table' | 'fetch';
  readonly artifact_id?: string;
  readonly version?: number;
  readonly transform_ref?: string;
  readonly created_at?: number;
  readonly principal?: string;
  readonly build_env?: string;
  readonly build_duration_ms?: number;
  readonly env_hash?: string;
  readonly source?: string;
  readonly content_sha256?: string;
}

export interface Lineage {
  readonly artifact_uri: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly {
    readonly from_uri: string;
    readonly to_uri: string;
    readonly input_version: string;
  }[];
  /** The number of levels that were walked. */
  readonly depth: number;
  readonly direct_inputs: readonly string[];
}

export interface Dependent {
  readonly artifact_uri: string;
  readonly artifact_id: string;
  readonly version: number;
  readonly name: string | null;
  readonly transform_ref: string | null;
  readonly created_at: number;
  readonly input_version: string;
}

interface StoredInput {
  readonly input_uri: string;
  readonly input_version: string;
  readonly input_id: string | null;
  readonly input_number: number | null;
}

/** Walks the inputs of a version, breadth first, at most `maxDepth` levels. Each node occurs once. */
export function lineageOf(
  database: Database,
  { versions, row, party, maxDepth }: { versions: Versions; row: VersionRow; party: Party; maxDepth: number },
): Lineage {
  const inputsOf = database.prepare<[string, number], StoredInput>(
    'SELECT input_uri, input_version, input_id, input_number FROM artifact_inputs WHERE id = ? AND version = ? ORDER BY input_uri',
  );
  const nodes = new Map<string, LineageNode>([[uriOf(row), artifactNode(row)]]);
  const edges: Lineage['edges'][number][] = [];
  let level: readonly VersionRow[] = [row];
  let depth = 0;
  while (level.length > 0 && depth < maxDepth) {
    const next: VersionRow[] = [];
    for (const reader of level) {
      for (const input of inputsOf.all(reader.id, reader.version)) {
        const node = inputNode(input, versions, party);
        edges.push({ from_uri: node.uri, to_uri: uriOf(reader), input_version: input.input_version });
        if (nodes.has(node.uri)) continue;
        nodes.set(node.uri, node);
        const below = refOf(input);
        const belowRow = below === null ? null : versions.find(below);
        if (belowRow !== null && isVisibleTo(belowRow, party)) next.push(belowRow);
      }
    }
    if (edges.length === 0) break;
    if (level.some(({ id, version }) => inputsOf.get(id, version) !== undefined)) depth += 1;
    level = next;
  }
  return {
    artifact_uri: uriOf(row),
    artifact_id: row.id,
    version: row.version,
    nodes: [...nodes.values()],
    edges,
    depth,
    direct_inputs: inputsOf.all(row.id, row.version).map(({ input_uri }) => input_uri),
  };
}

function refOf({ input_id, input_number }: StoredInput): VersionRef | null {
  return input_id === null || input_number === null ? null : { id: input_id, version: input_number };
}

function artifactNode(row: VersionRow): LineageNode {
  const { build_env, build_duration_ms, env_hash } = row.details;
  const source = row.transformSpec?.params['source'];
  return {
    uri: uriOf(row),
    type: 'artifact',
    artifact_id: row.id,
    version: row.version,
    ...(row.transformSpec === null ? {} : { transform_ref: row.transformSpec.executor }),
    created_at: row.createdAt,
    ...(row.principal === null ? {} : { principal: row.principal }),
    ...(build_env === undefined ? {} : { build_env }),
    ...(build_duration_ms === undefined ? {} : { build_duration_ms }),
    ...(env_hash === undefined ? {} : { env_hash }),
    ...(typeof source === 'string' ? { source } : {}),
    ...(row.contentSha256 === null ? {} : { content_sha256: row.contentSha256 }),
  };
}

/** An input that is not an artifact of this store is a table or a downloaded file. */
function inputNode(input: StoredInput, versions: Versions, party: Party): LineageNode {
  const ref = refOf(input);
  if (ref === null) {
    return { uri: input.input_uri, type: /^(https?|fetch):/.test(input.input_uri) ? 'fetch' : 'table' };
  }
  const row = versions.find(ref);
  if (row !== null && isVisibleTo(row, party)) return artifactNode(row);
  return {
    uri: artifactUri(ref.id, ref.version),
    type: 'artifact',
    artifact_id: ref.id,
    version: ref.version,
  };
}

/**
 * The versions that were made from `ref`, newest first. `total_count` counts all of them, not only the first `limit`.
 */
export function dependentsOf(
  database: Database,
  { ref, party, limit }: { ref: VersionRef; party: Party; limit: number },
): { readonly dependents: readonly Dependent[]; readonly total_count: number } {
  const all = party.isAdmin ? 1 : 0;
  const where = `FROM artifact_inputs i JOIN artifact_versions v ON v.id = i.id AND v.version = i.version
    WHERE i.input_id = ? AND i.input_number = ? AND (? OR v.tenant IN ('', ?))`;
  const key = [ref.id, ref.version, all, party.tenant] as const;
  const rows = database
    .prepare<
      unknown[],
      {
        id: string;
        version: number;
        spec: string | null;
        created_at: number;
        input_version: string;
        name: string | null;
      }
    >(
      `SELECT v.id, v.version, v.transform_spec AS spec, v.created_at, i.input_version,
         (SELECT n.name FROM artifact_names n WHERE n.artifact_id = v.id AND n.version = v.version ORDER BY n.name LIMIT 1) AS name
       ${where} ORDER BY v.created_at DESC, v.id LIMIT ?`,
    )
    .all(...key, limit);
  const total = Number(
    database
      .prepare(`SELECT count(*) ${where}`)
      .pluck()
      .get(...key),
  );
  return {
    dependents: rows.map(({ id, version, spec, created_at, input_version, name }) => ({
      artifact_uri: artifactUri(id, version),
      artifact_id: id,
      version,
      name,
      transform_ref: spec === null ? null : (JSON.parse(spec) as { executor: string }).executor, // the form in which it was saved
      created_at,
      input_version,
    })),
    total_count: total,
  };
}
