/**
 * Explains a cell's status in plain language: compares the inputs of its last run with those that a run would use now.
 */

import type { ExplainedInput, Explanation } from '../../src-shared/wire/routes/extensions.ts';
import type { RunFacts } from './facts.ts';
import { type ObservedRow, WRITTEN_BY } from './observed/explainObserved.ts';

/** The current facts about a cell, gathered for `explain`. */
export interface ExplainFacts {
  readonly status: Explanation['status'];
  /** The facts of the last run that succeeded; null if there was none, or its record was lost. */
  readonly last: RunFacts | null;
  /** What a run would use now. */
  readonly now: RunFacts;
  /** Whether a run is recorded at all: then `last` is null only because an older version wrote the record. */
  readonly hasRun: boolean;
  /** The last run was answered by the store. */
  readonly wasHit: boolean;
  /** A run now would be answered by the store. */
  readonly wouldHit: boolean;
  readonly failed: boolean;
  /** A run has started at some time, with any outcome. */
  readonly hasStarted: boolean;
  /** Producers that have to run before this cell can. */
  readonly pending: ReadonlySet<string>;
  /**
   * Variables that cells read now and the last run did not store, because nothing read them then; with their
   * readers.
   */
  readonly unkept: readonly { readonly name: string; readonly readers: readonly string[] }[];
  /** The newest run was stopped. */
  readonly stopped: boolean;
  /** The observed facts of the last run, compared with the current state (observed/explainObserved.ts). */
  readonly observed: readonly ObservedRow[];
  /** Packages that the last run reached and that have changed; null: unknown, so that all of them count. */
  readonly packages: readonly string[] | null;
  /** The display name of a cell. */
  readonly nameOf: (cellId: string) => string;
}

type Explained = Pick<Explanation, 'verdict' | 'headline' | 'inputs'>;

/**
 * Why a cell has its status, in plain language: the inputs of its last run compared with those of a run now.
 * Pure.
 */
export function explain(facts: ExplainFacts): Explained {
  const inputs = compare(facts);
  const changed = inputs.filter(
    ({ kind, state }) => state !== 'same' && kind !== 'timeout' && kind !== 'unseen',
  );
  const verdict = verdictOf(facts, changed.length > 0);
  return { verdict, headline: headlineOf(facts, { verdict, changed }), inputs };
}

function verdictOf(facts: ExplainFacts, differs: boolean): Explained['verdict'] {
  if (facts.status === 'ready') return facts.wasHit ? 'hit' : 'fresh';
  if (facts.wouldHit && !facts.failed) return 'hit';
  if (!facts.hasRun) return facts.failed ? 'miss' : 'never_run';
  return differs ? 'stale' : 'miss';
}

/** One row per input of a run, the code first. */
function compare({ last, now, hasRun, pending, nameOf, observed, packages }: ExplainFacts): ExplainedInput[] {
  const row = (part: Partial<ExplainedInput> & Pick<ExplainedInput, 'kind' | 'name'>): ExplainedInput => ({
    state: 'same',
    detail: null,
    cell_id: null,
    ...part,
  });
  // Without an earlier run nothing has changed yet: every input is new.
  const against = (differs: boolean): ExplainedInput['state'] =>
    !hasRun ? 'new' : last !== null && differs ? 'changed' : 'same';
  return [
    row({ kind: 'source', name: 'code', state: against(last?.sourceHash !== now.sourceHash) }),
    ...compareInputs({ last, now, hasRun, pending, nameOf }).map(row),
    ...compareSetup(last, now, nameOf).map(row),
    ...compareModules(last, now).map(row),
    ...compareData(last, now).map(row),
    row({
      kind: 'environment',
      name: 'packages',
      ...comparePackages({ last, now, hasRun, packages }),
    }),
    row({
      kind: 'timeout',
      name: 'timeout',
      state: against(last?.timeoutSeconds !== now.timeoutSeconds),
      detail:
        last !== null && last.timeoutSeconds !== now.timeoutSeconds
          ? `${last.timeoutSeconds} s before, ${now.timeoutSeconds} s now`
          : `${now.timeoutSeconds} s`,
    }),
    ...compareEnv(last, now).map(row),
    ...observed.map(row),
    row({
      kind: 'worker',
      name: now.worker,
      state: against(last?.worker !== now.worker),
      detail: last !== null && last.worker !== now.worker ? `${last.worker} before` : null,
    }),
  ];
}

