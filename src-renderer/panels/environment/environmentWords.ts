import type { Environment } from '../../../src-shared/wire/environment.ts';
import { WORDS } from '../../words/strings.ts';

/** A short text for the state of the notebook's Python environment, such as in the status bar. */
export function environmentWords(environment: Environment, running: boolean): string {
  if (running || environment.sync_state === 'pending') return WORDS.environmentPending;
  switch (environment.sync_state) {
    case 'ready':
      return WORDS.environmentReady(environment.python_version, environment.package_count);
    case 'fallback':
      return WORDS.environmentFallback;
    case 'failed':
      return environment.interpreter_source === 'path' ? WORDS.environmentFallback : WORDS.environmentFailed;
    case 'unknown':
      return WORDS.environmentUnknown;
  }
}
