/** Writes the archive of a publication, a zip file with its page, its data and machine-readable metadata. */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ZipMember, zipPieces } from '../../convert/export/zipPieces.ts';
import { openHandle } from '../../lib/guardedFolder/read.ts';
import type { TableService } from '../../table/service/tableService.ts';
import { fileNameOf } from './page.ts';
import { CLAIMS, type PublicationView } from './publicationView.ts';
import { roCrate } from './roCrate.ts';

/** The archive of a publication, on disk until `dispose`. */
interface ArchiveFile {
  readonly path: string;
  /** SHA-256, in the form of `Content-Digest`. */
  readonly digest: string;
  dispose(): Promise<void>;
}

/**
 * Writes archive.zip: the page, the data, a Parquet copy of a table, manifest.json, RO-Crate metadata and a README. It
 * is written to disk first, because its digest is sent before it.
 */
export async function writeArchive(
  view: PublicationView,
  { tables, html }: { readonly tables: Pick<TableService, 'export'>; readonly html: string },
): Promise<ArchiveFile> {
  const dir = await mkdtemp(join(tmpdir(), 'cellar-archive-'));
  const dispose = () => rm(dir, { recursive: true, force: true });
  try {
    const parquet = await writeParquet(view, tables, join(dir, 'artifact.parquet'));
    const path = join(dir, 'archive.zip');
    const hash = createHash('sha256');
    const digest = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(
      Readable.from(zipPieces(membersOf(view, { html, parquet }))),
      digest,
      createWriteStream(path),
    );
    return { path, digest: `sha-256=:${hash.digest('base64')}:`, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The path of the Parquet file; null if the result is not a table. */
async function writeParquet(
  { path, row }: PublicationView,
  tables: Pick<TableService, 'export'>,
  target: string,
): Promise<string | null> {
  if (row.contentType !== 'arrow/ipc' || row.contentSha256 === null) return null;
  const parquet = await tables.export({ path, sha256: row.contentSha256, format: 'parquet' });
  if (parquet.kind === 'other') return null;
  await pipeline(Readable.from(parquet.pieces), createWriteStream(target));
  return target;
}

async function* membersOf(
  view: PublicationView,
  { html, parquet }: { readonly html: string; readonly parquet: string | null },
): AsyncGenerator<ZipMember> {
  const files = [
    { path: 'index.html', mediaType: 'text/html' },
    ...(parquet === null ? [] : [{ path: 'artifact.parquet', mediaType: 'application/vnd.apache.parquet' }]),
    { path: 'manifest.json', mediaType: 'application/json' },
    { path: 'README.md', mediaType: 'text/markdown' },
  ];
  yield { path: 'index.html', bytes: Buffer.from(html) };
  yield { path: fileNameOf(view), handle: await openHandle(view.path), compress: false };
  if (parquet !== null)
    yield { path: 'artifact.parquet', handle: await openHandle(parquet), compress: false };
  yield { path: 'manifest.json', bytes: jsonOf(manifestOf(view)) };
  yield { path: 'ro-crate-metadata.json', bytes: jsonOf(roCrate(view, files)) };
  yield { path: 'README.md', bytes: Buffer.from(readmeOf(view)) };
}

function manifestOf({ publication, row, lineage }: PublicationView) {
  return {
    title: publication.title,
    artifact_id: row.id,
    version: row.version,
    content_type: row.contentType,
    content_sha256: publication.contentSha256,
    byte_size: row.byteSize,
    row_count: row.rowCount,
    provenance_hash: row.provenanceHash,
    published_at: publication.publishedAt,
    authors: publication.authors,
    external_ids: publication.externalIds,
    lineage: { nodes: lineage.nodes, edges: lineage.edges },
    claims: CLAIMS,
  };
}

function readmeOf(view: PublicationView): string {
  const { publication, row } = view;
  const digest = publication.contentSha256 ?? 'not recorded';
  return `# ${publication.title ?? `${row.id}, version ${row.version}`}

- \`${fileNameOf(view)}\`: the data. Its SHA-256 is \`${digest}\`.
- \`manifest.json\`: what was published, and how it was made.
- \`ro-crate-metadata.json\`: the same as RO-Crate 1.1.
- \`index.html\`: a page to read. It needs no network.

Verify with \`sha256sum ${fileNameOf(view)}\`.
`;
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
