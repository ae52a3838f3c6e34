import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isOutputFailure } from '../../../src-shared/wire/harness.ts';
import type { ExecOutcome } from '../executor.ts';
import { runCell } from '../testing/executorContract.ts';
import { closeBenches, HARNESS_DIR, type LocalBench, openLocalBench } from './testing/testBench.ts';

/**
 * Stores the same values from a fork of the template, a spare and a cold process, then reads them in one cell that
 * compares them: results must not depend on how the process was started.
 */
interface ValueRow {
  readonly name: string;
  readonly needs: readonly string[];
  readonly content_type: string;
  readonly source: string;
}

const rows: readonly ValueRow[] = JSON.parse(readFileSync(join(HARNESS_DIR, 'fixtures/values.json'), 'utf8'));
const LIBRARIES = [...new Set(rows.flatMap((row) => row.needs))].sort();
const ways = [
  { way: 'forked', options: { useTemplate: true }, imports: LIBRARIES },
  { way: 'spare', options: { useTemplate: false, poolSize: 1 }, imports: LIBRARIES },
  { way: 'cold', options: { poolSize: 0 }, imports: null },
].filter(({ way }) => way !== 'forked' || process.platform === 'linux');

const benches: LocalBench[] = [];
afterAll(() => closeBenches(benches));

function variablesOf(outcome: ExecOutcome) {
  if (outcome.kind !== 'finished' || !outcome.result.success) throw new Error(JSON.stringify(outcome));
  return outcome.result.variables;
}

async function available(): Promise<ReadonlySet<string>> {
  const bench = await openLocalBench({ poolSize: 0 }, null);
  benches.push(bench);
  const source = `from importlib.util import find_spec\nfound = [n for n in ${JSON.stringify(LIBRARIES)} if find_spec(n)]`;
  const meta = variablesOf((await runCell(bench, source, { overrides: { store: ['found'] } })).outcome)[
    'found'
  ];
  if (meta === undefined || isOutputFailure(meta)) throw new Error('no list of libraries');
  return new Set(meta.preview as string[]); // a list of names, made two lines above
}

const libraries = await available();
const tested = rows.filter((row) => row.needs.every((library) => libraries.has(library)));
const names = tested.map((_, i) => `v${i}`);
const source = tested.map((row, i) => `${row.source}\nv${i} = v`).join('\n');

describe('[EX-10] equal results cold, warm and forked', () => {
  const outcomes = Promise.all(
    ways.map(async ({ way, options, imports }) => {
      const bench = await openLocalBench(options, imports);
      benches.push(bench);
      const { outcome } = await runCell(bench, source, { overrides: { store: names } });
      return { way, bench, variables: variablesOf(outcome) };
    }),
  );

  it(`the table has rows to compare (${tested.length} of ${rows.length}; libraries: ${[...libraries].join(', ')})`, () => {
    expect(tested.length).toBeGreaterThan(40);
  });

  it('the same content types, classes, shapes and columns', async () => {
    const [first, ...others] = (await outcomes).map(({ variables }) =>
      names.map((name, i) => {
        const meta = variables[name];
        if (meta === undefined || isOutputFailure(meta)) return { row: tested[i]?.name, meta };
        const { content_type, codec, type, rows: length, columns, schema } = meta;
        return { row: tested[i]?.name, content_type, codec, type, length, columns, schema };
      }),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it('equal after a round trip, for every way to start the process', async () => {
    const [reader, ...rest] = await outcomes;
    if (reader === undefined) throw new Error('no outcome');
    const inputs: Record<string, { content_type: string; file: string }> = {};
    for (const { way, bench, variables } of [reader, ...rest]) {
      for (const name of names) {
        const meta = variables[name];
        if (meta === undefined || isOutputFailure(meta) || meta.file === undefined) continue;
        inputs[`${way}_${name}`] = {
          content_type: meta.content_type,
          file: join(bench.dir, 'run-1', meta.file),
        };
      }
    }
    const compare = [
      'import sys',
      `sys.path.insert(0, ${JSON.stringify(join(HARNESS_DIR, 'python/tests'))})`,
      'from same import same',
      `ways = ${JSON.stringify(ways.map(({ way }) => way))}`,
      `_all = globals()`,
      `unequal = [n for n in ${JSON.stringify(names)} for w in ways[1:] if not same(_all[ways[0] + "_" + n], _all[w + "_" + n])]`,
    ].join('\n');
    const { outcome } = await runCell(reader.bench, compare, { overrides: { inputs, store: ['unequal'] } });
    const unequal = variablesOf(outcome)['unequal'];
    const difference = unequal === undefined || isOutputFailure(unequal) ? unequal : unequal.preview;
    expect(difference).toEqual([]);
  });
});
