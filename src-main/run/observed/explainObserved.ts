/** Explains, for a cell's status, which files and folders that its last run used have changed since. */

import { NOT_FOUND } from '../../../src-shared/notebook/observedMount.ts';
import type { ExplainedInput } from '../../../src-shared/wire/routes/extensions.ts';
import { NOTHING_SEEN, type Observation } from './observation.ts';
import { brokenFact, type CurrentState } from './pathState.ts';

/** One observed fact of a run, for `explain`. */
export type ObservedRow = Pick<ExplainedInput, 'kind' | 'name' | 'state' | 'detail'>;

/** The first words of an explanation's detail about a file that a stale cell writes. */
export const WRITTEN_BY = 'written by ';

/** Further rows are counted, not listed. */
const MAX_ROWS = 100;

/**
 * The files and folders that the last run read, listed and wrote, each compared with its current state. Pure.
 */
export function observedRows(
  observation: Observation,
  now: CurrentState,
  /** The writers that must run again: display name by path of the file. */
  outdated: ReadonlyMap<string, string> = new Map(),
): readonly ObservedRow[] {
  const { reads, absent, listed, wrote, env, wholeEnv, open } = observation;
  const row = (
    kind: ObservedRow['kind'],
    name: string,
    fact: Partial<Observation>,
    detail: string,
  ): ObservedRow => {
    const isBroken = brokenFact({ ...NOTHING_SEEN, ...fact }, now) !== null;
    return { kind, name, state: isBroken ? 'changed' : 'same', detail };
  };
  const rows = [
    ...reads.map((fact): ObservedRow => {
      const writer = outdated.get(fact.path);
      const readRow = row('file', fact.path, { reads: [fact] }, 'read; not a mount');
      return writer === undefined
        ? readRow
        : { ...readRow, state: 'changed', detail: `${WRITTEN_BY}${writer}` };
    }),
    ...absent.map((path) => row('file', path, { absent: [path] }, NOT_FOUND)),
    ...listed.map((fact) => row('folder', fact.path, { listed: [fact] }, 'listed')),
    ...wrote.map((fact) =>
      row('written', fact.path, { wrote: [fact] }, 'gone' in fact ? 'deleted' : 'written'),
    ),
    ...Object.entries(env)
      .filter(([, digest]) => digest !== null)
      .map(([name, digest]) => row('env', name, { env: { [name]: digest } }, 'read with a computed name')),
    ...(wholeEnv === null
      ? []
      : [row('env', 'all variables', { wholeEnv }, 'the run read the whole environment')]),
  ];
  const unseen = open.map(
    (reason): ObservedRow => ({
      kind: 'unseen',
      name: reason,
      state: 'same',
      detail: whyUnseen(reason),
    }),
  );
  if (rows.length <= MAX_ROWS) return [...rows, ...unseen];
  const more = `${rows.length - MAX_ROWS} more files`;
  return [...rows.slice(0, MAX_ROWS), { kind: 'file', name: more, state: 'same', detail: null }, ...unseen];
}

function whyUnseen(reason: string): string {
  const [kind, name = ''] = reason.split(':', 2);
  switch (kind) {
    case 'network':
      return 'It used the network, so its data may change without notice.';
    case 'process':
      return 'It started another process. Files used by that process are not observed.';
    case 'native':
      return `${name} opens files directly. Files outside this notebook are not observed.`;
    case 'too_many':
      return 'It used too many files to record them all.';
    case 'loop':
      return 'Only the last iteration was observed.';
    case 'elsewhere':
      return 'It used files on the worker it ran on.';
    default:
      return 'Some of its file access could not be observed.';
  }
}
