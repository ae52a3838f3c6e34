/** Parses the annotations of a cell: the `# @…` lines at the top of its source. */

import type { Language } from '../wire/cell.ts';
import type {
  Annotations,
  CachePolicy,
  DatasetAnnotation,
  FetchAnnotation,
  LoopAnnotation,
  MountAnnotation,
  PromptAnnotation,
  TableAnnotation,
} from './annotation.ts';
import {
  decimalOf,
  hidesFromApp,
  integerOf,
  isIdentifier,
  pairOf,
  readDirectives,
  wordsOf,
} from './directives.ts';
import { LANGUAGES } from './languages/languages.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A record being filled, directive by directive. */
type Draft = Mutable<Annotations>;

const NO_LOOP: LoopAnnotation = {
  maxIter: 0,
  carry: '',
  untilExpr: null,
  startFromCell: null,
  startFromIter: null,
};

function emptyDraft(): Draft {
  return {
    name: null,
    worker: null,
    timeout: null,
    env: {},
    mounts: [],
    tables: [],
    fetches: [],
    datasets: [],
    nocache: false,
    live: false,
    after: [],
    variant: null,
    perVariant: null,
    loop: null,
    appHide: false,
    setup: false,
    sql: { connection: null, write: false },
    cache: null,
    prompt: {
      model: null,
      system: null,
      output: null,
      temperature: null,
      maxTokens: null,
      outputSchema: null,
      validateRetries: null,
    },
  };
}

/** Seconds, or null if the argument is not a number above 0. */
export function timeoutOf(argument: string): number | null {
  const seconds = decimalOf(argument);
  return seconds !== null && seconds > 0 ? seconds : null;
}

/** One environment variable, or null if there is no `=` or no name before it. */
export function envPairOf(argument: string): { readonly key: string; readonly value: string } | null {
  const pair = pairOf(argument);
  return pair === null || pair.key === '' ? null : pair;
}

/** A @mount line, or null if its name is not an identifier or it has no uri. */
export function mountOf(argument: string): MountAnnotation | null {
  const [name = '', uri = '', ...options] = wordsOf(argument);
  if (!isIdentifier(name) || uri === '') return null;
  const credential = options.filter((word) => word.startsWith('credential=')).at(-1);
  return {
    name,
    uri,
    mode: options.filter((word) => word === 'ro' || word === 'rw').at(-1) === 'rw' ? 'rw' : 'ro',
    credential: credential === undefined ? null : credential.slice('credential='.length),
  };
}

/** A @table line, or null if a part is missing or its snapshot is not an integer. */
export function tableOf(argument: string): TableAnnotation | null {
  const [name = '', uri = '', ...options] = wordsOf(argument);
  if (!isIdentifier(name) || uri === '') return null;
  const pin = options.filter((word) => word.startsWith('snapshot=')).at(-1);
  if (pin === undefined) return { name, uri, snapshotPin: null, snapshotId: null };
  const text = pin.slice('snapshot='.length);
  if (!/^[+-]?\d+$/.test(text)) return null;
  const id = BigInt(text);
  return { name, uri, snapshotPin: Number(id), snapshotId: String(id) };
}

/** A @fetch line, or null if an option is unknown or a part is missing: the line is then ignored. */
export function fetchOf(argument: string): FetchAnnotation | null {
  const [name = '', url = '', ...options] = wordsOf(argument);
  if (!isIdentifier(name) || url === '') return null;
  let sha256: string | null = null;
  let refetch: FetchAnnotation['refetch'] = 'stale';
  for (const option of options) {
    const { key, value } = pairOf(option) ?? { key: option, value: '' };
    if (key === 'sha256' && /^[0-9a-f]{64}$/i.test(value)) sha256 = value.toLowerCase();
    else if (key === 'refetch' && (value === 'never' || value === 'stale' || value === 'always')) {
      refetch = value;
    } else return null;
  }
  return { name, url, sha256, refetch };
}

/** A @dataset line, or null if it is not exactly a variable and a `name`, `name@alias` or `name@v=n`. */
export function datasetOf(argument: string): DatasetAnnotation | null {
  const [variable = '', reference = '', ...rest] = wordsOf(argument);
  if (!isIdentifier(variable) || reference === '' || rest.length > 0) return null;
  const at = reference.indexOf('@');
  const name = at < 0 ? reference : reference.slice(0, at);
  const suffix = at < 0 ? null : reference.slice(at + 1);
  if (name === '' || suffix === '') return null;
  if (suffix === null) return { variable, name, alias: null, version: null };
  if (!suffix.startsWith('v=')) return { variable, name, alias: suffix, version: null };
  const version = integerOf(suffix.slice(2));
  return version === null || version < 1 ? null : { variable, name, alias: null, version };
}

/** A @variant line, or null if it is not exactly two identifiers. */
export function variantOf(argument: string): Annotations['variant'] {
  const [group = '', name = '', ...rest] = wordsOf(argument);
  return isIdentifier(group) && isIdentifier(name) && rest.length === 0 ? { group, name } : null;
}

