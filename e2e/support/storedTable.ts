import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src-main/artifacts/store.ts';
import { artifactUri } from '../../src-main/artifacts/uri.ts';
import { readNotebook } from '../../src-main/notebook/notebookFiles.ts';
import { artifactIdOf } from '../../src-shared/notebook/artifactIds.ts';

/**
 * Puts one of the table fixtures into a notebook that is not open, as if a cell had stored it: without pandas in its
 * environment no cell can.
 * @returns its uri
 */
export async function storeTable(
  dir: string,
  cell: string,
  fixture: string,
  label = `table_${fixture}`,
): Promise<string> {
  const { file } = await readNotebook(dir);
  const source = fileURLToPath(new URL(`../../src-main/table/fixtures/${fixture}.arrow`, import.meta.url));
  const staged = join(dir, 'staged.arrow');
  await copyFile(source, staged);
  const store = await openStore(join(dir, '.svc/artifacts'));
  const id = artifactIdOf(file.notebookId, cell, label);
  const [row] = await store.publish([
    {
      id,
      provenanceHash: `made by hand: ${fixture}`,
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
