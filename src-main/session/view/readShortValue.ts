/** Reads a stored value if it is short JSON, for code assistance. */

import { openHandle } from '../../lib/guardedFolder/read.ts';
import type { StoredValue } from '../../lsp/document/notebookText.ts';
import type { ArtifactFile } from './artifactFileOf.ts';

/** Maximum size of values that are read for code assistance. */
const SHORT_BYTES = 64 * 1024;

/** The JSON text of a stored value; null if it is not JSON, is too long, or cannot be read any more. */
export async function readShortValue(
  results: { artifactFile(uri: string): Promise<ArtifactFile> },
  { contentType, byteSize, uri }: StoredValue,
): Promise<string | null> {
  if (contentType !== 'json/object' || byteSize > SHORT_BYTES) return null;
  const storedFile = await results.artifactFile(uri);
  if (storedFile.kind !== 'file') return null;
  const file = await openHandle(storedFile.path);
  try {
    const { size } = await file.stat();
    return size > SHORT_BYTES ? null : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