function comparePackages({
  last,
  now,
  hasRun,
  packages,
}: Pick<ExplainFacts, 'last' | 'now' | 'hasRun' | 'packages'>): Pick<ExplainedInput, 'state' | 'detail'> {
  if (!hasRun) return { state: 'new', detail: null };
  if (last === null || last.lockHash === now.lockHash) return { state: 'same', detail: null };
  if (packages === null) return { state: 'changed', detail: 'packages were added, removed or updated' };
  if (packages.length === 0) return { state: 'same', detail: 'packages changed that this cell does not use' };
  return { state: 'changed', detail: `changed: ${listed(packages)}` };
}

type Row = Partial<ExplainedInput> & Pick<ExplainedInput, 'kind' | 'name'>;

function compareInputs(facts: Pick<ExplainFacts, 'last' | 'now' | 'hasRun' | 'pending' | 'nameOf'>): Row[] {
  const { last, now, hasRun, pending, nameOf } = facts;
  const key = (input: RunFacts['inputs'][number]) => `${input.cellId}\0${input.name}`;
  const before = new Map((last?.inputs ?? []).map((input) => [key(input), input]));
  const present = now.inputs.map((input): Row => {
    const old = before.get(key(input));
    before.delete(key(input));
    const about = { kind: 'input', name: input.name, cell_id: input.cellId } as const;
    const from = nameOf(input.cellId);
    if (pending.has(input.cellId)) return { ...about, state: 'changed', detail: `${from} has to run first` };
    if (old === undefined) {
      return {
        ...about,
        state: 'new',
        detail: hasRun ? `read from ${from} since its last run` : `from ${from}`,
      };
    }
    if (old.sha256 === input.sha256) return { ...about, state: 'same', detail: `from ${from}` };
    return { ...about, state: 'changed', detail: `${from} now has another result` };
  });
  const removed = [...before.values()].map(
    (old): Row => ({
      kind: 'input',
      name: old.name,
      state: 'gone',
      detail: `no longer read from ${nameOf(old.cellId)}`,
      cell_id: old.cellId,
    }),
  );
  return [...present, ...removed];
}

/** The set-up cell, compared with that of the last run. */
function compareSetup(last: RunFacts | null, now: RunFacts, nameOf: ExplainFacts['nameOf']): Row[] {
  const [was, is] = [last?.setup, now.setup];
  const about = (cellId: string) => ({ kind: 'setup', name: nameOf(cellId), cell_id: cellId }) as const;
  if (is === undefined) {
    return was === undefined
      ? []
      : [{ ...about(was.cellId), state: 'gone', detail: 'no longer the setup cell' }];
  }
  if (was === undefined) {
    return [{ ...about(is.cellId), state: 'new', detail: last === null ? null : 'runs before it now' }];
  }
  const isSame = was.sourceHash === is.sourceHash;
  return [
    { ...about(is.cellId), state: isSame ? 'same' : 'changed', detail: isSame ? null : 'its code changed' },
  ];
}

/** The files of the folder it runs, compared with those of the last run. */
function compareModules(last: RunFacts | null, now: RunFacts): Row[] {
  const before = new Map((last?.modules ?? []).map(({ path, digest }) => [path, digest]));
  const present = now.modules.map(({ path, digest }): Row => {
    const old = before.get(path);
    before.delete(path);
    const about = { kind: 'module', name: path } as const;
    if (old === undefined) return { ...about, state: 'new', detail: 'imported since its last run' };
    if (old === digest) return { ...about, state: 'same' };
    return { ...about, state: 'changed', detail: 'its code changed' };
  });
  const removed = [...before.keys()].map(
    (path): Row => ({ kind: 'module', name: path, state: 'gone', detail: 'no longer imported' }),
  );
  return [...present, ...removed];
}

