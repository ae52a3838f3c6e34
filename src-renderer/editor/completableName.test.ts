import { expect, it } from 'vitest';
import { completableNameAt } from './completableName.ts';

/**
 * `|` is the caret. The expected source has NAME where an accepted completion is inserted; null: none is
 * offered.
 */
it.each<[string, string, string | null]>([
  ['python', 'x = tri|', 'x = NAME'],
  ['python', '|', 'NAME'],
  ['python', 'print(|)', 'print(NAME)'],
  ['python', 'trips.| ', null],
  ['python', 'trips.he|', null],
  ['python', 'f(größ|)', 'f(NAME)'],
  ['r', 'my.tri|', 'NAME'],
  ['r', 'trips$k|', null],
  ['r', 'x@s|', null],
  ['r', 'stats::me|', null],
  ['r', 'sum(|)', 'sum(NAME)'],
  ['cellar-sql', 'SELECT 1 WHERE id > :|', 'SELECT 1 WHERE id > :NAME'],
  ['cellar-sql-bigquery', 'WHERE id > :li|', 'WHERE id > :NAME'],
  ['cellar-sql', 'SELECT id::in|', null],
  ['cellar-sql', 'SELECT col:fie|', null],
  ['cellar-sql', 'SELECT tri|', null],
  ['cellar-prompt', 'Say {{|', 'Say {{ NAME }}'],
  ['cellar-prompt', 'Say {{|}}', 'Say {{ NAME }}'],
  ['cellar-prompt', 'Say {{ |', 'Say {{ NAME }}'],
  ['cellar-prompt', 'Say {{ tri| }} now', 'Say {{ NAME }} now'],
  ['cellar-prompt', 'Say {{|tri}}', 'Say {{ NAME tri}}'],
  ['cellar-prompt', 'Say {{ tri|p }}', 'Say {{ NAMEp }}'],
  ['cellar-prompt', 'Say {{ trips.|', null],
  ['cellar-prompt', 'Say tri|', null],
  ['cellar-prompt', 'Say {{ a }} tri|', null],
  ['markdown', 'tri|', null],
  ['cellar-widget', 'a = sl|', null],
])('[ED-61] %s: %s', (language, text, wanted) => {
  const [before = '', rest = ''] = text.split('|');
  const word = completableNameAt(language, before, rest);
  const completed =
    word === null
      ? null
      : `${before.slice(0, before.length - word.typed)}${word.before}NAME${word.after}${rest}`;
  expect(completed).toBe(wanted);
});
