import { buffer } from 'node:stream/consumers';
import { type Header, pack } from 'tar-stream';

/** A member as a test writes it. */
export type TestMember = Partial<Header> & { readonly name: string; readonly text?: string };

/** A tar of the members given, as a stranger might write it. */
export async function tarOf(members: readonly TestMember[]): Promise<Buffer> {
  const tar = pack();
  for (const { text, ...header } of members) tar.entry(header, text ?? '');
  tar.finalize();
  return buffer(tar);
}

/** The least manifest of a bundle, with these fields. */
export function manifest(more: object = {}): TestMember {
  const fields = { schema_version: 'notebook-output-bundle@v1', success: true, ...more };
  return { name: 'manifest.json', text: JSON.stringify(fields) };
}
