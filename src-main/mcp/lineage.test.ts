import { expect, it } from 'vitest';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { lineageSteps } from './lineage.ts';

function row(id: string, inputVersions: Record<string, string>): ArtifactRow {
  return {
    id,
    version: 1,
    state: 'ready',
    provenanceHash: id,
    contentKey: null,
    contentType: 'json/object',
    contentSha256: `sha-${id}`,
    byteSize: 1,
    rowCount: null,
    schemaJson: null,
    createdAt: 0,
    params: { cell_id: id, source: `# ${id}` },
    inputVersions,
  };
}

const uri = (id: string): string => `svc://artifact/${id}@v=1`;
const DIGEST = 'a'.repeat(64);
const ROWS: Readonly<Record<string, ArtifactRow>> = {
  [uri('top')]: row('top', { [uri('left')]: 'left@v=1', [uri('right')]: 'right@v=1' }),
  [uri('left')]: row('left', { [uri('base')]: 'base@v=1', 'https://x/f.csv': `sha256:${DIGEST}` }),
  [uri('right')]: row('right', { [uri('base')]: 'base@v=1', [uri('gone')]: 'gone@v=1' }),
  [uri('base')]: row('base', { 'cat:ns.table': '42' }),
};

it.each([
  [0, ['top']],
  [1, ['top', 'left', 'right']],
  [2, ['top', 'left', 'right', 'base', 'fetch https://x/f.csv', 'gone']],
  [9, ['top', 'left', 'right', 'base', 'fetch https://x/f.csv', 'gone', 'table cat:ns.table']],
])('[MC-13] a lineage of %i levels names each step once, breadth first', (depth, names) => {
  const top = ROWS[uri('top')];
  if (top === undefined) throw new Error('no top');
  const steps = lineageSteps((one) => ROWS[one] ?? null, top, depth);
  expect(
    steps.map((one) =>
      one.type === 'artifact' ? one.uri.replace(/^svc:\/\/artifact\/|@v=1$/g, '') : `${one.type} ${one.uri}`,
    ),
  ).toEqual(names);
  const fetched = steps.find(({ type }) => type === 'fetch');
  expect(fetched === undefined || fetched.content_sha256 === DIGEST).toBe(true);
});
