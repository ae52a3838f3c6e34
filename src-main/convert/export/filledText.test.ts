import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { openMemoryStore } from '../../artifacts/testing/memoryStore.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { exportedCell, exportView } from '../testing/views.ts';
import { filledText } from './filledText.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const DATA = `data:image/png;base64,${PNG.toString('base64')}`;
let dir = notebookFolder('');
let store: ArtifactStore;
let rows: Readonly<Record<string, ArtifactRow>>;

beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-filled-')));
  store = await openMemoryStore();
  await mkdir(join(dir, 'images'));
  await writeFile(join(dir, 'images/a b.png'), PNG);
  await writeFile(join(dir, 'images/c.png'), PNG);
  await writeFile(join(dir, 'page.png'), '<script>');
  await writeFile(join(dir, 'large.png'), Buffer.concat([PNG, Buffer.alloc(5_000)]));
  await symlink('/etc/hosts', join(dir, 'link.png'));
  const values: readonly [string, string][] = [
    ['total', '1234567'],
    ['share', '0.123456789'],
    ['label', '"a *b* <c>"'],
    ['exact', '12345678901234567890'],
    ['long', JSON.stringify('x'.repeat(3_000))],
  ];
  const published = await store.publish(
    values.map(([name, text]) => ({
      id: `var_${name}`,
      provenanceHash: name,
      contentType: 'json/object',
      rowCount: null,
      schemaJson: null,
      params: {},
      inputVersions: {},
      contentKey: null,
      blob: { bytes: Buffer.from(text) },
    })),
  );
  rows = Object.fromEntries(values.map(([name], at) => [name, published[at] as ArtifactRow])); // one row for each
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

it.each([
  ['a value', 'In all {{ total }} and {{share}}.', 'In all 1234567 and 0.123457.'],
  ['a value is text, never Markdown', '{{ label }}', 'a \\*b\\* &lt;c>'],
  ['an integer that JavaScript cannot represent exactly', '{{ exact }}', '12345678901234567890'],
  ['a name that no cell stored', '{{ nothing }} {{ total.x }}', '{{ nothing }} {{ total.x }}'],
  ['a value that is too long for a sentence', '{{ long }}', '{{ long }}'],
  [
    'code stays code',
    '`{{ total }}` ``a ` {{ total }}``\n\n    {{ total }}\n\n```\n{{ total }}\n```\n{{ total }}',
    '`{{ total }}` ``a ` {{ total }}``\n\n    {{ total }}\n\n```\n{{ total }}\n```\n1234567',
  ],
  ['a picture', 'See ![the plot](images/c.png "Title").', `See ![the plot](${DATA} "Title").`],
  [
    'a picture whose name has a space',
    '![](<images/a b.png>) ![](images/a%20b.png)',
    `![](${DATA}) ![](${DATA})`,
  ],
  ['a picture in code', '`![a](images/c.png)`', '`![a](images/c.png)`'],
  [
    'a picture of another server',
    '![a](https://example.org/images/c.png)',
    '![a](https://example.org/images/c.png)',
  ],
  ['no picture', '![a](page.png) ![b](nowhere.png)', '![a](page.png) ![b](nowhere.png)'],
  [
    'a link out of the folder',
    '![a](link.png) ![b](../secret.png) ![c](/etc/hosts)',
    '![a](link.png) ![b](../secret.png) ![c](/etc/hosts)',
  ],
  ['a picture above the limit', '![a](large.png)', '![a](large.png)'],
])('[TR-92] %s', async (_what, source, text) => {
  const stored = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, [row]]));
  const cells = [exportedCell({ id: 'values', defines: Object.keys(rows) }, { stored })];
  expect(await filledText(exportView(dir, store, { cells }), source, 1_000)).toBe(text);
});

it('[TR-92] a variable of an inactive variant is not shown', async () => {
  const cell = exportedCell(
    { defines: ['total'], variant_active: false },
    { stored: { total: [rows['total'] as ArtifactRow] } },
  ); // published above
  expect(await filledText(exportView(dir, store, { cells: [cell] }), '{{ total }}', 0)).toBe('{{ total }}');
});
