/**
 * Kills `svc run` while the output of a cell is written back to a bucket of a fake S3 server: every object is then the
 * complete old or the complete new one, the next run writes all of them, and no temporary copy remains. Skipped where
 * the fake S3 server is not installed; `npm test` installs it.
 */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CutWire, cutWire } from '../support/cutWire.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';
import { type MotoServer, startMoto } from '../support/testMoto.ts';

const FILES = 4;
/** The first kills are one for each written object, alternately after and before the write: a normal run has one of each. */
const KILLS = process.env['LONG'] === '1' ? 100 : 2;
const SEED = Number(process.env['SEED'] ?? 20_261_124);
const python = process.env['CELLAR_TEST_SERVICES'];

const WRITER = `# @mount out s3://lake/made rw credential=lab
for _name in [f"part{_i}.txt" for _i in range(${FILES})]:
    (out / _name).write_text(f"{_name} of {round}\\n" * 200)
(out / "kept.txt").read_text()
done = round
`;

describe.skipIf(python === undefined)('kill -9 while a mount is written back', () => {
  let root = '';
  let dir = '';
  let moto: MotoServer;
  let wire: CutWire;
  let client: S3Client;
  let env: Record<string, string> = {};
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-back-kill-'));
    moto = await startMoto(python ?? '');
    wire = await cutWire(moto.url);
    const credentials = { accessKeyId: moto.key, secretAccessKey: moto.secret };
    client = new S3Client({ endpoint: moto.url, forcePathStyle: true, region: 'us-east-1', credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
    await client.send(new PutObjectCommand({ Bucket: 'lake', Key: 'made/kept.txt', Body: 'kept' }));
    const lab = { key: moto.key, secret: moto.secret, endpoint_url: wire.url };
    env = { SVC_NOTEBOOK_CREDENTIALS: JSON.stringify({ lab }) };
    dir = await writeReadyNotebook(join(root, 'kills'), {
      cells: [
        { id: 'round001', source: 'round = 0' },
        { id: 'writer01', source: WRITER },
        { id: 'leaf0001', source: 'print("done", done)' },
      ],
    });
    expect(await runWhole('at first')).toBe('done 0\n');
  });
  afterAll(async () => {
    client.destroy();
    await wire.close();
    await moto.stop();
    await rm(root, { recursive: true, force: true });
  });

  /** Runs the notebook; returns what the last cell prints. */
  async function runWhole(where: string): Promise<string | undefined> {
    const result = await svc(['run', dir, '--format', 'json'], { env });
    expect(result.code, `${where}: ${result.stderr}${result.stdout}`).toBe(0);
    const report: RunReport = JSON.parse(result.stdout);
    return report.cells.find(({ id }) => id === 'leaf0001')?.stdout;
  }

  async function bucket(): Promise<Readonly<Record<string, string>>> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'lake' }));
    const read = Contents.map(async ({ Key = '' }) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'lake', Key }));
      return [Key, (await Body?.transformToString()) ?? ''] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  }

  function objectsOf(round: number): Record<string, string> {
    const names = Array.from({ length: FILES }, (_, i) => `part${i}.txt`);
    const parts = names.map((name) => [`made/${name}`, `${name} of ${round}\n`.repeat(200)]);
    return { 'made/kept.txt': 'kept', ...Object.fromEntries(parts) };
  }

  it(
    `[MT-19] ${KILLS} kills, seed ${SEED}: each object is complete, and the next run writes them all`,
    async () => {
      const random = seeded(SEED);
      for (let i = 1; i <= KILLS; i += 1) {
        const write = i <= FILES ? i : 1 + Math.floor(random() * FILES);
        const when =
          i <= FILES ? (i % 2 === 0 ? 'before' : 'after') : pick(random, ['before', 'after'] as const);
        const where = `kill ${i} ${when} write ${write}`;
        await writeFile(join(dir, 'cells/round001.py'), `round = ${i}`);
        let pid = 0;
        wire.arm({ write, when, onCut: () => process.kill(pid, 'SIGKILL') });
        const dying = await svc(['run', dir, '--format', 'json'], {
          env,
          onStart: (started) => {
            pid = started;
          },
        });
        expect(dying.signal, `${where}: ${dying.stdout}${dying.stderr}`).toBe('SIGKILL');
        const writtenPaths = await wire.written();
        wire.arm(null);
        const now = objectsOf(i);
        const newKeys = writtenPaths.map((path) => path.replace('/lake/', ''));
        const expected = Object.fromEntries(newKeys.map((key) => [key, now[key] ?? '?']));
        expect(await bucket(), where).toEqual({ ...objectsOf(i - 1), ...expected });

        expect(await runWhole(where), where).toBe(`done ${i}\n`);
        expect(await bucket(), where).toEqual(now);
      }
      const scratch = await readdir(join(dir, '.svc'), { recursive: true });
      expect(scratch.filter((path) => path.includes('part'))).toEqual([]);
    },
    KILLS * 60_000,
  );
});
