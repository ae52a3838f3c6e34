/** Makes a random id for a new cell: eight lowercase letters and digits. */

import { randomInt } from 'node:crypto';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';

const ID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function newCellId(): CellId {
  return cellId(Array.from({ length: 8 }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join(''));
}