/** The external data, compared with that of the last run. */
function compareData(last: RunFacts | null, now: RunFacts): Row[] {
  const before = new Map((last?.data ?? []).map((one) => [`${one.kind}\0${one.name}`, one]));
  const present = now.data.map(({ kind, name, uri, token }): Row => {
    const old = before.get(`${kind}\0${name}`);
    before.delete(`${kind}\0${name}`);
    if (token === null) return { kind, name, state: 'changed', detail: `${uri} cannot be checked now` };
    if (old === undefined) return { kind, name, state: 'new', detail: `${uri}, used since its last run` };
    if (old.uri !== uri) return { kind, name, state: 'changed', detail: `${uri} now, ${old.uri} before` };
    if (old.token === token) return { kind, name, state: 'same', detail: uri };
    // The token of a table is its snapshot.
    const what =
      kind === 'table' && old.token !== null
        ? `${uri} has snapshot ${token} now, ${old.token} before`
        : `${uri} changed`;
    return { kind, name, state: 'changed', detail: what };
  });
  const removed = [...before.values()].map(
    ({ kind, name, uri }): Row => ({ kind, name, state: 'gone', detail: `${uri} is no longer used` }),
  );
  return [...present, ...removed];
}

function compareEnv(last: RunFacts | null, now: RunFacts): Row[] {
  const names = [...new Set([...Object.keys(now.env), ...Object.keys(last?.env ?? {})])].sort();
  return names.map((name): Row => {
    const is = Object.hasOwn(now.env, name) ? now.env[name] : undefined;
    const was = last !== null && Object.hasOwn(last.env, name) ? last.env[name] : undefined;
    if (is === undefined) return { kind: 'env', name, state: 'gone', detail: 'no longer set' };
    if (was === undefined)
      return { kind: 'env', name, state: 'new', detail: 'set or read since its last run' };
    return {
      kind: 'env',
      name,
      state: is === was ? 'same' : 'changed',
      detail: is === was ? null : 'value changed',
    };
  });
}

const EXTERNAL_KINDS: ReadonlySet<string> = new Set(['mount', 'fetch', 'dataset', 'table']);

interface Judgement {
  readonly verdict: Explained['verdict'];
  readonly changed: readonly ExplainedInput[];
}

function headlineOf(facts: ExplainFacts, { verdict, changed }: Judgement): string {
  if (facts.failed && facts.stopped) return 'The last run was stopped; the one before it failed.';
  if (facts.failed) {
    return changed.length === 0 || !facts.hasRun
      ? 'The last run failed. Nothing it uses has changed since.'
      : `The last run failed. ${differences(facts, changed)}`;
  }
  switch (verdict) {
    case 'never_run':
      if (facts.status === 'stale' && facts.pending.size > 0) {
        const first = [...facts.pending].map(facts.nameOf);
        return `This cell has not run yet: ${listed(first)} ${first.length === 1 ? 'has' : 'have'} to run first.`;
      }
      return facts.hasStarted
        ? 'This cell has not finished a run yet. Its last run was stopped.'
        : 'This cell has not run yet.';
    case 'fresh':
      return 'Up to date. Nothing it uses has changed since the last run.';
    case 'hit':
      return facts.status === 'ready'
        ? 'The result comes from the cache. The cell ran before with the same code, inputs and environment.'
        : 'The next run takes its result from the cache. The cell ran before with the same code, inputs and environment.';
    case 'miss':
      if (facts.unkept.length > 0) return unkeptMessage(facts);
      return 'Nothing it uses has changed, but its result is no longer stored. Run the cell to create it again.';
    case 'stale':
      return differences(facts, changed);
    default:
      return verdict satisfies never;
  }
}

/** `data` is read by cell 2 now and was not stored when this ran; a run stores it. */
function unkeptMessage({ unkept, nameOf }: ExplainFacts): string {
  const names = listed(unkept.map(({ name }) => `\`${name}\``));
  const readers = listed([...new Set(unkept.flatMap((one) => one.readers))].map(nameOf));
  return unkept.length === 1
    ? `${names} is now read by ${readers}, but the last run did not store it. Run this cell to store it.`
    : `${names} are now read by ${readers}, but the last run did not store them. Run this cell to store them.`;
}

