/** Makes the notice about cells whose stored results an older version of Cellar may have computed wrongly. */

import { needsRecheck } from '../../artifacts/recheck.ts';
import { nameOf } from '../keys/statuses.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** Further names are only counted. */
const MAX_NAMES = 3;

/**
 * A notice about cells with results of an older version that may be wrong; null if there are none. It
 * disappears once they have run.
 */
export function recheckNotice({ cells }: Pick<SessionState, 'cells'>): string | null {
  const names = [...cells.values()].filter(isDoubtful).map((cell) => `“${nameOf(cell)}”`);
  if (names.length === 0) return null;
  const first = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length - MAX_NAMES;
  const which = more <= 0 ? first : `${first} and ${more} more`;
  return (
    'An older version of Cellar could reuse a result after a file or setting it depends on had changed. ' +
    `These cells may show such a result: ${which}. Run them once. Until then, these results are not reused.`
  );
}

const doubtful = new WeakMap<CellState['artifacts'], boolean>();

function isDoubtful({ artifacts }: CellState): boolean {
  let cached = doubtful.get(artifacts);
  if (cached === undefined) {
    cached = Object.values(artifacts).some(([newest]) => newest !== undefined && needsRecheck(newest));
    doubtful.set(artifacts, cached);
  }
  return cached;
}
