/** Traces what a stored result was computed from, for the MCP tools about lineage. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { artifactUri } from '../artifacts/uri.ts';
import type { Session } from '../session/api.ts';
import { ToolRefusal } from './mcpCaller.ts';

/** One step of the lineage of a stored result, starting with the result itself (docs/spec/mcp.md, 2). */
interface LineageStep {
  readonly uri: string;
  readonly type: 'artifact' | 'table' | 'fetch';
  readonly artifact_id: string | null;
  readonly version: number | null;
  readonly transform: string | null;
  /** The source of the cell when it ran. */
  readonly source: string | null;
  readonly build_env: string | null;
  readonly principal: string | null;
  readonly content_sha256: string | null;
}

/**
 * The record of a variable stored by a cell.
 * @throws ToolRefusal
 */
export function storedVariable(session: Session, cell: Cell, variable: string): ArtifactRow {
  const uri = ownValue(cell.artifact_uris, variable) ?? ownValue(cell.unread_uris ?? {}, variable);
  const row = uri === undefined ? null : session.views.results.storage.record(uri);
  if (row !== null) return row;
  throw new ToolRefusal(
    `Cell ${cell.id} has no stored result for ${variable}. Run the cell first; only variables that other cells read are stored.`,
    'not_found',
  );
}

function ownValue(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The lineage of a stored result, breadth first, at most `maxDepth` levels; each value once. */
export function lineageSteps(
  record: (uri: string) => ArtifactRow | null,
  root: ArtifactRow,
  maxDepth: number,
): readonly LineageStep[] {
  const steps = new Map<string, LineageStep>([[artifactUri(root.id, root.version), artifactStep(root)]]);
  let level: readonly ArtifactRow[] = [root];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: ArtifactRow[] = [];
    for (const row of level) {
      for (const [uri, version] of Object.entries(row.inputVersions)) {
        if (steps.has(uri)) continue;
        const input = record(uri);
        steps.set(uri, input === null ? outsideStep(uri, version) : artifactStep(input));
        if (input !== null) next.push(input);
      }
    }
    level = next;
  }
  return [...steps.values()];
}

function artifactStep(row: ArtifactRow): LineageStep {
  return {
    uri: artifactUri(row.id, row.version),
    type: 'artifact',
    artifact_id: row.id,
    version: row.version,
    transform: row.params['executor'] ?? row.params['cell_id'] ?? null,
    source: row.params['source'] ?? null,
    build_env: row.params['build_env'] ?? null,
    principal: null,
    content_sha256: row.contentSha256,
  };
}

/** A downloaded file, a table, or a result that is no longer stored. */
function outsideStep(uri: string, version: string): LineageStep {
  const digest = /^sha256:([0-9a-f]{64})$/.exec(version)?.[1] ?? null;
  return {
    uri,
    type: uri.startsWith('svc://artifact/') ? 'artifact' : /^(https?|fetch):/.test(uri) ? 'fetch' : 'table',
    artifact_id: null,
    version: null,
    transform: null,
    source: null,
    build_env: null,
    principal: null,
    content_sha256: digest,
  };
}
