import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type HarnessInput,
  type HarnessResult,
  isOutputFailure,
} from '../../../../src-shared/wire/harness.ts';
import { runCell } from '../../executorContract.ts';
import { HARNESS_DIR, type LocalBench, openLocalBench } from '../testBench.ts';
import { NO_R, openRBench, type RBench, RSCRIPT } from './rBench.ts';

/** One table of values, made by one language and read by the other; `harness/fixtures/r_values.json`. */
interface Row {
  readonly name: string;
  readonly r: string;
  readonly python?: string;
  readonly arrow?: string;
  readonly values?: readonly unknown[];
  readonly also?: string;
  /** A piece of the words it is said in. */
  readonly says?: string;
}
type Group =
  | 'from_r'
  | 'json_from_r'
  | 'from_python'
  | 'json_from_python'
  | 'r_only'
  | 'r_again'
  | 'frames_in_python'
  | 'frames_in_r'
  | 'kept_for_r'
  | 'left_out'
  | 'too_wide';
const table: Readonly<Record<Group, readonly Row[]>> = JSON.parse(
  readFileSync(join(HARNESS_DIR, 'fixtures/r_values.json'), 'utf8'),
);

let r: RBench;
let python: LocalBench;
beforeAll(async () => {
  if (RSCRIPT === null) return;
  r = await openRBench(0);
  python = await openLocalBench({ poolSize: 0 }, null);
}, 60_000);
afterAll(async () => {
  if (RSCRIPT === null) return;
  await r.close();
  await python.executor.close();
  python.remove();
});

const nameOf = (index: number) => `v${index}`;

interface Left {
  readonly result: HarnessResult;
  /** The stored values as another cell's inputs. */
  readonly inputs: Record<string, HarnessInput>;
}

async function left(
  bench: RBench | LocalBench,
  source: string,
  options: {
    readonly store?: readonly string[];
    readonly inputs?: Record<string, HarnessInput>;
  },
): Promise<Left> {
  const { store = [], inputs = {} } = options;
  const request = bench.request(source, { store, inputs });
  const { outcome } = await runCell({ executor: bench.executor, request: () => request }, source);
  if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
  const { result } = outcome;
  if (!result.success) throw new Error(`${result.error}\n${result.traceback}`);
  const files: Record<string, HarnessInput> = {};
  for (const name of store) {
    const meta = result.variables[name];
    if (meta === undefined || isOutputFailure(meta)) throw new Error(`${name}: ${JSON.stringify(meta)}`);
    files[name] = { content_type: meta.content_type, file: join(request.outputDir, meta.file ?? '') };
  }
  return { result, inputs: files };
}

/** The value of a small variable, as its preview has it. */
function preview({ result }: Left, name: string): unknown {
  const meta = result.variables[name];
  if (meta === undefined || isOutputFailure(meta)) throw new Error(JSON.stringify(meta));
  return meta.preview;
}

const made = (rows: readonly Row[], language: 'r' | 'python') =>
  rows
    .map((row, i) => (language === 'r' ? `${nameOf(i)} <- ${row.r}` : `${nameOf(i)} = ${row.python}`))
    .join('\n');
const namesOf = (rows: readonly Row[]) => rows.map((_, i) => nameOf(i));

/** One run of each side for a whole group of rows, and then a test a row. */
function group(
  title: string,
  rows: readonly Row[],
  compare: (rows: readonly Row[]) => Promise<readonly unknown[]>,
  want: (row: Row) => unknown,
): void {
  describe(title, () => {
    let found: readonly unknown[] = [];
    beforeAll(async () => {
      if (RSCRIPT !== null) found = await compare(rows);
    }, 60_000);
    rows.forEach((row, i) => {
      test(`[RC-7] ${row.name}`, ({ skip }) => {
        if (RSCRIPT === null) return skip(NO_R);
        expect(found[i]).toEqual(want(row));
      });
    });
  });
}

const PYTHON_LOOK = `
import math, pyarrow as pa, pyarrow.ipc as ipc
def plain(v):
    if isinstance(v, float) and not math.isfinite(v): return str(v)
    if v is None or isinstance(v, (bool, int, float, str)): return v
    if isinstance(v, list): return [plain(x) for x in v]
    if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
    return str(v)
def look(path):
    t = ipc.open_stream(path).read_all()
    t.validate(full=True)
    return [str(t.schema.field('x').type), plain(t.column('x').to_pylist())]
`;

group(
  'a data frame of R in Python',
  table.from_r,
  async (rows) => {
    const { inputs } = await left(r, made(rows, 'r'), { store: namesOf(rows) });
    const paths = Object.values(inputs).map((input) => ('file' in input ? input.file : ''));
    const looks = await left(
      python,
      `${PYTHON_LOOK}\nfound = [look(p) + [n in globals()] for n, p in zip(${JSON.stringify(Object.keys(inputs))}, ${JSON.stringify(paths)})]`,
      { inputs },
    );
    return preview(looks, 'found') as readonly unknown[];
  },
  // As it lies on disk, and that a cell of Python gets it.
  ({ arrow, values }) => [arrow, values, true],
);

