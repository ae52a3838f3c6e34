/** Finds faults in a cell's annotations that need no other cell, for the marks in the editor. */

import type { Diagnostic, Language } from '../wire/cell.ts';
import type { Annotations } from './annotation.ts';
import {
  cacheOf,
  datasetOf,
  envPairOf,
  fetchOf,
  jsonObjectOf,
  mountOf,
  tableOf,
  timeoutOf,
  variantOf,
} from './annotations.ts';
import { diagnose, sortedByLine } from './diagnostics.ts';
import { type Directive, readDirectives } from './directives.ts';
import { LANGUAGES } from './languages/languages.ts';

const MOUNT_SCHEMES = /^(file|s3|gs|gcs|az|azure):\/\//;

type Check = (argument: string, line: number) => Diagnostic | null;

interface Row {
  readonly check: Check;
  readonly spokenIn: (language: Language) => boolean;
}

const inCode = (language: Language): boolean => LANGUAGES[language].runsCode;
const only = (expected: Language) => (language: Language) => language === expected;

/**
 * Faults that one line shows on its own. Checks that need other cells or notebook.toml are in
 * src-main/language/checks.
 */
const CHECKS: Readonly<Record<string, Row>> = {
  timeout: {
    spokenIn: inCode,
    check: (argument, line) =>
      timeoutOf(argument) === null
        ? diagnose(
            'timeout_not_numeric',
            `@timeout needs a number of seconds above 0, not "${argument}"`,
            line,
          )
        : null,
  },
  env: {
    spokenIn: inCode,
    check: (argument, line) =>
      envPairOf(argument) === null
        ? diagnose('env_malformed', `@env needs KEY=value, not "${argument}"`, line)
        : null,
  },
  mount: {
    spokenIn: inCode,
    check: (argument, line) => {
      const mount = mountOf(argument);
      return mount === null || MOUNT_SCHEMES.test(mount.uri)
        ? null
        : diagnose(
            'mount_uri_unsupported',
            `@mount does not support "${mount.uri}": use file, s3, gs or az`,
            line,
            mount.uri,
          );
    },
  },
  table: {
    spokenIn: inCode,
    check: (argument, line) => {
      const table = tableOf(argument);
      return table === null || hasNamespace(table.uri)
        ? null
        : diagnose(
            'table_uri_malformed',
            `@table needs a namespace before the table: "${table.uri}" could be "default.${table.uri}"`,
            line,
            table.uri,
          );
    },
  },
  fetch: {
    spokenIn: (language) => LANGUAGES[language].runs,
    check: (argument, line) =>
      fetchOf(argument) === null
        ? diagnose(
            'fetch_unreadable',
            '@fetch needs a name, a URL and known options; the line is ignored',
            line,
          )
        : null,
  },
  dataset: {
    spokenIn: (language) => LANGUAGES[language].runs,
    check: (argument, line) =>
      datasetOf(argument) === null
        ? diagnose(
            'dataset_unreadable',
            '@dataset needs a variable and a dataset name; the line is ignored',
            line,
          )
        : null,
  },
  variant: {
    spokenIn: () => true,
    check: (argument, line) =>
      variantOf(argument) === null
        ? diagnose('variant_malformed', '@variant needs exactly a group and a name', line)
        : null,
  },
  cache: {
    spokenIn: only('sql'),
    check: (argument, line) => {
      if (cacheOf(argument) !== null) return null;
      return argument.startsWith('ttl=')
        ? diagnose(
            'cache_ttl_invalid',
            `@cache ttl= needs whole seconds above 0, not "${argument.slice(4)}"`,
            line,
          )
        : diagnose(
            'cache_policy_unknown',
            `@cache supports fingerprint, forever, session, snapshot and ttl=<seconds>, not "${argument}"`,
            line,
          );
    },
  },
  output_schema: {
    spokenIn: only('prompt'),
    check: (argument, line) =>
      jsonObjectOf(argument) === null
        ? diagnose(
            'prompt_output_schema_invalid',
            '@output_schema needs one JSON object on its line; it is ignored',
            line,
          )
        : null,
  },
};

/** `<warehouse>#<ns>.<t>`, `<catalog>:<ns>.<t>` or `<ns>.<t>` (docs/spec/annotations.md, 1.2, 2). */
function hasNamespace(uri: string): boolean {
  const id = uri.slice(Math.max(uri.lastIndexOf('#'), uri.lastIndexOf(':')) + 1);
  return /^[^.]+(\.[^.]+)+$/.test(id);
}

function loopFaults({ loop }: Annotations, directives: readonly Directive[]): readonly Diagnostic[] {
  const line = lineOf(directives, 'loop', 'loop_until');
  if (loop === null || line === null) return [];
  const faults: Diagnostic[] = [];
  if (loop.maxIter <= 0) faults.push(diagnose('loop_missing_max_iter', '@loop needs max_iter above 0', line));
  if (loop.carry === '') faults.push(diagnose('loop_missing_carry', '@loop needs carry=<variable>', line));
  return faults;
}

/** One fault a name, at its first line; unreadable lines are ignored. */
function duplicateTables(directives: readonly Directive[]): readonly Diagnostic[] {
  const first = new Map<string, number>();
  const reported = new Set<string>();
  const faults: Diagnostic[] = [];
  for (const { key, argument, line } of directives) {
    const name = key === 'table' ? tableOf(argument)?.name : undefined;
    if (name === undefined) continue;
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, line);
    else if (!reported.has(name)) {
      reported.add(name);
      faults.push(
        diagnose(
          'table_duplicate_name',
          `two @table lines use the name "${name}": rename one, or the run fails`,
          earlier,
          name,
        ),
      );
    }
  }
  return faults;
}

function connectionFaults({ sql }: Annotations, directives: readonly Directive[]): readonly Diagnostic[] {
  if (sql.connection !== null) return [];
  const message = 'This cell has no connection: add # @sql connection=<name>';
  return [diagnose('sql_connection_missing', message, lineOf(directives, 'sql'))];
}

/** The last line of one of these directives: if repeated, the last counts. */
export function lineOf(directives: readonly Directive[], ...keys: readonly string[]): number | null {
  return directives.filter(({ key }) => keys.includes(key)).at(-1)?.line ?? null;
}

/**
 * Faults of a cell's directives that can be found in the cell alone, by line (docs/spec/annotations.md, 1.3). They
 * never block a run. Worker, mount, table, timeout, env and loop lines are checked in Python and R cells only, fetches
 * and datasets everywhere but in Markdown. @param annotations the result of `parseAnnotations` for the same source
 */
export function annotationDiagnostics(
  source: string,
  language: Language,
  annotations: Annotations,
): readonly Diagnostic[] {
  const directives = readDirectives(source);
  const faults: Diagnostic[] = [];
  for (const { key, argument, line } of directives) {
    const row = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined;
    if (row === undefined || !row.spokenIn(language)) continue;
    const fault = row.check(argument, line);
    if (fault !== null) faults.push(fault);
  }
  if (inCode(language)) faults.push(...duplicateTables(directives), ...loopFaults(annotations, directives));
  if (LANGUAGES[language].connects) faults.push(...connectionFaults(annotations, directives));
  return sortedByLine(faults);
}
