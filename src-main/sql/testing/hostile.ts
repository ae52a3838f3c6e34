/** Hostile texts and values for tests that SQL drivers cannot be injected. */

import { rowsOfRun } from '../../../e2e/support/longRun.ts';
import type { BindValue } from '../bindValue.ts';

/** Texts that would do harm as part of a statement. */
export const HOSTILE: readonly string[] = [
  `'; DROP TABLE people; --`,
  `' OR '1'='1`,
  `\\'; DROP TABLE people; --`,
  `"; DROP TABLE people; --`,
  '$$; DROP TABLE people; $$',
  '*/ DROP TABLE people; /*',
  ':name ? $1 %s {0}',
  '\u2019; DROP TABLE people; --',
  'line\r\nbreak\t"quoted" \\ back',
  '🐘 ',
];

/** A hostile value of every kind that is sent as text or bytes; a normal run has every text, and two of them as each kind. */
export function hostileBinds(): readonly BindValue[] {
  const kinds = ['text', 'decimal', 'uuid', 'timestamp', 'date', 'time'] as const;
  const rows = HOSTILE.flatMap((value, index) =>
    [...kinds.map((type) => ({ type, value })), { type: 'bytes', value: Buffer.from(value) } as const].map(
      (bind) => ({ bind, index }),
    ),
  );
  return rowsOfRun(rows, ({ bind, index }) => bind.type === 'text' || index < 2).map(({ bind }) => bind);
}
