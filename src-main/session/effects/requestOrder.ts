/** Lets requests into a session in their order of arrival, each after what it needs, such as the names of an R cell. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { PrepareAnalysis, SessionFact } from '../state/events.ts';
import type { SessionRequest } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';

/** Lets requests into the mailbox in the order they came, although one may have to wait first. */
interface RequestOrder {
  /**
   * Calls `go` once `wait` has settled and every earlier request has passed; at once if nothing waits. @param
   * wait must not reject; `now` overtakes all waiting requests
   */
  enter(wait: Promise<void> | null | 'now', go: () => void): void;
}

/** Creates the order of one session's requests. */
export function createRequestOrder(): RequestOrder {
  let last: Promise<void> | null = null;
  return {
    enter(wait, go) {
      if (wait === 'now' || (wait === null && last === null)) {
        go();
        return;
      }
      const before = last ?? Promise.resolve();
      const mine = before
        .then(() => wait)
        .then(() => {
          if (last === mine) last = null;
          go();
        });
      last = mine;
    },
  };
}

/** What a request waits for before it enters: an edit until its names are read; a stop never waits. */
export function entryWait(
  request: SessionRequest,
  { cells }: Pick<SessionState, 'cells'>,
  learn: PrepareAnalysis,
): Promise<void> | null | 'now' {
  if (request.type === 'cancel_cell') return 'now';
  if (request.type !== 'edit_source') return null;
  const language = cells.get(request.cellId)?.language;
  if (language === undefined || !LANGUAGES[language].namesFromProgram) return null;
  return learn([{ language, source: request.source }]);
}

/**
 * Set if the R that reads this notebook's cells has reported its version or is another one; null: no change.
 */
export function rVersionChange(
  { cells, rVersion, closing }: Pick<SessionState, 'cells' | 'rVersion' | 'closing'>,
  version: string | null,
): SessionFact | null {
  if (version === rVersion || closing) return null;
  const isNeeded = [...cells.values()].some(({ language }) => LANGUAGES[language].packages === 'r');
  return isNeeded ? { type: 'r_version_read', version } : null;
}
