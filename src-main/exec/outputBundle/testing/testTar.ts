/** Makes tar files, also invalid ones, for tests of output bundles. */

import { buffer } from 'node:stream/consumers';
import { type Header, pack } from 'tar-stream';

/** A member of a test's tar. */
export type TestMember = Partial<Header> & { readonly name: string; readonly text?: string };

/** A tar of these members; it checks nothing, so it can also make invalid ones. */
export async function tarOf(members: readonly TestMember[]): Promise<Buffer> {
  const tar = pack();
  for (const { text, ...header } of members) tar.entry(header, text ?? '');
  tar.finalize();
  return buffer(tar);
}

/** The smallest manifest of a bundle, with these fields added. */
export function manifest(more: object = {}): TestMember {
  const fields = { schema_version: 'notebook-output-bundle@v1', success: true, ...more };
  return { name: 'manifest.json', text: JSON.stringify(fields) };
}
