import type { Diagnostic, Language } from '../wire/cell.ts';
import type { Annotations } from './annotation.ts';
import { datasetOf, envPairOf, fetchOf, parseAnnotations, timeoutOf, variantOf } from './annotations.ts';
import { type Directive, readDirectives } from './directives.ts';

function warning(code: string, message: string, line: number): Diagnostic {
  return { severity: 'warn', code, message, line };
}

function failure(code: string, message: string, line: number): Diagnostic {
  return { severity: 'error', code, message, line };
}

const RUNS_CODE: ReadonlySet<Language> = new Set(['python', 'r']);
const MOUNT_SCHEMES = /^(file|s3|gs|gcs|az|azure):\/\//;

type Check = (argument: string, line: number) => Diagnostic | null;

/** Faults one line shows by itself. What needs the whole notebook is checked where that is known. */
const CHECKS: Readonly<Record<string, { readonly check: Check; readonly codeOnly: boolean }>> = {
  timeout: {
    codeOnly: true,
    check: (argument, line) =>
      timeoutOf(argument) === null
        ? warning(
            'timeout_not_numeric',
            `@timeout needs a number of seconds above 0, not "${argument}"`,
            line,
          )
        : null,
  },
  env: {
    codeOnly: true,
    check: (argument, line) =>
      envPairOf(argument) === null
        ? warning('env_malformed', `@env needs KEY=value, not "${argument}"`, line)
        : null,
  },
  mount: {
    codeOnly: true,
    check: (argument, line) => {
      const uri = argument.split(/\s+/)[1];
      return uri === undefined || MOUNT_SCHEMES.test(uri)
        ? null
        : warning('mount_uri_unsupported', `@mount cannot reach "${uri}": use file, s3, gs or az`, line);
    },
  },
  fetch: {
    codeOnly: false,
    check: (argument, line) =>
      fetchOf(argument) === null
        ? warning(
            'fetch_unreadable',
            '@fetch needs a name, a URL and known options; the line is ignored',
            line,
          )
        : null,
  },
  dataset: {
    codeOnly: false,
    check: (argument, line) =>
      datasetOf(argument) === null
        ? warning(
            'dataset_unreadable',
            '@dataset needs a variable and a dataset name; the line is ignored',
            line,
          )
        : null,
  },
  variant: {
    codeOnly: false,
    check: (argument, line) =>
      variantOf(argument) === null
        ? warning('variant_malformed', '@variant needs exactly a group and a name', line)
        : null,
  },
};

function loopFaults(annotations: Annotations, directives: readonly Directive[]): readonly Diagnostic[] {
  const { loop } = annotations;
  const line = directives.filter(({ key }) => key === 'loop' || key === 'loop_until').at(-1)?.line;
  if (loop === null || line === undefined) return [];
  const faults: Diagnostic[] = [];
  if (loop.maxIter <= 0) faults.push(failure('loop_missing_max_iter', '@loop needs max_iter above 0', line));
  if (loop.carry === '') faults.push(failure('loop_missing_carry', '@loop needs carry=<variable>', line));
  return faults;
}

function duplicateTables(directives: readonly Directive[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const reported = new Set<string>();
  const faults: Diagnostic[] = [];
  for (const { key, argument, line } of directives) {
    if (key !== 'table') continue;
    const name = argument.split(/\s+/)[0] ?? '';
    if (seen.has(name) && !reported.has(name)) {
      reported.add(name);
      const first = directives.find(
        (other) => other.key === 'table' && other.argument.split(/\s+/)[0] === name,
      );
      faults.push(failure('table_duplicate_name', `two @table lines name "${name}"`, first?.line ?? line));
    }
    seen.add(name);
  }
  return faults;
}

/**
 * Faults of a cell's directives that the cell alone shows, by line (semantics 1.3). They never block a run.
 * Worker, mount, table, timeout, env and loop lines are checked in Python and R cells only, fetches and
 * datasets everywhere but in Markdown.
 */
export function annotationDiagnostics(source: string, language: Language): readonly Diagnostic[] {
  const directives = readDirectives(source);
  const code = RUNS_CODE.has(language);
  const faults: Diagnostic[] = [];
  for (const { key, argument, line } of directives) {
    const row = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined;
    if (row === undefined || (row.codeOnly && !code)) continue;
    if (language === 'markdown' && key !== 'variant') continue;
    const fault = row.check(argument, line);
    if (fault !== null) faults.push(fault);
  }
  if (code) {
    faults.push(
      ...duplicateTables(directives),
      ...loopFaults(parseAnnotations(source, language), directives),
    );
  }
  return faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
