/** Makes quick fixes for diagnostics of cells: the source as it would be after the fix. */

import type { Cell, Diagnostic } from '../wire/cell.ts';
import type { DiagnosticCode } from './diagnostics.ts';
import { readDirectives, wordsOf } from './directives.ts';
import { mountNameFor, relativeMountUri, withMount } from './mountUri.ts';
import { spliceDirective, withLineChanged, withoutLine } from './spliceDirective.ts';
import { typedCommand } from './typedCommands.ts';

/** A fix for a fault: its label, and the resulting source. */
export interface Fix {
  readonly title: string;
  readonly source: string;
  /** Packages to add to the environment with the fix. */
  readonly adds?: readonly string[];
}

/** The cell's properties that a fix may use besides the source. */
export type FixedCell = Pick<Cell, 'defines' | 'references'>;

type Fixer = (
  source: string,
  diagnostic: Diagnostic & { readonly line: number },
  cell: FixedCell,
) => Fix | null;

const removed =
  (title: string): Fixer =>
  (source, { line }) => ({ title, source: withoutLine(source, line) });

/** A line without effect can be removed. */
const dropLine = removed('Remove the line');

const makeOrdinary = removed('Make this a normal cell');

/** One row per code with an obvious fix. */
const FIXERS: Readonly<Partial<Record<DiagnosticCode, Fixer>>> = {
  untracked_read: makeMount,
  magic_line: translateCommand,
  loop_missing_max_iter: (source) => withLoopPair(source, 'max_iter', '10'),
  loop_missing_carry: (source, _diagnostic, { defines, references }) => {
    const carry = defines.find((name) => references.includes(name)) ?? defines[0];
    return carry === undefined ? null : withLoopPair(source, 'carry', carry);
  },
  loop_start_from_unknown: (source) => withLoopPair(source, 'start_from', null),
  loop_until_syntax_error: (source, { line }) => {
    const directive = readDirectives(source).find((one) => one.line === line);
    return directive?.key === 'loop_until'
      ? { title: 'Remove the line', source: withoutLine(source, line) }
      : withLoopPair(source, 'until', null);
  },
  mount_uri_unsupported: (source, { line, subject }) =>
    subject === undefined || subject.includes('://')
      ? null
      : {
          title: `Change to ${relativeMountUri(subject)}`,
          source: withLineChanged(source, line, (text) =>
            text.replace(subject, () => relativeMountUri(subject)),
          ),
        },
  table_uri_malformed: (source, { line, subject }) =>
    subject === undefined
      ? null
      : {
          title: `Use the namespace default`,
          source: withLineChanged(source, line, (text) => text.replace(subject, () => inDefault(subject))),
        },
  table_duplicate_name: (source, { line, subject }) => {
    const others = readDirectives(source).filter(
      (one) => one.key === 'table' && one.line !== line && wordsOf(one.argument)[0] === subject,
    );
    const rest = others.reduceRight((text, other) => withoutLine(text, other.line), source);
    return { title: 'Keep only the first line', source: rest };
  },
  worker_unknown: removed('Run on this machine'),
  mount_shadows_notebook: removed("Use the notebook's mount"),
  table_shadows_define: removed('Remove the @table line'),
  per_variant_no_sweep_source: removed('Remove the @per_variant line'),
  timeout_not_numeric: dropLine,
  env_malformed: dropLine,
  fetch_unreadable: dropLine,
  dataset_unreadable: dropLine,
  variant_malformed: dropLine,
  prompt_output_schema_invalid: dropLine,
  cache_policy_unknown: dropLine,
  cache_ttl_invalid: dropLine,
  setup_not_python: makeOrdinary,
  setup_not_first: makeOrdinary,
  setup_duplicate: makeOrdinary,
  setup_reads_cells: makeOrdinary,
  setup_annotation: makeOrdinary,
};

/** The obvious fix for a fault, or null if the user must decide. Pure. */
export function fixOf(source: string, diagnostic: Diagnostic, cell: FixedCell): Fix | null {
  const fixer = Object.hasOwn(FIXERS, diagnostic.code)
    ? FIXERS[diagnostic.code as DiagnosticCode]
    : undefined;
  const { line } = diagnostic;
  if (fixer === undefined || line === null) return null;
  const fix = fixer(source, { ...diagnostic, line }, cell);
  return fix === null || fix.source === source ? null : fix;
}

/** Sets or removes one pair of `@loop`; if a loop's pair is on another line, the last line gets it. */
function withLoopPair(source: string, key: string, value: string | null): Fix | null {
  const line = readDirectives(source)
    .filter((one) => one.key === 'loop')
    .at(-1);
  if (line === undefined) {
    if (value === null) return null;
    return { title: `Add ${key}=${value}`, source: spliceDirective(source, 'loop', `${key}=${value}`) };
  }
  const others = wordsOf(line.argument).filter((word) => !word.startsWith(`${key}=`));
  const words = value === null ? others : [...others, `${key}=${value}`];
  return {
    title: value === null ? `Remove ${key}` : `Add ${key}=${value}`,
    source: withLineChanged(source, line.line, () => ['# @loop', ...words].join(' ')),
  };
}

/** The block of the removed line must not become empty. */
function withoutCommand(source: string, line: number, { indent }: { readonly indent: string }): string {
  return indent === '' ? withoutLine(source, line) : withLineChanged(source, line, () => `${indent}pass`);
}

/** Install commands become packages, an unneeded command is removed, another program is run from Python. */
function translateCommand(source: string, { line }: { readonly line: number }): Fix | null {
  const text = source.split('\n')[line - 1] ?? '';
  const command = typedCommand(text);
  if (command === null) return null;
  const adds = [...new Set(command.packages)];
  if (adds.length > 0) {
    return { title: `Add ${adds.join(', ')}`, source: withoutCommand(source, line, command), adds };
  }
  if (command.isNeedless) return { title: 'Remove the line', source: withoutCommand(source, line, command) };
  if (command.sign !== '!') return null;
  const { indent } = command;
  const run = `${indent}import subprocess\n${indent}subprocess.run(${JSON.stringify(command.text)}, shell=True)`;
  return { title: 'Run it with subprocess', source: withLineChanged(source, line, () => run) };
}

/** `w#orders` is `w#default.orders`. */
function inDefault(uri: string): string {
  const at = Math.max(uri.lastIndexOf('#'), uri.lastIndexOf(':')) + 1;
  return `${uri.slice(0, at)}default.${uri.slice(at)}`;
}

/** The literal becomes a name, and the name a mount of the file: then it is tracked, and still works as a path. */
function makeMount(
  source: string,
  { line, subject }: Diagnostic & { readonly line: number },
  cell: FixedCell,
): Fix | null {
  if (subject === undefined || /^([\\/]|[a-zA-Z]:)/.test(subject)) return null;
  const usedNames = new Set([
    ...cell.defines,
    ...cell.references,
    // The words of the path itself do not count, because they are replaced.
    ...(source.replaceAll(subject, '').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []),
  ]);
  const name = mountNameFor(subject, usedNames);
  let replaced = false;
  const changed = withLineChanged(source, line, (text) =>
    text.replace(/([rRuU]?)("|')((?:(?!\2).)*)\2/g, (literal, _prefix, _quote, inner: string) => {
      if (replaced || inner.replaceAll('\\\\', '\\') !== subject) return literal;
      replaced = true;
      return name;
    }),
  );
  if (!replaced) return null;
  return {
    title: `Make this a mount: ${name}`,
    source: withMount(changed, { name, uri: relativeMountUri(subject) }),
  };
}
