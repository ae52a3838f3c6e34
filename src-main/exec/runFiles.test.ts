import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readResult } from './runFiles.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-bundle-'));
afterAll(() => rmSync(dir, { recursive: true }));

const complete = { success: true, variables: {}, displays: [], mutation_warnings: [], build_env: '' };
const withFile = (file: string) => ({
  ...complete,
  variables: { x: { content_type: 'json/object', file, bytes: 1, preview: 1 } },
});

const rows: readonly { readonly name: string; readonly text: string | null; readonly gives: unknown }[] = [
  { name: 'none', text: null, gives: { kind: 'missing' } },
  { name: 'half a file', text: '{"success": tr', gives: { kind: 'unusable' } },
  { name: 'another shape', text: '{"success": true}', gives: { kind: 'unusable' } },
  { name: 'a complete one', text: JSON.stringify(withFile('x.json')), gives: { kind: 'result' } },
  {
    name: 'a file outside the folder',
    text: JSON.stringify(withFile('../x.json')),
    gives: { kind: 'unusable' },
  },
  { name: 'an absolute file', text: JSON.stringify(withFile('/etc/passwd')), gives: { kind: 'unusable' } },
];

for (const { name, text, gives } of rows) {
  test(`a result file: ${name}`, async () => {
    if (text !== null) writeFileSync(join(dir, 'harness-result.json'), text);
    expect(await readResult(dir)).toMatchObject(gives as object);
  });
}