group(
  'plain values of R in Python',
  table.json_from_r,
  async (rows) => {
    const { inputs } = await left(r, made(rows, 'r'), { store: namesOf(rows) });
    const looks = await left(python, `found = [repr(v) for v in [${namesOf(rows).join(', ')}]]`, { inputs });
    return preview(looks, 'found') as readonly unknown[];
  },
  ({ python: text }) => text,
);

const PYTHON_IMPORTS = 'import datetime, decimal, numpy as np, pandas as pd, polars as pl, pyarrow as pa\n';
/** What R finds beside what it should be: `same`, or both as R writes them. */
const R_LOOK = `
told <- function(x) paste(deparse(x), collapse = " ")
compared <- function(is, want, also) {
  if (isTRUE(all.equal(is, want)) && identical(class(is), class(want)) && identical(is.na(is), is.na(want))) return("same")
  if (!is.null(also) && isTRUE(all.equal(is, also))) return("same")
  paste(told(is), "is not", told(want))
}
`;

async function comparedInR(rows: readonly Row[], field: string): Promise<readonly unknown[]> {
  const { inputs } = await left(python, `${PYTHON_IMPORTS}${made(rows, 'python')}`, { store: namesOf(rows) });
  const calls = rows.map((row, i) => `compared(${nameOf(i)}${field}, ${row.r}, ${row.also ?? 'NULL'})`);
  const looks = await left(r, `${R_LOOK}found <- list(${calls.join(',\n')})`, { inputs });
  const found = preview(looks, 'found');
  return Array.isArray(found) ? found : [found];
}

group(
  'a table of Python in R',
  table.from_python,
  (rows) => comparedInR(rows, '$x'),
  () => 'same',
);
group(
  'plain values of Python in R',
  table.json_from_python,
  (rows) => comparedInR(rows, ''),
  () => 'same',
);

group(
  'what only R reads',
  table.r_only,
  async (rows) => {
    const { result, inputs } = await left(r, made(rows, 'r'), { store: namesOf(rows) });
    const again = namesOf(rows).map((name) => `length(${name}) > 0`);
    const looks = await left(r, `found <- c(${again.join(', ')})`, { inputs });
    const back = preview(looks, 'found') as readonly boolean[];
    return rows.map((_, i) => {
      const meta = result.variables[nameOf(i)];
      if (meta === undefined || isOutputFailure(meta)) return meta;
      return [meta.content_type, meta.r_only, back[i]];
    });
  },
  () => ['application/x-r-rds', true, true],
);

group(
  'a data frame of R in R',
  table.r_again,
  async (rows) => {
    const { inputs } = await left(r, made(rows, 'r'), { store: namesOf(rows) });
    const calls = rows.map((row, i) => `compared(${nameOf(i)}, ${row.r}, NULL)`);
    const looks = await left(r, `${R_LOOK}found <- list(${calls.join(',\n')})`, { inputs });
    return preview(looks, 'found') as readonly unknown[];
  },
  () => 'same',
);

group(
  'the shape of a frame of R in Python',
  table.frames_in_python,
  async (rows) => {
    const { inputs } = await left(r, made(rows, 'r'), { store: namesOf(rows) });
    const shapes = namesOf(rows).map((name) => `repr([list(${name}.columns), ${name}.shape])`);
    return preview(await left(python, `found = [${shapes.join(', ')}]`, { inputs }), 'found') as string[];
  },
  ({ python: text }) => text,
);

group(
  'the shape of a table of Python in R',
  table.frames_in_r,
  async (rows) => {
    const { inputs } = await left(python, `${PYTHON_IMPORTS}${made(rows, 'python')}`, {
      store: namesOf(rows),
    });
    const calls = rows.map((row, i) => {
      const name = nameOf(i);
      return `compared(list(as.character(names(${name})), dim(${name})), ${row.r}, NULL)`;
    });
    return preview(
      await left(r, `${R_LOOK}found <- list(${calls.join(',\n')})`, { inputs }),
      'found',
    ) as string[];
  },
  () => 'same',
);

group(
  'a frame only R reads is said with its column',
  table.kept_for_r,
  async (rows) => {
    const { outcome } = await r.run(made(rows, 'r'), { store: namesOf(rows) });
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    const said = outcome.stderr
      .split('\n')
      .filter((line) => line.startsWith('A data frame is kept for R alone'));
    // Values are looked at in the order of their names.
    const order = [...namesOf(rows)].sort();
    return rows.map(({ says }, i) => {
      const meta = outcome.result.variables[nameOf(i)];
      const type = meta === undefined || isOutputFailure(meta) ? JSON.stringify(meta) : meta.content_type;
      return [type, said[order.indexOf(nameOf(i))]?.includes(says ?? 'nothing')];
    });
  },
  () => ['application/x-r-rds', true],
);

