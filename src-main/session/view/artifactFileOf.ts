/** Finds the file of a notebook's artifact that a client requests, and verifies its bytes. */

import { artifactPrefixOf } from '../../../src-shared/notebook/artifactIds.ts';
import type { NotebookId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';

/** `unknown`: the notebook holds no such artifact. */
export type ArtifactFile =
  | { readonly kind: 'file'; readonly path: string; readonly contentType: string; readonly sha256: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** The row of an artifact of this notebook by its URI; null for any other URI. */
export function artifactRowOf(
  store: Pick<ArtifactStore, 'rowByUri'>,
  uri: string,
  notebookId: NotebookId,
): ArtifactRow | null {
  const row = store.rowByUri(uri);
  return row?.id.startsWith(artifactPrefixOf(notebookId)) === true ? row : null;
}

/**
 * The verified file of an artifact of this notebook; calls `onLost` if its bytes are missing or damaged.
 */
export async function artifactFileOf(
  store: ArtifactStore,
  uri: string,
  { notebookId, onLost }: { readonly notebookId: NotebookId; readonly onLost: () => void },
): Promise<ArtifactFile> {
  const row = artifactRowOf(store, uri, notebookId);
  if (row === null) return { kind: 'unknown' };
  const readable = await store.readable(row);
  if (readable.kind === 'ok') {
    return { kind: 'file', path: readable.path, contentType: row.contentType, sha256: row.contentSha256 };
  }
  onLost();
  return { kind: 'unreadable', message: readable.message };
}
