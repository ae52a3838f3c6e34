import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { findRscript } from '../../environment/findRscript.ts';
import { analyzeCell, createAnalyzer, isAnalyzable } from '../analyzeCell.ts';
import { createRNameReader, NO_R_NAMES } from './rNames.ts';

const HARNESS = join(import.meta.dirname, '../../../harness/r/harness.R');
const RSCRIPT = await findRscript(process.env['SVC_RSCRIPT'] || null);
const NO_R = 'this machine has no Rscript (Debian: apt-get install r-base-core)';
const env = {
  ...Object.fromEntries(
    ['PATH', 'HOME'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name] ?? '']],
    ),
  ),
  // As the server gives it to R (exec/local/r/rRunner.ts), also where the tests run without a locale.
  LC_CTYPE: 'C.UTF-8',
};

const readers: { close(): Promise<void> }[] = [];
function open(options: Partial<Parameters<typeof createRNameReader>[0]> = {}) {
  const reader = createRNameReader({
    findRscript: async () => RSCRIPT,
    harness: HARNESS,
    env,
    // The default of 5 s can pass on a loaded machine.
    timeoutMs: 60_000,
    ...options,
  });
  readers.push(reader);
  return reader;
}
afterAll(() => Promise.all(readers.map((reader) => reader.close())));

/** Source, the names it defines in source order, the names it reads; separated by spaces. */
const rows: readonly (readonly [string, string, string])[] = [
  ['x <- 1', 'x', ''],
  ['x = y', 'x', 'y'],
  ['x <<- y', 'x', 'y'],
  ['y -> x', 'x', 'y'],
  ['y ->> x', 'x', 'y'],
  ['b <- 1\na <- 2', 'b a', ''],
  ['x <- 1\nx <- x + 1', 'x', ''],
  ['x <- x + 1', 'x', 'x'],
  ['a <- b <- z', 'b a', 'z'],
  ['"quoted" <- 1; `odd name` <- 2', 'quoted odd name', ''],
  ['df$b <- v', 'df', 'df v'],
  ['df[i, "c"] <- v', 'df', 'df i v'],
  ['df[["a"]][k] <- v', 'df', 'df k v'],
  ['names(df) <- v', 'df', 'df v'],
  ['names(df)[j] <- v', 'df', 'df j v'],
  ['obj@slot <- v', 'obj', 'obj v'],
  ['df <- data.frame()\ndf$b <- v', 'df', 'v'],
  ['f(a, named = b)', '', 'a b'],
  ['library(dplyr); require(stats); requireNamespace(tidyr)', '', ''],
  ['dplyr::filter(d, 1); pkg:::hidden', '', 'd'],
  ['d$column + e@slot', '', 'd e'],
  ['d[["a"]][k]', '', 'd k'],
  ['quote(q1); bquote(q2); substitute(q3); as.name(q4)', '', ''],
  ['as.symbol(q5); loadNamespace(tidyr); attachNamespace(purrr)', '', ''],
  ['f <- function(a, b = outer1) a + outer2', 'f', ''],
  ['g <- sapply(xs, function(q) q + hidden)', 'g', 'xs'],
  ['if (test) { inside <- 1; inside }', '', 'test'],
  ['if (test) inside <- 1\ninside', '', 'inside test'],
  ['for (i in items) { total <- total + i }', '', 'items total'],
  ['for (i in items) print(i)', '', 'items'],
  ['while (go) { go <- FALSE }', '', 'go'],
  ['a[, 1]; a[1, ]; f()', '', 'a'],
  ['x |> f(y)', '', 'x y'],
  ['lm(height ~ girth, data = trees)', '', 'girth height trees'],
  ['.private <- p', '', 'p'],
  ['-x + !y', '', 'x y'],
  ['m$f(1)(z)', '', 'm z'],
  ['stärke <- größe', 'stärke', 'größe'],
  ['# only words', '', ''],
  ['x <- (', '', ''],
  ['1 <- x', '', 'x'],
  ['', '', ''],
];

const words = (text: string) => (text === '' ? [] : text.split(' '));

describe('names of an R cell', () => {
  const reader = open();
  for (const [source, defines, references] of rows) {
    test(`[RC-10] ${JSON.stringify(source)}`, async ({ skip }) => {
      if (RSCRIPT === null) return skip(NO_R);
      await reader.learn([source]);
      const names = reader.known(source);
      // Joined, because one of the names contains a space.
      expect(names?.defines.join(' ')).toBe(defines);
      expect(names?.references).toEqual(words(references));
    });
  }

  test('[RC-10] reads of environment variables by a literal name are listed', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const source = 'Sys.getenv("B")\nf <- function() base::Sys.getenv(c("A", "C"))\nSys.getenv(name)';
    await reader.learn([source]);
    expect(reader.known(source)?.env).toEqual(['A', 'B', 'C']);
  });

  test('[RC-10] no code of a cell is run', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    await reader.learn(['quit(status = 9)\nstop("no")', 'x <- 1']);
    expect(reader.known('x <- 1')).toMatchObject({ defines: ['x'] });
  });
});

describe('the reader of R names', () => {
  it('[RC-11] looks for R only when it gets the first source', async () => {
    let lookups = 0;
    const reader = open({
      findRscript: async () => {
        lookups += 1;
        return null;
      },
    });
    expect(reader.known('x <- 1')).toBeUndefined();
    await reader.learn([]);
    expect([lookups, reader.installed()]).toEqual([0, null]);
    await reader.learn(['x <- 1']);
    expect([lookups, reader.known('x <- 1')]).toEqual([1, undefined]);
  });

  it('[RC-11] returns no names if R cannot be started or answers something else', async () => {
    for (const program of ['/nowhere/Rscript', '/bin/cat', '/bin/false']) {
      const reader = open({ findRscript: async () => program, timeoutMs: 300 });
      await reader.learn(['x <- 1']);
      expect(reader.known('x <- 1')).toEqual(NO_R_NAMES);
    }
  });

  it('[RC-11] an analysis is empty until R has answered, and complete after', async ({ skip }) => {
    if (RSCRIPT === null) return skip(NO_R);
    const reader = open();
    const analyzer = await createAnalyzer(reader);
    const cell = { language: 'r', source: '# @name n\n# @env A=1\nx <- y + Sys.getenv("K")' } as const;
    expect(isAnalyzable(analyzer, 'r', cell.source)).toBe(false);
    expect(analyzeCell(analyzer, cell)).toMatchObject({
      defines: [],
      references: [],
      annotations: { name: 'n' },
    });
    await reader.learn([cell.source]);
    expect(isAnalyzable(analyzer, 'r', cell.source)).toBe(true);
    expect(analyzeCell(analyzer, cell)).toMatchObject({ defines: ['x'], references: ['y'], envKeys: ['K'] });
    expect(reader.installed()?.version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
