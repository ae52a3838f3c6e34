import { describe, expect, it } from 'vitest';
import { warningFix } from './warningFixes.ts';

const keepWarning = { var_name: 'm', message: '', suggestion: null, fix: 'keep' } as const;
const setup = { ...keepWarning, var_name: 'random.seed()', fix: 'setup' } as const;

describe('[SO-155] the fix of a change that other cells do not see', () => {
  it.each([
    ['in front of the code', keepWarning, 'm.fit(X)', 'm = m\nm.fit(X)'],
    [
      'after annotations and comments',
      keepWarning,
      '# @name fit\n# about\n\nm.fit(X)\n',
      '# @name fit\n# about\n\nm = m\nm.fit(X)\n',
    ],
    [
      'after future imports',
      keepWarning,
      'from __future__ import annotations\nm.fit(X)',
      'from __future__ import annotations\nm = m\nm.fit(X)',
    ],
    ['with the line breaks of the text', keepWarning, '# a\r\nm.fit(X)\r\n', '# a\r\nm = m\r\nm.fit(X)\r\n'],
    ['not twice', keepWarning, 'm.fit(X)\nm = m\n', null],
    [
      'although another name ends with the same letters',
      keepWarning,
      'am = m\nm.fit(X)',
      'm = m\nam = m\nm.fit(X)',
    ],
    ['a setup cell', setup, 'import random\nrandom.seed(1)', '# @setup\nimport random\nrandom.seed(1)'],
    [
      'a set-up cell with a name',
      setup,
      '# @name start\nrandom.seed(1)',
      '# @name start\n# @setup\nrandom.seed(1)',
    ],
    [
      'The notebook already has a setup cell, so this is a normal cell. Move its lines into the setup cell, or remove the @setup line.',
      setup,
      '# @setup\nrandom.seed(1)',
      null,
    ],
    ['no fix', { var_name: 'x', message: '', suggestion: null }, 'del x', null],
  ])('%s', (_name, warning, source, expected) => {
    expect(warningFix(source, warning)?.source ?? null).toBe(expected);
  });
});
