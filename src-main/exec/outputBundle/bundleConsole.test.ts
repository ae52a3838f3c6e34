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
import { manifest, tarOf } from './testTar.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-bundle-console-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function contentOf({ content }: Member): Promise<string> {
  const bytes = await buffer(streamOf(content));
  expect(bytes.length).toBe(bytesOf(content));
  return bytes.toString();
}

let files = 0;
function logged(text: string | Buffer): string {
  files += 1;
  const path = join(root, `log-${files}`);
  writeFileSync(path, text);
  return path;
}
const NONE = join(root, 'no-log');
const LINE = 'a "quoted" line of a console, with é, 🙂 and a tab\t\\\n';

describe('[WK-42] console.json holds the whole console', () => {
  const long = LINE.repeat(100_000);
  const some = LINE.repeat(10_000);

  it('of a long stream, where the bundle has its end alone in memory', async () => {
    const consoleLog = { stdout: logged(long), stderr: NONE };
    const source = { stdout: 'the end', stderr: 'short é\n', consoleLog, maxMemberBytes: 2 ** 31 };
    const text = await contentOf(await consoleMember(source, source.maxMemberBytes));
    expect(JSON.parse(text)).toEqual({ stdout: long, stderr: 'short é\n' });
  });

  it('with bytes that are no UTF-8 replaced, wherever a read ends', async () => {
    const bytes = Buffer.concat([
      Buffer.alloc(262_143, 'x'),
      Buffer.from('🙂é\xff\n', 'latin1'),
      Buffer.from('🙂é'),
    ]);
    const consoleLog = { stdout: logged(bytes), stderr: NONE };
    const source = { stdout: '', stderr: '', consoleLog, maxMemberBytes: 2 ** 31 };
    const text = await contentOf(await consoleMember(source, source.maxMemberBytes));
    expect(JSON.parse(text)).toEqual({ stdout: new TextDecoder().decode(bytes), stderr: '' });
  });

  it.each([
    ['the longer one is cut', some, 'short\n', 200_000],
    ['both are', some, some, 200_000],
    ['there is room for a line alone', some, some, 300],
    ['there is room for nothing', some, '', 30],
  ])('up to the limit: %s', async (_name, stdout, stderr, most) => {
    const consoleLog = { stdout: logged(stdout), stderr: logged(stderr) };
    const text = await contentOf(
      await consoleMember({ stdout: 'x', stderr: 'x', consoleLog, maxMemberBytes: most }, most),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(most, 25));
    const said = JSON.parse(text) as Record<'stdout' | 'stderr', string>;
    for (const [whole, part] of [
      [stdout, said.stdout],
      [stderr, said.stderr],
    ] as const) {
      if (part === whole || part === '') continue;
      const [, dropped, end = ''] =
        /^\[… ([\d,]+) bytes of earlier output left out …\]\n(.*)$/s.exec(part) ?? [];
      expect(whole.endsWith(end)).toBe(true);
      expect(Number(dropped?.replaceAll(',', '')) + Buffer.byteLength(end)).toBe(Buffer.byteLength(whole));
    }
    // No more is left out than has to be.
    if (most >= 200_000) expect(Buffer.byteLength(text)).toBeGreaterThan(most - 400);
  });

  it('whatever is printed and whatever the limit', async () => {
    const printed = fc.string({ unit: 'binary', maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        printed,
        printed,
        fc.boolean(),
        fc.integer({ min: 25, max: 1_200 }),
        async (out, err, isLogged, most) => {
          const [stdout, stderr] = [out.toWellFormed(), err.toWellFormed()];
          const consoleLog = isLogged ? { stdout: logged(stdout), stderr: logged(stderr) } : undefined;
          const source = {
            stdout,
            stderr,
            maxMemberBytes: most,
            ...(consoleLog === undefined ? {} : { consoleLog }),
          };
          const json = await contentOf(await consoleMember(source, most));
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(most);
          const said = JSON.parse(json) as Record<string, string>;
          const fits = Buffer.byteLength(JSON.stringify({ stdout, stderr })) <= most;
          if (fits) expect(said).toEqual({ stdout, stderr });
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
  it('leaves room for what else a bundle holds, and for who takes no more', async () => {
    const stdout = 'y'.repeat(600_000);
    const from = {
      ...{ result: { ...result, displays: [], mutation_warnings: [] }, outputDir: root, durationMs: 1 },
      ...{ stdout: 'y', stderr: '', consoleLog: { stdout: logged(stdout), stderr: NONE } },
      ...{ maxMemberBytes: 700_000 },
    };
    expect((await packBundle(from)).bytes).toBeGreaterThan(1_200_000);
    const bounded = await packBundle({ ...from, maxBundleBytes: 800_000 });
    expect(bounded.bytes).toBeLessThanOrEqual(800_000);
    expect(bounded.bytes).toBeGreaterThan(790_000);
  });

  it('a limit of a member below the console cuts the streams, not the bundle', async () => {
    const from = {
      ...{ result: { ...result, displays: [], mutation_warnings: [] }, outputDir: root, durationMs: 1 },
      ...{ stdout: 'y', stderr: '', consoleLog: { stdout: logged(LINE.repeat(5_000)), stderr: NONE } },
      ...{ maxMemberBytes: 100_000 },
    };
    const dir = mkdtempSync(join(root, 'read-'));
    const back = await readBundle((await packBundle(from)).stream(), { dir, maxMemberBytes: 100_000 });
    expect(back.stdout.startsWith('[… ')).toBe(true);
    expect(back.stdout.endsWith(LINE)).toBe(true);
    expect(back.stdout.length).toBeGreaterThan(80_000);
  });

  it('is read whole where it is all there is', async () => {
    const dir = mkdtempSync(join(root, 'read-'));
    const console = { name: 'console.json', text: JSON.stringify({ stdout: long, stderr: 'short' }) };
    const bytes = await tarOf([manifest({ console: 'console.json' }), console]);
    const back = await readBundle(Readable.from([bytes]), { dir, maxMemberBytes: 2 ** 31 });
    expect(await readFile(back.stdoutFile ?? '', 'utf8')).toBe(long);
    expect(Buffer.byteLength(back.stdout)).toBeLessThan(1_100_000);
    expect([back.stderr, back.stderrFile]).toEqual(['short', null]);
  });
});
