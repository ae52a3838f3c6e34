import { expect, test } from 'vitest';
import { withName } from './nameDirective.ts';

test.each<[string, string, string, string]>([
  ['at the top', 'x = 1', 'load', '# @name load\nx = 1'],
  ['into an empty text', '', 'load', '# @name load\n'],
  ['in its place', '# @worker w\n# @name old\nx', 'new', '# @worker w\n# @name new\nx'],
  ['once', '# @name a\n# note\n# @name b\nx', 'c', '# @name c\n# note\nx'],
  ['after the last directive', '# @worker w\n# note\nx', 'n', '# @worker w\n# @name n\n# note\nx'],
  ['removed', '# @name a\nx', ' ', 'x'],
  ['no name to remove', 'x', '', 'x'],
  ['with its line breaks', '# @name a\r\nx\r\n', 'b', '# @name b\r\nx\r\n'],
  ['on one line', 'x', 'a\n b', '# @name a b\nx'],
  ['only in the leading block', 'x\n# @name a', 'b', '# @name b\nx\n# @name a'],
])('a name in the annotations: %s', (_name, source, name, expected) => {
  expect(withName(source, name)).toBe(expected);
});
