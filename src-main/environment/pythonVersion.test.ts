import { describe, expect, it } from 'vitest';
import { fitsSpecifier, requestedMinor } from './pythonVersion.ts';

describe('requires-python', () => {
  const fits: readonly (readonly [version: string, specifier: string, fits: boolean])[] = [
    ['3.12.1', '==3.12.*', true],
    ['3.11.9', '==3.12.*', false],
    ['3.9.0', '>=3.10', false],
    ['3.10.0', '>=3.10', true],
    ['3.12.4', '>=3.10,<3.13', true],
    ['3.13.0', '>=3.10, <3.13', false],
    ['3.12.0', '~=3.10', true],
    ['3.12.3', '~=3.12.1', true],
    ['3.13.0', '~=3.12.1', false],
    ['3.12.1', '!=3.12.*', false],
    ['3.12.1', '==3.12.1', true],
    ['3.12.2', '==3.12.1', false],
    ['3.12.0', '==3.12', true],
    ['3.12.0', '===3.12', false],
    ['3.12.0', '===3.12.0', true],
    ['3.12.1', '>3.12', true],
    ['3.12.1', '', true],
    ['3.12.1', 'anything', false],
  ];
  it.each(fits)('%s against `%s`: %s', (version, specifier, expected) => {
    expect(fitsSpecifier(version, specifier)).toBe(expected);
  });

  const specifiers: readonly (readonly [specifier: string, minor: string])[] = [
    ['==3.12.*', '3.12'],
    ['==3.12.4', '3.12'],
    ['~=3.12.0', '3.12'],
    ['>=3.10', ''],
    ['', ''],
  ];
  it.each(specifiers)('`%s` requests `%s`', (specifier, minor) => {
    expect(requestedMinor(specifier)).toBe(minor);
  });
});
