import { AppError } from '../../src-shared/wire/errors.ts';
import type { SessionState } from './state.ts';

/** Said by the banner and by every refusal alike. */
export const UNTRUSTED =
  'Nothing runs in this folder until you trust it. You can read and edit; what its cells and packages do, they would do in your name.';

/** Why nothing may run here, or null. Whatever acts in the person's name asks this first. */
export function whyUntrusted(state: SessionState): AppError | null {
  return state.trusted ? null : new AppError('NOTEBOOK_UNTRUSTED', UNTRUSTED);
}
