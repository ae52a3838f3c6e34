/**
 * Promotes a result of a notebook: copies it, with the values that it was made from, to a store that others can read.
 */

import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../../artifacts/uri.ts';
import { subkey } from '../../run/provenance.ts';
import { hasSecret } from '../../run/team/hasSecret.ts';
import type { Session } from '../../session/api.ts';
import type { PromotionStore } from './promotionStore.ts';

/** Levels of lineage that are copied with a result. */
const LEVELS = 10;
const MAX_VERSIONS = 1_000;

/** One version that a promotion copies. */
interface Part {
  readonly uri: string;
  readonly row: ArtifactRow;
  readonly file: string;
  readonly hasSecret: boolean;
}

/**
 * A result and the stored values it was made from, inputs first. @throws AppError not_found if the notebook does not
 * hold it; conflict if its bytes are damaged
 */
export async function partsOf(session: Session, uri: string): Promise<readonly Part[]> {
  const rows = new Map<string, ArtifactRow>();
  const order: string[] = [];
  const visit = (at: string, level: number): void => {
    if (rows.has(at) || rows.size >= MAX_VERSIONS) return;
    const row = session.views.results.artifactRow(at);
    if (row === null || (row.state !== 'ready' && row.state !== 'superseded')) return;
    rows.set(at, row);
    if (level < LEVELS) for (const input of Object.keys(row.inputVersions)) visit(input, level + 1);
    order.push(at);
  };
  visit(uri, 0);
  if (!rows.has(uri)) throw new AppError('not_found', 'The notebook has no such result.');
  const parts: Part[] = [];
  for (const at of order) {
    const row = rows.get(at);
    const file = await session.views.results.artifactFile(at);
    if (row === undefined || file.kind === 'unknown') continue;
    if (file.kind === 'unreadable') {
      // A missing input stays in the lineage by its URI.
      if (at !== uri) continue;
      throw new AppError('conflict', `${file.message} Run its cell again.`);
    }
    const text = JSON.stringify(row.params);
    parts.push({
      uri: at,
      row,
      file: file.path,
      hasSecret: await hasSecret(session.views.notebook.redactor(), { text, file: file.path }),
    });
  }
  return parts;
}

/** What everyone who can read the store will see of a promotion. */
export function exposedBy(session: Session, parts: readonly Part[]) {
  const cells = new Set<string>(session.views.cells.all().map(({ id }) => id));
  return parts.map(({ uri, row, hasSecret: secret }) => {
    const label = parseArtifactId(session.notebookId, row.id, (id) => cells.has(id))?.label ?? null;
    return {
      artifact_uri: uri,
      cell_id: row.params['cell_id'] ?? '',
      variable: label === null || label.startsWith('__') ? null : label,
      content_type: row.contentType,
      byte_size: row.byteSize,
      created_at: row.createdAt / 1000,
      has_source: (row.params['source'] ?? '') !== '',
      has_secret: secret,
    };
  });
}

/**
 * Copies the parts. @returns the URI of the last one in the store, and the number of written versions. @throws
 * AppError bad_request if a part contains a secret
 */
export async function copyParts(
  store: PromotionStore,
  parts: readonly Part[],
): Promise<{ readonly uri: string; readonly copied: number }> {
  const secret = parts.find((part) => part.hasSecret);
  if (secret !== undefined) {
    throw new AppError(
      'bad_request',
      `${secret.uri} contains a secret of the notebook or the server, in its bytes, its source or the output of its cell. Nothing was copied. Remove the secret from the cell and run it again.`,
    );
  }
  const storeUris = new Map<string, string>();
  let copied = 0;
  let last = '';
  for (const { uri, row, file } of parts) {
    const inputs: Record<string, string> = {};
    for (const [input, version] of Object.entries(row.inputVersions)) {
      const moved = storeUris.get(input);
      inputs[moved ?? input] = moved === undefined ? version : moved.slice('svc://artifact/'.length);
    }
    const ready = await store.ready(row.provenanceHash);
    if (ready !== null && ready.sha256 === row.contentSha256) {
      last = ready.uri;
    } else {
      // Another run with the same key has other bytes; the promoted version gets a key of its own.
      const provenanceHash =
        ready === null ? row.provenanceHash : subkey(row.provenanceHash, `content=${row.contentSha256}`);
      const same = ready === null ? null : await store.ready(provenanceHash);
      if (same !== null) last = same.uri;
      else {
        const copyResult = await store.copy({ row, file, provenanceHash, inputs });
        if (copyResult.written) copied += 1;
        last = copyResult.uri;
      }
    }
    storeUris.set(uri, last);
  }
  return { uri: last, copied };
}

/** The URI of a result in its notebook. @throws AppError not_found if it is not a version */
export function uriOfParams(params: { readonly artifact_id: string; readonly version: string }): string {
  const uri = artifactUri(params.artifact_id, Number(params.version));
  const isVersion = /^[1-9]\d{0,14}$/.test(params.version) && parseArtifactUri(uri) !== null;
  if (!isVersion) throw new AppError('not_found', 'The notebook has no such result.');
  return uri;
}
