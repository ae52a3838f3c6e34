/** Stores a table in a notebook that is not open, so that tests can read tables without pandas. */

import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src-main/artifacts/store.ts';
import { artifactUri } from '../../src-main/artifacts/uri.ts';
import { notebookFolder } from '../../src-main/notebook/folder/notebookFolder.ts';
import { readNotebook } from '../../src-main/notebook/notebookFiles.ts';
import { artifactIdOf } from '../../src-shared/notebook/artifactIds.ts';

/**
 * Puts one of the table fixtures into a notebook that is not open, as if a cell had stored it, which no cell can do
 * without pandas in its environment.
 * @returns the uri of the table
 */
export async function storeTable(
  dir: string,
  cell: string,
  fixture: string,
  label = `table_${fixture}`,
): Promise<string> {
  const source = fileURLToPath(new URL(`../../src-main/table/fixtures/${fixture}.arrow`, import.meta.url));
  await copyFile(source, join(dir, 'staged.arrow'));
  return storeStaged(dir, { cell, label, provenance: fixture });
}

/** Puts a table with these bytes into a notebook that is not open. */
export async function storeTableBytes(
  dir: string,
  { cell, label, bytes }: { readonly cell: string; readonly label: string; readonly bytes: Uint8Array },
): Promise<string> {
  await writeFile(join(dir, 'staged.arrow'), bytes);
  return storeStaged(dir, { cell, label, provenance: label });
}

async function storeStaged(
  dir: string,
  { cell, label, provenance }: { readonly cell: string; readonly label: string; readonly provenance: string },
): Promise<string> {
  const { file } = await readNotebook(notebookFolder(dir));
  const staged = join(dir, 'staged.arrow');
  const store = await openStore(join(dir, '.svc/artifacts'));
  const id = artifactIdOf(file.notebookId, cell, label);
  const [row] = await store.publish([
    {
      id,
      provenanceHash: `made by hand: ${provenance}`,
      contentKey: null,
      contentType: 'arrow/ipc',
      params: {},
      inputVersions: {},
      rowCount: null,
      schemaJson: null,
      blob: { file: staged },
    },
  ]);
  await store.close();
  return artifactUri(id, row?.version ?? 0);
}