/** `trips ran again and its result changed. The code of this cell is unchanged.` */
function differences(
  { pending, nameOf, packages }: ExplainFacts,
  changed: readonly ExplainedInput[],
): string {
  const code = changed.some(({ kind }) => kind === 'source');
  const sentences: string[] = [];
  const names = (rows: readonly ExplainedInput[]): string[] => [
    ...new Set(rows.map(({ cell_id }) => nameOf(cell_id ?? ''))),
  ];
  const inputs = changed.filter(({ kind }) => kind === 'input');
  const waiting = names(
    inputs.filter(({ cell_id, state }) => state !== 'gone' && pending.has(cell_id ?? '')),
  );
  const moved = names(
    inputs.filter(({ cell_id, state }) => state === 'changed' && !pending.has(cell_id ?? '')),
  );
  const added = inputs.filter(({ cell_id, state }) => state === 'new' && !pending.has(cell_id ?? ''));
  const removed = inputs.filter(({ state }) => state === 'gone');
  if (code) sentences.push('The code of this cell changed.');
  const setup = changed.find(({ kind }) => kind === 'setup');
  if (setup !== undefined) sentences.push(setupMessage(setup));
  if (moved.length === 1) sentences.push(`${moved[0]} ran again and its result changed.`);
  else if (moved.length > 1) sentences.push(`${listed(moved)} ran again and their results changed.`);
  if (waiting.length > 0) {
    sentences.push(
      `${listed(waiting)} ${waiting.length === 1 ? 'is' : 'are'} out of date and ${waiting.length === 1 ? 'runs' : 'run'} first.`,
    );
  }
  if (added.length > 0) sentences.push(`It now reads ${listed(added.map(({ name }) => name))}.`);
  if (removed.length > 0) sentences.push(`It no longer reads ${listed(removed.map(({ name }) => name))}.`);
  const modules = changed.filter(({ kind }) => kind === 'module').map(({ name }) => name);
  if (modules.length > 0)
    sentences.push(`The ${modules.length === 1 ? 'module' : 'modules'} ${listed(modules)} changed.`);
  const isSnapshot = ({ kind, detail }: ExplainedInput) =>
    kind === 'table' && / has snapshot /.test(detail ?? '');
  for (const { name, detail } of changed.filter(isSnapshot))
    sentences.push(`The table ${name} changed: ${detail}.`);
  const outside = changed
    .filter((row) => EXTERNAL_KINDS.has(row.kind) && !isSnapshot(row))
    .map(({ name }) => name);
  if (outside.length > 0) sentences.push(`The data behind ${listed(outside)} has changed.`);
  for (const { kind, name, detail } of changed) {
    if (kind === 'file' && detail?.startsWith(WRITTEN_BY)) {
      sentences.push(`The file ${name} is ${detail}, which is out of date. Run that cell first.`);
    } else if (kind === 'file') sentences.push(`The file ${name} changed since the last run read it.`);
    else if (kind === 'folder')
      sentences.push(`The content of the folder ${name} changed since the last run.`);
    else if (kind === 'written')
      sentences.push(`The file ${name}, which the last run wrote, was changed or deleted.`);
  }
  if (changed.some(({ kind }) => kind === 'environment')) {
    const list = packages === null || packages.length === 0 ? null : listed(packages);
    sentences.push(
      list === null ? 'The packages of the environment changed.' : `It uses packages that changed: ${list}.`,
    );
  }
  const env = changed.filter(({ kind }) => kind === 'env').map(({ name }) => name);
  if (env.length > 0)
    sentences.push(`${env.length === 1 ? 'The variable' : 'The variables'} ${listed(env)} changed.`);
  if (changed.some(({ kind }) => kind === 'worker')) sentences.push('It now runs on another worker.');
  if (!code) sentences.push('The code of this cell is unchanged.');
  return sentences.join(' ');
}

function setupMessage({ name, state }: ExplainedInput): string {
  if (state === 'gone') return `The setup cell ${name} no longer runs before this cell.`;
  return state === 'new'
    ? `The setup cell ${name} now runs before this cell.`
    : `The setup cell ${name} changed.`;
}

/** `a`, `a and b`, `a, b and 3 others`. */
function listed(names: readonly string[]): string {
  const [first = '', second, ...rest] = names;
  if (second === undefined) return first;
  if (rest.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${rest.length} ${rest.length === 1 ? 'other' : 'others'}`;
}