group(
  'what R cannot hold is left out, in words',
  table.left_out,
  async (rows) => {
    const names = namesOf(rows);
    const { inputs } = await left(python, `${PYTHON_IMPORTS}${made(rows, 'python')}`, { store: names });
    const { outcome } = await r.run(`found <- list(${names.map((n) => `exists("${n}")`).join(', ')})`, {
      inputs,
    });
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    const found = preview({ result: outcome.result, inputs }, 'found') as readonly boolean[];
    const lines = outcome.stderr.split('\n');
    return rows.map(({ says = 'nothing' }, i) => {
      const line = lines.find((one) => one.startsWith(`\`${nameOf(i)}\` could not be read: `));
      return [found[i], line?.includes(says)];
    });
  },
  () => [false, true],
);

group(
  'whole numbers R would round fail the cell',
  table.too_wide,
  async (rows) => {
    const { inputs } = await left(python, `${PYTHON_IMPORTS}${made(rows, 'python')}`, {
      store: namesOf(rows),
    });
    const codes: unknown[] = [];
    for (const [name, input] of Object.entries(inputs)) {
      const { outcome } = await r.run('kept <- TRUE', { inputs: { [name]: input } });
      if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
      codes.push(outcome.result.success ? 'ran' : outcome.result.error_code);
    }
    return codes;
  },
  () => 'PRECISION_NARROWED',
);

describe('frames of many columns', () => {
  test('[RC-7] a thousand go to Python and back', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { inputs } = await left(r, 'w <- as.data.frame(matrix(seq_len(2000), nrow = 2))', { store: ['w'] });
    const inPython = await left(python, 'found = [w.shape[1], int(w.iloc[1, 999])]\nback = w.copy()', {
      inputs,
      store: ['back'],
    });
    expect(preview(inPython, 'found')).toEqual([1000, 2000]);
    const again = await left(r, 'found <- c(ncol(back), back[2, 1000])', { inputs: inPython.inputs });
    expect(preview(again, 'found')).toEqual([1000, 2000]);
  });

  test('[RC-7] four times as many take about four times as long, not sixteen times', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const timed = `took <- function(n) {
  frame <- as.data.frame(matrix(seq_len(2 * n), nrow = 2))
  system.time(display(frame))[["user.self"]]
}
warm <- took(400)
found <- took(1600) / took(400)`;
    expect(preview(await left(r, timed, {}), 'found')).toBeLessThan(9);
  });
});

describe('what would be lost', () => {
  test('[RC-7] a data frame that only R reads says which column it is for', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { outcome } = await r.run('d <- data.frame(a = 1, `b c` = 1i, check.names = FALSE)\ne <- mtcars', {
      store: ['d', 'e'],
    });
    expect(outcome.stderr).toMatch(/^A data frame is kept for R alone: its column `b c` \(complex\) .*\n$/);
  });

  test('[RC-2] a value that fails when it is looked at is said, and is no value', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { outcome } = await r.run('delayedAssign("later", stop("not now"))\nx <- 1L', { store: ['x'] });
    expect(outcome).toMatchObject({
      kind: 'finished',
      result: {
        success: true,
        variables: { later: { error: 'not now', type: 'promise' }, x: { preview: 1 } },
      },
    });
  });

  test('[RC-8] 64-bit integers beyond 2^53 fail the cell unless bit64 keeps them', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { inputs } = await left(python, 'import pyarrow as pa\nv = pa.table({"x": [2**60 + 1, None]})', {
      store: ['v'],
    });
    const source = 'kept <- requireNamespace("bit64", quietly = TRUE) && inherits(v$x, "integer64")';
    const { outcome } = await r.run(source, { inputs });
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    if (outcome.result.success) expect(outcome.result.variables['kept']).toMatchObject({ preview: true });
    else
      expect(outcome.result).toMatchObject({
        error_code: 'PRECISION_NARROWED',
        error: expect.stringContaining('Install the R package bit64'),
      });
  });

  test('[RC-9] an array and a single value of Python arrive as data frames, and that is said', async ({
    skip,
  }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const { inputs } = await left(
      python,
      `${PYTHON_IMPORTS}a = np.array([1.5, 2.5])\nb = datetime.date(2024, 1, 2)`,
      { store: ['a', 'b'] },
    );
    const { outcome } = await r.run('found <- list(names(a), sum(a$values), names(b), format(b$value))', {
      inputs,
    });
    expect(outcome.stderr).toBe(
      'A Python array arrives in R as a data frame.\nA Python value arrives in R as a data frame.\n',
    );
    expect(outcome).toMatchObject({
      kind: 'finished',
      result: { variables: { found: { preview: ['values', 4, 'value', '2024-01-02'] } } },
    });
  });
});
