/**
 * The console in an output bundle: `console.json` and the stream files, complete or cut to the size limits,
 * from log files or memory.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf, streamOf } from '../../lib/pieces.ts';
import { consoleMember, type Member, streamMembers } from './consoleMembers.ts';
import { packBundle } from './packBundle.ts';
import { readBundle } from './readBundle.ts';
import { manifest, tarOf } from './testing/testTar.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-bundle-console-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function contentOf({ content }: Member): Promise<string> {
  const bytes = await buffer(streamOf(content));
  expect(bytes.length).toBe(bytesOf(content));
  return bytes.toString();
}

let files = 0;
function writeLog(text: string | Buffer): string {
  files += 1;
  const path = join(root, `log-${files}`);
  writeFileSync(path, text);
  return path;
}
const NONE = join(root, 'no-log');
const LINE = 'a "quoted" line of a console, with é, 🙂 and a tab\t\\\n';

describe('[WK-42] console.json has the whole console', () => {
  const long = LINE.repeat(100_000);
  const medium = LINE.repeat(10_000);

  it('of a long stream of which only the end is in memory', async () => {
    const consoleLog = { stdout: writeLog(long), stderr: NONE };
    const source = { stdout: 'the end', stderr: 'short é\n', consoleLog, maxMemberBytes: 2 ** 31 };
    const text = await contentOf(await consoleMember(source, source.maxMemberBytes));
    expect(JSON.parse(text)).toEqual({ stdout: long, stderr: 'short é\n' });
  });

  it('with invalid UTF-8 replaced, for any split of the reads', async () => {
    const bytes = Buffer.concat([
      Buffer.alloc(262_143, 'x'),
      Buffer.from('🙂é\xff\n', 'latin1'),
      Buffer.from('🙂é'),
    ]);
    const consoleLog = { stdout: writeLog(bytes), stderr: NONE };
    const source = { stdout: '', stderr: '', consoleLog, maxMemberBytes: 2 ** 31 };
    const text = await contentOf(await consoleMember(source, source.maxMemberBytes));
    expect(JSON.parse(text)).toEqual({ stdout: new TextDecoder().decode(bytes), stderr: '' });
  });

  it.each([
    ['the longer stream is cut', medium, 'short\n', 200_000],
    ['both are cut', medium, medium, 200_000],
    ['there is only room for a line', medium, medium, 300],
    ['there is no space', medium, '', 30],
  ])('the console is cut to the limit: %s', async (_name, stdout, stderr, most) => {
    const consoleLog = { stdout: writeLog(stdout), stderr: writeLog(stderr) };
    const text = await contentOf(
      await consoleMember({ stdout: 'x', stderr: 'x', consoleLog, maxMemberBytes: most }, most),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(most, 25));
    const console = JSON.parse(text) as Record<'stdout' | 'stderr', string>;
    for (const [whole, part] of [
      [stdout, console.stdout],
      [stderr, console.stderr],
    ] as const) {
      if (part === whole || part === '') continue;
      const [, dropped, end = ''] =
        /^\[… ([\d,]+) bytes of earlier output left out …\]\n(.*)$/s.exec(part) ?? [];
      expect(whole.endsWith(end)).toBe(true);
      expect(Number(dropped?.replaceAll(',', '')) + Buffer.byteLength(end)).toBe(Buffer.byteLength(whole));
    }
    // No more is left out than necessary.
    if (most >= 200_000) expect(Buffer.byteLength(text)).toBeGreaterThan(most - 400);
  });

  it('within the limit, for any output', async () => {
    const printed = fc.string({ unit: 'binary', maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        printed,
        printed,
        fc.boolean(),
        fc.integer({ min: 25, max: 1_200 }),
        async (out, err, isLogged, most) => {
          const [stdout, stderr] = [out.toWellFormed(), err.toWellFormed()];
          const consoleLog = isLogged ? { stdout: writeLog(stdout), stderr: writeLog(stderr) } : undefined;
          const source = {
            stdout,
            stderr,
            maxMemberBytes: most,
            ...(consoleLog === undefined ? {} : { consoleLog }),
          };
          const json = await contentOf(await consoleMember(source, most));
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(most);
          const console = JSON.parse(json) as Record<string, string>;
          const fits = Buffer.byteLength(JSON.stringify({ stdout, stderr })) <= most;
          if (fits) expect(console).toEqual({ stdout, stderr });
          for (const member of await streamMembers(source)) {
            const text = await contentOf(member);
            expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
            const whole = member.name === 'stdout.txt' ? stdout : stderr;
            expect(text === whole || Buffer.byteLength(whole) > most).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const result = {
    success: true,
    variables: {},
    displays: [],
    mutation_warnings: [],
    build_env: '',
  } as const;
  it('leaves room for the rest of the bundle, and keeps the limit of the recipient', async () => {
    const stdout = 'y'.repeat(600_000);
    const source = {
      result: { ...result, displays: [], mutation_warnings: [] },
      outputDir: root,
      durationMs: 1,
      stdout: 'y',
      stderr: '',
      consoleLog: { stdout: writeLog(stdout), stderr: NONE },
      maxMemberBytes: 700_000,
    };
    expect((await packBundle(source)).bytes).toBeGreaterThan(1_200_000);
    const bounded = await packBundle({ ...source, maxBundleBytes: 800_000 });
    expect(bounded.bytes).toBeLessThanOrEqual(800_000);
    expect(bounded.bytes).toBeGreaterThan(790_000);
  });

  it('when the limit for members is below the size of the console, the streams are cut and the bundle is complete', async () => {
    const source = {
      result: { ...result, displays: [], mutation_warnings: [] },
      outputDir: root,
      durationMs: 1,
      stdout: 'y',
      stderr: '',
      consoleLog: { stdout: writeLog(LINE.repeat(5_000)), stderr: NONE },
      maxMemberBytes: 100_000,
    };
    const dir = mkdtempSync(join(root, 'read-'));
    const bundle = await readBundle((await packBundle(source)).stream(), { dir, maxMemberBytes: 100_000 });
    expect(bundle.stdout.startsWith('[… ')).toBe(true);
    expect(bundle.stdout.endsWith(LINE)).toBe(true);
    expect(bundle.stdout.length).toBeGreaterThan(80_000);
  });

  it('is read in full if the streams have no separate files', async () => {
    const dir = mkdtempSync(join(root, 'read-'));
    const console = { name: 'console.json', text: JSON.stringify({ stdout: long, stderr: 'short' }) };
    const bytes = await tarOf([manifest({ console: 'console.json' }), console]);
    const bundle = await readBundle(Readable.from([bytes]), { dir, maxMemberBytes: 2 ** 31 });
    expect(await readFile(bundle.stdoutFile ?? '', 'utf8')).toBe(long);
    expect(Buffer.byteLength(bundle.stdout)).toBeLessThan(1_100_000);
    expect([bundle.stderr, bundle.stderrFile]).toEqual(['short', null]);
  });
});
