/** Wraps an executor so that cells that may use the `svc` client get its credential. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ExecRequest, Executor } from '../../exec/executor.ts';
import type { SessionClient } from './cellClients.ts';

/**
 * Wraps the executor of this machine so that cells have the client `svc`. Only cells that may use it get its
 * credential; cells on workers never do.
 */
export function withClient(
  executor: Pick<Executor, 'run'>,
  client: Pick<SessionClient, 'access'>,
): Pick<Executor, 'run'> {
  return {
    run: (request, options) =>
      executor.run(mayUseClient(request) ? { ...request, client: client.access() } : request, options),
  };
}

/** Wraps the executor of consoles, which always get the credential, because a user may type anything there. */
export function consolesWithClient(
  executor: Executor,
  client: Pick<SessionClient, 'access'>,
): Pick<Executor, 'inspect'> {
  return { inspect: (request) => executor.inspect({ ...request, client: client.access() }) };
}

const NAME = /\bsvc\b/;

/** Whether the code of a run, or code that comes with its inputs, may read the name `svc`. */
function mayUseClient({ language, source, setup, tests, inputs }: ExecRequest): boolean {
  if (!LANGUAGES[language].hasClient) return false;
  if ([source, setup?.source ?? '', tests?.source ?? ''].some((text) => NAME.test(text))) return true;
  return Object.values(inputs).some((input) =>
    'variants' in input ? Object.values(input.variants).some(mayHoldCode) : mayHoldCode(input),
  );
}

function mayHoldCode({ content_type: type }: { readonly content_type: string }): boolean {
  return type.startsWith('module/') || type.startsWith('pickle/');
}
