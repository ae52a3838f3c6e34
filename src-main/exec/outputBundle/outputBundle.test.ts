/** Output bundles: a packed bundle is read back, other layouts are read, and damaged or hostile bundles are refused. */

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import { BundleProblem } from './bundleProblem.ts';
import { type BundleSource, packBundle } from './packBundle.ts';
import { readBundle } from './readBundle.ts';
import { manifest, tarOf } from './testing/testTar.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-bundle-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

let folders = 0;
async function folder(): Promise<string> {
  folders += 1;
  const dir = join(root, `f${folders}`);
  await mkdir(dir);
  return dir;
}

const MAX = 1_000_000;
const read = async (bytes: Buffer | Readable, maxMemberBytes = MAX) => {
  const dir = await folder();
  const input = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
  return { dir, ...(await readBundle(input, { dir, maxMemberBytes })) };
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const success: HarnessResult = {
  success: true,
  variables: {
    df: {
      content_type: 'arrow/ipc',
      file: 'df.arrow',
      bytes: 5,
      preview: [[1]],
      rows: 1,
      columns: ['a'],
      sha256: sha256('arrow'),
    },
    bad: { error: 'cannot pickle', type: 'generator' },
    shown: { content_type: 'json/object', bytes: 0, preview: 7 },
    _: { content_type: 'arrow/ipc', file: 'df.arrow', bytes: 5, preview: [[1]] },
  },
  displays: [
    { content_type: 'image/png', file: '__display__0.png', bytes: 3, preview: '' },
    { content_type: 'arrow/ipc', file: 'df.arrow', bytes: 5, preview: [[1]] },
  ],
  mutation_warnings: [{ var_name: 'x', message: 'm', suggestion: null }],
  build_env: 'cpython-3.13-linux-x86_64',
};

async function source(result: HarnessResult = success): Promise<BundleSource> {
  const outputDir = await folder();
  await writeFile(join(outputDir, 'df.arrow'), 'arrow');
  await writeFile(join(outputDir, '__display__0.png'), 'png');
  return { result, outputDir, durationMs: 12, stdout: 'said é\n', stderr: '', maxMemberBytes: MAX };
}

async function pack(input: BundleSource): Promise<Buffer> {
  const bundle = await packBundle(input);
  const bytes = await buffer(bundle.stream());
  expect(bytes.length).toBe(bundle.bytes);
  return bytes;
}

describe('[WK-1] a packed bundle is read back', () => {
  it('values, displays, failures and console, each file once', async () => {
    const bytes = await pack(await source());
    const bundle = await read(bytes);
    expect(bundle.stdout).toBe('said é\n');
    expect(bundle.durationMs).toBe(12);
    const { variables, displays, ...rest } = bundle.result;
    expect(rest).toEqual({
      success: true,
      mutation_warnings: success.mutation_warnings,
      build_env: success.build_env,
    });
    const { df, ...others } = variables;
    expect(df).toMatchObject({ ...success.variables['df'], file: expect.stringMatching(/\.arrow$/) });
    expect(others).toMatchObject({ bad: success.variables['bad'], shown: { preview: 7, bytes: 0 } });
    expect(displays.map((one) => 'file' in one && one.file !== undefined)).toEqual([true, true]);
    const files = [...displays, variables['df'], variables['_']].map((one) =>
      one !== undefined && 'file' in one ? one.file : null,
    );
    expect(new Set(files).size).toBe(2);
    const file = df !== undefined && 'file' in df ? (df.file ?? '') : '';
    expect(await readFile(join(bundle.dir, file), 'utf8')).toBe('arrow');
  });

  it('a manifest has the fields of the protocol and the richer index', async () => {
    const bytes = await pack(await source());
    const text = bytes.subarray(512, bytes.indexOf('\0', 512)).toString();
    expect(JSON.parse(text)).toMatchObject({
      schema_version: 'notebook-output-bundle@v1',
      success: true,
      executor_ref: 'notebook_cell@v1',
      duration_ms: 12,
      outputs: [{ name: 'df', content_type: 'arrow/ipc', file: 'outputs/df.arrow', bytes: 5 }],
      display: [
        { content_type: 'image/png', file: 'display/__display__0.png', bytes: 3 },
        { file: 'outputs/df.arrow' },
      ],
      console: 'console.json',
      error: null,
      variables: { df: { file: 'files/df.arrow' } },
      displays: [{ file: 'files/__display__0.png' }, { file: 'files/df.arrow' }],
      stdout_file: 'stdout.txt',
    });
  });

  it('a failure keeps its message, traceback and displays', async () => {
    const failure: HarnessResult = {
      ...success,
      success: false,
      variables: {},
      error: 'ValueError: boom',
      traceback: 'Traceback…',
    };
    const bundle = await read(await pack(await source(failure)));
    expect(bundle.result).toMatchObject({
      success: false,
      error: 'ValueError: boom',
      traceback: 'Traceback…',
      variables: {},
    });
    expect(bundle.result.displays).toHaveLength(2);
  });

  it('a long stream is in a file in full, and its end is text', async () => {
    const input = await source();
    const log = join(root, 'stdout.log');
    await writeFile(log, `${'x'.repeat(900_000)}end`);
    const bundle = await read(
      await pack({ ...input, consoleLog: { stdout: log, stderr: join(root, 'none') } }),
    );
    expect(bundle.stdout.endsWith('xend')).toBe(true);
    expect((await readFile(bundle.stdoutFile ?? '')).length).toBe(900_003);
  });

  it('a value above the size limit is replaced by an error under its name', async () => {
    const bytes = await pack({ ...(await source()), maxMemberBytes: 4 });
    const bundle = await read(bytes);
    expect(bundle.result.variables['df']).toMatchObject({ error: expect.stringContaining('at most 4') });
  });

  it('a link in place of a value is not followed', async () => {
    const input = await source();
    await rm(join(input.outputDir, 'df.arrow'));
    await symlink('/etc/passwd', join(input.outputDir, 'df.arrow'));
    await expect(packBundle(input)).rejects.toThrow(BundleProblem);
  });

  it.each([
    ['grew', (path: string) => writeFile(path, 'arrows')],
    ['is a link now', async (path: string) => rm(path).then(() => symlink('/etc/passwd', path))],
    ['is gone', (path: string) => rm(path)],
  ])('a value that %s after it was measured aborts the bundle', async (_name, change) => {
    const input = await source();
    const bundle = await packBundle(input);
    await change(join(input.outputDir, 'df.arrow'));
    await expect(buffer(bundle.stream())).rejects.toThrow(/df\.arrow/);
  });
});

describe('[WK-2] both layouts are read', () => {
  it('the richer index', async () => {
    const bundle = await read(
      await tarOf([
        manifest({
          variables: {
            n: { bytes: 2, content_type: 'json/object', file: 'files/n.json', preview: 42 },
            bad: { error: 'cannot pickle', type: 'generator' },
          },
          displays: [{ bytes: 2, content_type: 'json/object', file: 'files/n.json', preview: 42 }],
          stdout_file: 'stdout.txt',
          stderr_file: 'stderr.txt',
          mutation_warnings: [],
          error: null,
          traceback: null,
          build_env: '',
          hardware: { cpus: 2, memory_mb: 24105 },
        }),
        { name: 'stdout.txt', text: 'out' },
        { name: 'stderr.txt', text: 'err' },
        { name: 'files/n.json', text: '42' },
      ]),
    );
    expect(bundle).toMatchObject({ stdout: 'out', stderr: 'err', hardware: { cpus: 2 } });
    expect(bundle.result.variables['n']).toMatchObject({ preview: 42, bytes: 2 });
  });

  it('only the index of the protocol', async () => {
    const bundle = await read(
      await tarOf([
        manifest({
          outputs: [{ name: 'n', content_type: 'json/object', file: 'outputs/n.json' }],
          console: 'console.json',
        }),
        { name: 'outputs/', type: 'directory' },
        { name: 'outputs/n.json', text: '42' },
        { name: 'console.json', text: '{"stdout":"a","stderr":"b"}' },
      ]),
    );
    expect(bundle.result.variables).toMatchObject({ n: { content_type: 'json/object', bytes: 2 } });
    expect(bundle).toMatchObject({ stdout: 'a', stderr: 'b', stdoutFile: null });
  });

  it('a failure that is only in error.json', async () => {
    const bundle = await read(
      await tarOf([
        manifest({ success: false, error: 'error.json' }),
        { name: 'error.json', text: '{"type":"ValueError","message":"boom","traceback":"T","exit_code":1}' },
      ]),
    );
    expect(bundle.result).toMatchObject({ success: false, error: 'ValueError: boom', traceback: 'T' });
  });
});

describe('[WK-3] a truncated, hostile or inconsistent bundle is refused', () => {
  const output = { content_type: 'json/object', file: 'outputs/n.json', bytes: 2, preview: 42 };
  const rows: readonly (readonly [string, Parameters<typeof tarOf>[0], RegExp])[] = [
    ['no manifest', [{ name: 'x', text: '1' }], /no manifest/],
    [
      'another schema',
      [{ name: 'manifest.json', text: '{"schema_version":"v9","success":true}' }],
      /schema_version/,
    ],
    ['not JSON', [{ name: 'manifest.json', text: '{' }], /not JSON/],
    ['a missing member', [manifest({ variables: { n: output } })], /lacks "outputs\/n.json"/],
    ['a missing stream', [manifest({ stdout_file: 'stdout.txt' })], /lacks "stdout.txt"/],
    [
      'a wrong size',
      [manifest({ variables: { n: output } }), { name: 'outputs/n.json', text: '423' }],
      /does not match its manifest/,
    ],
    [
      'a wrong digest',
      [
        manifest({ variables: { n: { ...output, sha256: sha256('43') } } }),
        { name: 'outputs/n.json', text: '42' },
      ],
      /does not match its manifest/,
    ],
    [
      'a file outside the folders',
      [
        manifest({ variables: { n: { ...output, file: 'console.json' } } }),
        { name: 'console.json', text: '{}' },
      ],
      /lacks/,
    ],
    [
      'the same member twice',
      [manifest(), { name: 'outputs/a', text: '1' }, { name: './outputs/a', text: '2' }],
      /twice/,
    ],
    ['a path upwards', [manifest(), { name: 'outputs/../../x', text: '1' }], /outside/],
    ['an absolute path', [manifest(), { name: '/etc/x', text: '1' }], /outside/],
    ['a backslash', [manifest(), { name: 'outputs\\..\\x', text: '1' }], /outside/],
    ['a drive', [manifest(), { name: 'C:/x', text: '1' }], /outside/],
    [
      'a symbolic link',
      [manifest(), { name: 'outputs/l', type: 'symlink', linkname: '/etc/passwd' }],
      /not a regular file/,
    ],
    [
      'a link to the manifest',
      [manifest(), { name: 'outputs/l', type: 'link', linkname: 'manifest.json' }],
      /not a regular file/,
    ],
    ['a device', [manifest(), { name: 'outputs/d', type: 'character-device' }], /not a regular file/],
    [
      'a preview nested too deeply to serialize',
      [
        {
          name: 'manifest.json',
          text: `{"schema_version":"notebook-output-bundle@v1","success":true,"variables":{"n":{"content_type":"json/object","bytes":0,"preview":${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`,
        },
      ],
      /nested/,
    ],
    [
      'a member above the size limit',
      [manifest(), { name: 'outputs/big', text: 'x'.repeat(MAX + 1) }],
      /The limit is/,
    ],
  ];
  it.each(rows)('%s', async (_name, members, words) => {
    const bytes = await tarOf(members);
    await expect(read(bytes)).rejects.toThrow(words);
    await expect(read(bytes)).rejects.toBeInstanceOf(BundleProblem);
  });

  it.each([
    [
      'many members that are each within the limit',
      async function* () {
        const tar = await tarOf([manifest(), { name: 'outputs/a', text: 'x'.repeat(900) }]);
        yield tar.subarray(0, -1024);
        for (let i = 0; i < 20; i += 1) {
          const one = await tarOf([{ name: `outputs/b${i}`, text: 'x'.repeat(900) }]);
          yield one.subarray(0, -1024);
        }
        yield tar.subarray(-1024);
      },
    ],
    [
      'endless folders',
      async function* () {
        const one = await tarOf([{ name: 'outputs/', type: 'directory' }]);
        for (;;) yield one.subarray(0, 512);
      },
    ],
    [
      'endless zeros',
      async function* () {
        yield await tarOf([manifest()]);
        for (;;) yield Buffer.alloc(512);
      },
    ],
  ])('[WK-33] a bundle that is too large: %s', async (_name, body) => {
    const reading = read(Readable.from(body(), { objectMode: false }), 1_000);
    await expect(reading).rejects.toThrow(/larger than the limit of 8000 bytes/);
    await expect(reading).rejects.toBeInstanceOf(BundleProblem);
  });

  it('a tar truncated at any point', async () => {
    const bytes = await pack(await source());
    for (let at = 0; at < bytes.length; at += 331) {
      await expect(read(bytes.subarray(0, at)), `cut at ${at}`).rejects.toBeInstanceOf(BundleProblem);
    }
  });

  it('a stream that fails', async () => {
    const bytes = await pack(await source());
    const input = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 2000);
        throw new Error('socket hang up');
      })(),
    );
    await expect(read(input)).rejects.toThrow(/socket hang up/);
  });

  const runs = process.env['LONG'] === '1' ? 3_000 : 150;
  it(`${runs} corrupted tars are refused, or read to files that exist; nothing is written outside the folder`, async () => {
    const bytes = await pack(await source());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        fc.nat(bytes.length),
        fc.integer({ min: 1, max: 5000 }),
        async (changes, cutFrom, step) => {
          const mangled = Buffer.from(bytes);
          for (const [at, value] of changes) mangled[at] = value;
          const cutTar = cutFrom % 3 === 0 ? Buffer.concat([mangled.subarray(0, cutFrom), mangled]) : mangled;
          const pieces: Buffer[] = [];
          for (let at = 0; at < cutTar.length; at += step) pieces.push(cutTar.subarray(at, at + step));
          const bundle = await read(Readable.from(pieces)).catch((error: unknown) => {
            if (error instanceof BundleProblem) return null;
            throw error;
          });
          for (const output of Object.values(bundle?.result.variables ?? {})) {
            if (!('file' in output) || output.file === undefined) continue;
            expect(output.file).not.toMatch(/[/\\]/);
            expect((await readFile(join(bundle?.dir ?? '', output.file))).length).toBe(output.bytes);
          }
        },
      ),
      { numRuns: runs, seed: 20261122 },
    );
  });
});

it('[WK-4] a value is written to disk as it arrives, not collected in memory', async () => {
  const size = 96 * 1024 * 1024;
  const piece = Buffer.alloc(256 * 1024, 1);
  const variables = {
    df: { content_type: 'arrow/ipc', file: 'outputs/df.arrow', bytes: size, preview: null },
  };
  const index = await tarOf([manifest({ variables })]);
  const value = await tarOf([{ name: 'outputs/df.arrow', text: '', size: 0 }]);
  const header = Buffer.from(value.subarray(0, 512));
  header.write(`${size.toString(8).padStart(11, '0')} `, 124, 'latin1');
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  let peak = 0;
  const base = process.memoryUsage().arrayBuffers;
  const tar = Readable.from(
    (function* () {
      yield index.subarray(0, -1024);
      yield header;
      for (let sentBytes = 0; sentBytes < size; sentBytes += piece.length) {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - base);
        yield piece;
      }
      yield Buffer.alloc(1024);
    })(),
  );
  const bundle = await read(tar, 2 * size);
  expect(bundle.result.variables['df']).toMatchObject({ bytes: size });
  expect(peak).toBeLessThan(size / 3);
});
