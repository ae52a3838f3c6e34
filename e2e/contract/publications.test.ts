import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzipped } from '../../src-main/convert/testing/zips.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** Tests publications: tokens, public pages, withdrawal (docs/spec/core-services.md). */

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(() => server.dispose());

type Body = Record<string, unknown>;
const call = (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  rest<Body>(server.url, method, path, body);
const get = (path: string) => fetch(`${server.url}${path}`);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function put(data: unknown, inputs: readonly string[] = []) {
  const transform = { executor: 'test@v1', params: { data, source: '<b>select</b>' } };
  const { body } = await call('PUT', '/v1/artifacts', { inputs, transform, data });
  const uri = String(body['artifact_uri']);
  const [, id = '', version = ''] = /artifact\/(.+)@v=(\d+)$/.exec(uri) ?? [];
  return { uri, id, path: `/v1/artifacts/${id}/v/${version}` };
}

const TITLE = '<script>alert(1)</script> & "sales"';

async function published(data: unknown, more: Body = {}) {
  const raw = await put({ raw: [JSON.stringify(data)] });
  const made = await put(data, [raw.uri]);
  const { status, body } = await call('POST', `${made.path}/publish`, { title: TITLE, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...made, raw, token: String(body['token']), publicationId: String(body['id']) };
}

describe('[RG-9] a publication', () => {
  it('has a token that is shown only once, and the digest of the token as its id', async () => {
    const { token, publicationId, path } = await published({ a: ['one'] });
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(publicationId).toBe(sha256(Buffer.from(token)));
    const again = await call('POST', `${path}/publish`, { title: 'other' });
    expect(again.body).toMatchObject({ id: publicationId, token: null, url: null, title: TITLE });
    const { body } = await call('GET', '/v1/publications');
    expect(JSON.stringify(body)).not.toContain(token);
    expect((await get(`/p/${publicationId}`)).status).toBe(404);
    expect((await get(`/v1/publications/${publicationId}`)).status).toBe(404);
  });

  it('protects its version from deletion', async () => {
    const { path } = await published({ a: ['held'] });
    expect((await call('DELETE', path)).status).toBe(409);
  });

  it('accepts new authors and external ids, but no other version', async () => {
    const { token, publicationId } = await published({ a: ['credit'] }, { authors: [{ name: 'First' }] });
    const changed = await call('PATCH', `/v1/publications/${publicationId}`, {
      external_ids: [{ scheme: 'doi', value: '10.1/x' }],
    });
    expect(changed.body).toMatchObject({ authors: [{ name: 'First' }], external_ids: [{ scheme: 'doi' }] });
    expect((await call('PATCH', `/v1/publications/${token}`, { authors: [] })).body['authors']).toEqual([]);
    expect((await call('PATCH', `/v1/publications/${token}`, { version: 2 })).status).toBe(400);
    expect((await call('PATCH', '/v1/publications/unknown', { authors: [] })).status).toBe(404);
  });
});

describe('[RG-10] the public pages', () => {
  it('show the result and its lineage, and escape HTML in titles and values', async () => {
    const { token, raw, uri } = await published({ name: ['<img src=x onerror=alert(1)>', 'b'], n: [1, 2] });
    const response = await get(`/p/${token}`);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;sales&quot;');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('&lt;b&gt;select&lt;/b&gt;');
    expect(html).not.toMatch(/<script|<img src=x|<b>/);
    for (const node of [raw.uri, uri]) expect(html).toContain(node);
    const embed = await get(`/p/${token}/embed`);
    expect(embed.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(await embed.text()).toContain('<table>');
    const { body } = await call('GET', `/v1/publications/${token}`);
    expect(body).toMatchObject({
      publication: { token, url: `/p/${token}` },
      artifact: { row_count: 2 },
      lineage: { depth: 1 },
      claims: { integrity: expect.any(String) },
    });
  });

  it('offer the data, and an archive with its digest in a header', async () => {
    const { token } = await published({ n: [1, 2, 3] });
    const data = Buffer.from(await (await get(`/p/${token}/data`)).arrayBuffer());
    const response = await get(`/p/${token}/archive.zip`);
    const zip = Buffer.from(await response.arrayBuffer());
    const digest = Buffer.from(sha256(zip), 'hex').toString('base64');
    expect(response.headers.get('content-digest')).toBe(`sha-256=:${digest}:`);
    const members = await unzipped(zip);
    expect([...members.keys()].sort()).toEqual([
      ...[
        'README.md',
        'artifact.arrow',
        'artifact.parquet',
        'index.html',
        'manifest.json',
        'ro-crate-metadata.json',
      ],
    ]);
    expect(members.get('artifact.arrow')?.equals(data)).toBe(true);
    expect(members.get('artifact.parquet')?.subarray(0, 4).toString()).toBe('PAR1');
    expect(JSON.parse(String(members.get('manifest.json')))).toMatchObject({ content_sha256: sha256(data) });
    const crate = JSON.parse(String(members.get('ro-crate-metadata.json'))) as { '@graph': Body[] };
    const files = crate['@graph']
      .filter((entity) => entity['@type'] === 'File')
      .map((entity) => entity['@id']);
    expect(files.sort()).toEqual(
      [...members.keys()].filter((name) => name !== 'ro-crate-metadata.json').sort(),
    );
  });

  it('verify the stored bytes and a given digest', async () => {
    const { token, id } = await published({ n: [9] });
    const data = Buffer.from(await (await get(`/p/${token}/data`)).arrayBuffer());
    const verify = async (query = '') => (await (await get(`/p/${token}/verify${query}`)).json()) as Body;
    expect(await verify()).toMatchObject({ matches: true, recorded_sha256: sha256(data) });
    expect(await verify(`?sha256=${sha256(data)}`)).toMatchObject({ matches: true, sha256: sha256(data) });
    expect(await verify(`?sha256=${'0'.repeat(64)}`)).toMatchObject({ matches: false });
    const file = join(server.storageDir, '.artifacts/blobs', `${id}@v=1.arrow`);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await writeFile(file, bytes);
    expect(await verify()).toMatchObject({ matches: false, actual_sha256: sha256(bytes) });
  });

  it('report a withdrawal, and then serve only the badge', async () => {
    const { token, publicationId } = await published({ n: ['gone'] });
    const oembed = `/oembed?url=${encodeURIComponent(`${server.url}/p/${token}`)}`;
    expect(await (await get(oembed)).json()).toMatchObject({
      version: '1.0',
      type: 'rich',
      width: 480,
      height: 420,
    });
    expect((await get(`${oembed}&format=xml`)).status).toBe(501);
    expect((await call('DELETE', `/v1/publications/${publicationId}`)).body).toMatchObject({ revoked: true });
    for (const part of ['data', 'archive.zip', 'verify', 'embed', 'ro-crate']) {
      expect([part, (await get(`/p/${token}/${part}`)).status]).toEqual([part, 410]);
    }
    const badge = await get(`/p/${token}/badge.svg`);
    expect([badge.status, badge.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(await badge.text()).toContain('withdrawn');
    const page = await get(`/p/${token}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('was withdrawn')]);
    const { body } = await call('GET', `/v1/publications/${token}`);
    expect(Object.keys(body)).toEqual(['publication']);
    expect((await get(oembed)).status).toBe(404);
    expect((await call('DELETE', `/v1/publications/${token}`)).status).toBe(404);
    const all = (await call('GET', '/v1/publications?include_revoked=true')).body as unknown as Body[];
    expect(all.find((one) => one['id'] === publicationId)).toMatchObject({ revoked_at: expect.any(Number) });
  });
});
