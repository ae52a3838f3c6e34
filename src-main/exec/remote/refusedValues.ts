/** Refuses results of a worker that would run code here when they are loaded, unless the worker may send them. */

import type { HarnessResult } from '../../../src-shared/wire/harness.ts';
import { refusesPickles } from '../../notebook/workers.ts';
import type { RemoteRequest } from './call/remoteRequest.ts';

/** Content types of results that run code when they are loaded, and their names for users. */
const LOADED_AS_CODE: ReadonlyMap<string, string> = new Map([
  ['pickle/object', 'a pickle'],
  ['module/cell-instance', 'an object, which is a pickle'],
  ['module/cell', 'a function or class, which is source code'],
  ['application/x-r-rds', 'an R object'],
]);

/** The message for a result that this worker may not send, with the name of the value; null when it is accepted. */
export function whyValueRefused(worker: RemoteRequest['worker'], result: HarnessResult): string | null {
  if (!refusesPickles(worker)) return null;
  for (const [name, value] of Object.entries(result.variables)) {
    const kind = LOADED_AS_CODE.get(value.content_type ?? '');
    if (kind === undefined) continue;
    const type = 'type' in value && value.type !== undefined ? ` (${value.type})` : '';
    return (
      `Worker '${worker.name}' returned \`${name}\`${type} as ${kind}. Loading it would run the worker's code on this machine, ` +
      'and this worker may send only data. Return tables, arrays, numbers or text, or accept ' +
      'pickles from this worker (Workers, in the Environment panel).'
    );
  }
  return null;
}
