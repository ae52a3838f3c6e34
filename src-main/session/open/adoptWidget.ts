/** Accepts, from a snapshot that another program wrote, the stored values of a widget cell. */

import type { Promotion } from '../../artifacts/artifact.ts';
import { readPlainFile } from '../../lib/plainFile.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';
import { BASIS_PARAM } from '../../run/observed/answers.ts';
import { newestVersion } from '../keys/expected.ts';
import { consumedOf } from '../keys/stored.ts';
import { keyedControls } from '../keys/widgets.ts';
import { withRows } from '../reduce/outcome.ts';
import type { CellState } from '../state/state.ts';
import type { Adoption } from './adoption.ts';
import { recordUnder } from './adoptResult.ts';

/** A control's value is a few characters. */
const MAX_BYTES = 1024 * 1024;

/** Adopts a widget cell whose stored values are the current values of its controls. */
export async function adoptWidget({
  state,
  store,
  cell,
  expected,
  theirs,
}: Adoption): Promise<CellState | null> {
  const run = `snapshot-${theirs.slice(0, 16)}`;
  const promotions: Promotion[] = [];
  for (const { name, text, key } of keyedControls(cell)) {
    if (!consumedOf(state, cell.id).includes(name)) continue;
    const row = newestVersion(cell, name);
    const readable = row === null ? null : await store.readable(row);
    if (row === null || readable?.kind !== 'ok') return null;
    const bytes = await readPlainFile(readable.path, { maxBytes: MAX_BYTES });
    if (JSON.stringify(tryParseJson(bytes.toString('utf8'))) !== JSON.stringify(tryParseJson(text)))
      return null;
    const params = { ...row.params, run, [BASIS_PARAM]: expected.basis };
    promotions.push({ id: row.id, fromVersion: row.version, provenanceHash: key, contentKey: null, params });
  }
  const rows = promotions.length === 0 ? [] : store.promote(promotions);
  return { ...cell, artifacts: withRows(state, cell, rows), record: recordUnder(expected) };
}
