import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MotoServer, startMoto } from '../../src-main/mount/remote/testMoto.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const python = process.env['CELLAR_TEST_SERVICES'];
const SECRET = 'hush-hush-secret';

/** Skipped where nobody brought the stand-in for S3: `npm test` does. */
describe.skipIf(python === undefined)('a bucket of S3', () => {
  let root = '';
  let moto: MotoServer;
  let server: ServerProcess;
  let client: S3Client;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-s3-'));
    moto = await startMoto(python ?? '');
    const credentials = { accessKeyId: 'id', secretAccessKey: SECRET };
    client = new S3Client({ endpoint: moto.url, forcePathStyle: true, region: 'us-east-1', credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
    const lab = { key: 'id', secret: `\${LAB_SECRET}`, endpoint_url: moto.url };
    server = await startServerProcess({
      grants: [root],
      env: {
        SVC_NOTEBOOK_CREDENTIALS: JSON.stringify({ lab, unset: { secret: `\${NOT_SET_ANYWHERE}` } }),
        SVC_NOTEBOOK_MOUNT_CREDENTIALS: JSON.stringify({ s3: 'lab' }),
        LAB_SECRET: SECRET,
      },
    });
  });
  afterAll(async () => {
    await server.dispose();
    client.destroy();
    await moto.stop();
    await rm(root, { recursive: true, force: true });
  });
  const put = (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket: 'lake', Key, Body }));
  const get = async (Key: string) =>
    (await client.send(new GetObjectCommand({ Bucket: 'lake', Key }))).Body?.transformToString();

  const reader = (uri: string) =>
    `# @mount raw ${uri}\nrows = {p.name: p.read_text() for p in raw.iterdir()}\nprint(rows)`;

  it('[MT-16] [MT-5] is read as a folder; a hit while nothing changed in it, also reopened', async () => {
    await put('one/a.csv', '1');
    await put('one/b.csv', '2');
    const open = await openNotebook(server, join(root, 'reading'), [
      { id: 'reader01', source: reader('s3://lake/one') },
      { id: 'count001', source: 'print(len(rows))' },
    ]);
    expect((await open.execute('count001')).stdout).toBe('2\n');
    expect((await open.execute('reader01')).cache_hit).toBe(true);
    await put('one/c.csv', '3');
    expect(await open.execute('reader01')).toMatchObject({ cache_hit: false });
    expect((await open.execute('count001')).stdout).toBe('3\n');
    await open.close();
    const again = await openNotebook(server, open.path);
    expect((await again.execute('reader01')).cache_hit).toBe(true);
    await again.close();
    await expectNoSecret(again);
  });

  it('[MT-16] [MT-8] is written to after the cell succeeded, and not by one that failed', async () => {
    const writing = (after: string) =>
      `# @mount out s3://lake/made rw credential=lab\n(out / 'sub').mkdir(exist_ok=True)\n(out / 'sub/x.txt').write_text('${after}')\n`;
    const open = await openNotebook(server, join(root, 'writing'), [
      { id: 'writer01', source: `${writing('no')}raise ValueError('no')` },
    ]);
    expect((await open.execute('writer01')).status).toBe('error');
    await expect(get('made/sub/x.txt')).rejects.toThrow();
    await open.edit('writer01', writing('yes'));
    expect((await open.execute('writer01')).status).toBe('ready');
    expect(await get('made/sub/x.txt')).toBe('yes');
    await open.close();
  });

  it.each([
    ['s3://lake/nothing', 'There is nothing at s3://lake/nothing.'],
    ['s3://nowhere/x', 'There is no s3://nowhere/x (404 NoSuchBucket).'],
    ['s3://lake/one credential=gone', 'This server defines no credential "gone" (SVC_NOTEBOOK_CREDENTIALS).'],
    [
      's3://lake/one credential=unset',
      'The credential "unset" needs NOT_SET_ANYWHERE, which neither the notebook\'s environment nor the server\'s sets.',
    ],
  ])('[MT-16] [MT-11] %s fails its cell in words', async (uri, words) => {
    const open = await openNotebook(server, await mkdtemp(join(root, 'failing-')), [
      { id: 'reader01', source: reader(uri) },
    ]);
    expect((await open.execute('reader01')).error).toBe(`The mount \`raw\` cannot be used. ${words}`);
    await open.close();
  });

  it('[MT-6] of a server that is gone fails, and is a hit again once it is back and the same', async () => {
    await put('steady/a', '1');
    const open = await openNotebook(server, join(root, 'gone'), [
      { id: 'reader01', source: reader('s3://lake/steady') },
    ]);
    await open.execute('reader01');
    await open.close();
    const toml = await readFile(join(open.path, 'notebook.toml'), 'utf8');
    const nowhere =
      '[[mounts]]\nname = "other"\nuri = "s3://lake/steady"\n[mounts.options]\nendpoint_url = "http://127.0.0.1:9"\n\n';
    await writeFile(join(open.path, 'notebook.toml'), toml.replace('[[cells]]', `${nowhere}[[cells]]`));
    const broken = await openNotebook(server, open.path);
    expect((await broken.execute('reader01')).error).toContain('cannot be listed now: ECONNREFUSED');
    await broken.close();
    await writeFile(join(open.path, 'notebook.toml'), toml);
    const again = await openNotebook(server, open.path);
    expect((await again.execute('reader01')).cache_hit).toBe(true);
    await again.close();
  });

  /** Nothing the notebook left holds the secret it was read with. */
  async function expectNoSecret(open: OpenNotebook): Promise<void> {
    const names = await readdir(open.path, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((one) => one.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect([entry.name, bytes.includes(SECRET)]).toEqual([entry.name, false]);
    }
    expect(server.stderr()).not.toContain(SECRET);
  }
});