/** Invalid pairs are skipped; the others override those of earlier lines. */
function mergeLoop(before: LoopAnnotation, argument: string): LoopAnnotation {
  const loop: Mutable<LoopAnnotation> = { ...before };
  for (const word of wordsOf(argument)) {
    const pair = pairOf(word);
    if (pair === null || pair.value === '') continue;
    if (pair.key === 'max_iter') loop.maxIter = integerOf(pair.value) ?? loop.maxIter;
    else if (pair.key === 'carry') loop.carry = isIdentifier(pair.value) ? pair.value : loop.carry;
    else if (pair.key === 'until') loop.untilExpr = pair.value;
    else if (pair.key === 'start_from') {
      const match = /^(.+)@iter=(\d+)$/.exec(pair.value);
      if (match === null) continue;
      loop.startFromCell = match[1] ?? null;
      loop.startFromIter = integerOf(match[2] ?? '');
    }
  }
  return loop;
}

function mergeSql(before: Annotations['sql'], argument: string): Annotations['sql'] {
  const sql: Mutable<Annotations['sql']> = { ...before };
  for (const word of wordsOf(argument)) {
    const pair = pairOf(word);
    if (pair?.key === 'connection' && pair.value !== '') sql.connection = pair.value;
    if (pair?.key === 'write') sql.write = /^(true|yes|1)$/i.test(pair.value);
  }
  return sql;
}

/** A cache policy, or null for invalid text; case-sensitive. */
export function cacheOf(argument: string): CachePolicy | null {
  if (
    argument === 'fingerprint' ||
    argument === 'forever' ||
    argument === 'session' ||
    argument === 'snapshot'
  ) {
    return { kind: argument };
  }
  const seconds = argument.startsWith('ttl=') ? integerOf(argument.slice(4)) : null;
  return seconds === null || seconds <= 0 ? null : { kind: 'ttl', seconds };
}

/** A JSON object, or null for any other text. */
export function jsonObjectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isOn(argument: string): boolean {
  return !/^(off|false|no|0)$/i.test(argument);
}

type Reader = (draft: Draft, argument: string) => void;

/** A reader that appends the result of `parse` to a list, and ignores the line if there is none. */
function appends<K extends 'mounts' | 'tables' | 'fetches' | 'datasets'>(
  field: K,
  parse: (argument: string) => Annotations[K][number] | null,
): Reader {
  return (draft, argument) => {
    const entry = parse(argument);
    // The list's element type follows from K; a union of array types cannot be spread without a cast.
    if (entry !== null) draft[field] = [...draft[field], entry] as unknown as Draft[K];
  };
}

function prompts<K extends keyof PromptAnnotation>(
  field: K,
  parse: (argument: string) => PromptAnnotation[K],
): Reader {
  return (draft, argument) => {
    draft.prompt = { ...draft.prompt, [field]: parse(argument) ?? draft.prompt[field] };
  };
}

const textOf = (argument: string): string | null => (argument === '' ? null : argument);

/** One row per directive; a key that is not here is ignored. */
const READERS: Readonly<Record<string, Reader>> = {
  name: (draft, argument) => {
    draft.name = textOf(argument) ?? draft.name;
  },
  worker: (draft, argument) => {
    draft.worker = textOf(argument) ?? draft.worker;
  },
  timeout: (draft, argument) => {
    draft.timeout = timeoutOf(argument) ?? draft.timeout;
  },
  env: (draft, argument) => {
    const pair = envPairOf(argument);
    if (pair !== null) draft.env = { ...draft.env, [pair.key]: pair.value };
  },
  mount: appends('mounts', mountOf),
  table: appends('tables', tableOf),
  fetch: appends('fetches', fetchOf),
  dataset: appends('datasets', datasetOf),
  nocache: (draft, argument) => {
    draft.nocache = isOn(argument);
  },
  live: (draft, argument) => {
    draft.live = isOn(argument);
  },
  setup: (draft, argument) => {
    draft.setup = isOn(argument);
  },
  after: (draft, argument) => {
    draft.after = [...new Set([...draft.after, ...argument.split(/[\s,]+/).filter((id) => id !== '')])];
  },
  variant: (draft, argument) => {
    draft.variant = variantOf(argument) ?? draft.variant;
  },
  per_variant: (draft, argument) => {
    draft.perVariant = { group: wordsOf(argument)[0] ?? null };
  },
  loop: (draft, argument) => {
    draft.loop = mergeLoop(draft.loop ?? NO_LOOP, argument);
  },
  loop_until: (draft, argument) => {
    if (argument !== '') draft.loop = { ...(draft.loop ?? NO_LOOP), untilExpr: argument };
  },
  sql: (draft, argument) => {
    draft.sql = mergeSql(draft.sql, argument);
  },
  cache: (draft, argument) => {
    draft.cache = cacheOf(argument) ?? draft.cache;
  },
  model: prompts('model', textOf),
  system: prompts('system', textOf),
  output: prompts('output', (argument) => (argument === 'json' || argument === 'text' ? argument : null)),
  temperature: prompts('temperature', decimalOf),
  max_tokens: prompts('maxTokens', integerOf),
  output_schema: prompts('outputSchema', jsonObjectOf),
  validate_retries: prompts('validateRetries', (argument) => {
    const attempts = integerOf(argument);
    return attempts !== null && attempts >= 1 ? attempts : null;
  }),
};

/** Parses one cell's directives. Invalid lines are ignored; see `annotationDiagnostics`. */
export function parseAnnotations(source: string, language: Language): Annotations {
  const draft = emptyDraft();
  for (const { key, argument } of readDirectives(source)) {
    if (LANGUAGES[language].ignores.has(key) || !Object.hasOwn(READERS, key)) continue;
    READERS[key]?.(draft, argument);
  }
  draft.appHide = hidesFromApp(source);
  return draft;
}
