import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HARNESS_DIR } from '../testing/testBench.ts';
import { NO_R, RSCRIPT } from './testing/rBench.ts';

/** How the pieces of a column were read, and the column they form; `wide` makes 64-bit integers, as bit64 does. */
const ROWS: readonly (readonly [name: string, pieces: string, column: string])[] = [
  ['integers, then large ones', 'list(c(1L, NA), c(2^40, -1))', 'c(1, NA, 2^40, -1)'],
  ['integers, then wide ones', 'list(c(1L, NA, -2L), wide(2^60, NA))', 'wide(1, NA, -2, 2^60, NA)'],
  ['wide numbers, then others', 'list(wide(2^60), 2^53, -7L, NA)', 'wide(2^60, 2^53, -7, NA)'],
  ['only missing values first', 'list(c(NA_integer_, NA), wide(-2^60))', 'wide(NA, NA, -2^60)'],
  [
    'lists of wide numbers',
    'list(list(1L, NULL), list(wide(2^60), c(2L, NA)))',
    'list(wide(1), NULL, wide(2^60), wide(2, NA))',
  ],
  ['a factor, then texts', "list(factor(c('b', NA)), c('a', NA))", "c('b', NA, 'a', NA)"],
  ['texts, then a factor', "list(c('a', NA), factor('b'))", "c('a', NA, 'b')"],
  [
    'other levels',
    "list(factor('b'), factor(c('a', 'b'), levels = c('a', 'b')))",
    "factor(c('b', 'a', 'b'), levels = c('b', 'a'))",
  ],
  [
    'zoned times',
    "list(.POSIXct(0, 'Asia/Tokyo'), .POSIXct(NA_real_, 'Asia/Tokyo'))",
    ".POSIXct(c(0, NA), 'Asia/Tokyo')",
  ],
  [
    'valid local times, then one that the clock skips',
    'list(arrow_times(c(0, NA), NULL), arrow_times(1743301800, NULL))',
    "as.POSIXct(c('1970-01-01 00:00', NA, '2025-03-30 02:30'), tz = 'UTC')",
  ],
  [
    'a local time that the clock skips, then others',
    'list(arrow_times(1743301800, NULL), arrow_times(1751371200, NULL))',
    "as.POSIXct(c('2025-03-30 02:30', '2025-07-01 12:00'), tz = 'UTC')",
  ],
  ['durations', "list(.difftime(1, 'secs'), .difftime(2, 'secs'))", ".difftime(c(1, 2), 'secs')"],
  [
    'structs',
    "list(frame(a = 1L, b = factor('x')), frame(a = wide(2^60, 2), b = factor(c('y', 'x'))))",
    "frame(a = wide(1, 2^60, 2), b = factor(c('x', 'y', 'x'), levels = c('x', 'y')))",
  ],
];

const PREAMBLE = `
Sys.setenv(TZ = 'Europe/Berlin')
for (file in list.files(commandArgs(TRUE), '[.]R$', full.names = TRUE)) source(file)
wide <- function(...) arrow_widen(c(...))
frame <- function(...) structure(list(...), row.names = .set_row_names(length(..1)), class = 'data.frame')
bits <- function(x) if (inherits(x, 'integer64')) writeBin(as.vector(unclass(x)), raw()) else if (is.list(x)) lapply(x, bits) else x
shown <- function(x) paste(deparse(x), collapse = ' ')
compared <- function(is, want) {
  alike <- isTRUE(all.equal(bits(is), bits(want))) && identical(attributes(is), attributes(want))
  cat(if (alike) 'same' else gsub('\\n', ' ', paste(shown(is), 'is not', shown(want))), '\\n', sep = '')
}
`;

test('[RC-7] the pieces of a column are joined even if they were read with different types', ({ skip }) => {
  if (RSCRIPT === null) return skip(NO_R);
  const checks = ROWS.map(([, pieces, column]) => `compared(arrow_join(${pieces}), ${column})`);
  // The smallest 64-bit number is NA in bit64; test the numbers next to it.
  const extremes =
    'compared(bits(arrow_widen(c(1, -1, NA))), as.raw(c(1, rep(0, 7), rep(255, 8), rep(0, 7), 128)))';
  const script = [PREAMBLE, ...checks, extremes].join('\n');
  const folder = join(HARNESS_DIR, 'r/svc_harness');
  const output = execFileSync(RSCRIPT, ['--vanilla', '-e', script, folder], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const lines = output.trim().split('\n');
  expect(lines.map((line, i) => [ROWS[i]?.[0] ?? 'its bits', line])).toEqual(
    [...ROWS.map(([name]) => name), 'its bits'].map((name) => [name, 'same']),
  );
});
