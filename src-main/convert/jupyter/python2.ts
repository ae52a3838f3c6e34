/** Finds Python 2 code in the cells of an imported Jupyter notebook, to warn about it. */

import { type LogicalLine, logicalLines } from './logicalLines.ts';

/** Python 2 syntax that Python 3 rejects, or that fails at run time; searched in text without strings. */
const FORMS: readonly (readonly [form: RegExp, words: string])[] = [
  [
    /^print\s*(?:>>|""|`|\{)|^print\s+(?!(?:in|is|and|or|if|not\s+in)\b)[\w[]|^print$/,
    '`print` without parentheses',
  ],
  [/^exec\s*""|^exec\s+[A-Za-z]/, '`exec` without parentheses'],
  [/^except\s+[^:]*\w\s*,\s*\w+\s*:/, '`except X, e` for `except X as e`'],
  [/^raise\s+[\w.]+\s*,/, '`raise X, "text"` for `raise X("text")`'],
  [/<>/, '`<>` for `!=`'],
  [/`/, 'backticks for `repr()`'],
  [/(?<![\w.])(?:0[0-7]+|\d+)[lL]\b|(?<![\w.])0[1-7][0-7]*\b(?!\.)/, 'numbers such as `10L` or `0755`'],
  [/\bur""/, '`ur"…"` texts'],
  [/\.has_key\(/, '`.has_key()` for `in`'],
  [/\.iter(?:items|keys|values)\(\)/, '`.iteritems()` for `.items()`'],
];
/** Removed functions with their replacements; only if the notebook does not define them. */
export const REMOVED_BUILTINS: Readonly<Record<string, string>> = {
  raw_input: 'input',
  xrange: 'range',
  unicode: 'str',
  unichr: 'chr',
  basestring: 'str',
  long: 'int',
  reduce: 'functools.reduce',
  execfile: 'exec',
  cmp: '(a > b) - (a < b)',
};

interface OldCode {
  readonly words: string;
  /** The line's number in the cell, from 1. */
  readonly line: number;
}

/** The Python 2 code in a cell, each kind once. */
export function python2In(source: string): readonly OldCode[] {
  const findings: OldCode[] = [];
  let line = 1;
  for (const logical of logicalLines(source)) {
    const words = kindsOf(logical).filter((kind) => !findings.some((one) => one.words === kind));
    findings.push(...words.map((kind) => ({ words: kind, line })));
    line += logical.text.split('\n').length;
  }
  return findings;
}

function kindsOf({ isBlank, bare }: LogicalLine): readonly string[] {
  if (isBlank) return [];
  // A one-line block has its statement after the colon.
  const statements = bare.split(/;|:(?=\s*(?:print|exec|raise)\b)/).map((part) => part.trim());
  return FORMS.filter(([form]) => statements.some((statement) => form.test(statement))).map(
    ([, words]) => words,
  );
}
