import { expect, it } from 'vitest';
import { fitsRequest, specifierOf } from './pythonRequest.ts';

it.each<[string, string | null]>([
  ['', ''],
  ['  ', ''],
  ['3', '==3.*'],
  ['3.13', '==3.13.*'],
  ['3.13.1', '==3.13.1'],
  ['cpython-3.12', '==3.12.*'],
  ['cpython@3.12.4', '==3.12.4'],
  ['python3.11', '==3.11.*'],
  ['>=3.11,<3.13', '>=3.11,<3.13'],
  ['>= 3.11, < 3.13', '>= 3.11, < 3.13'],
  ['==3.12.*', '==3.12.*'],
  ['3.13t', null],
  ['pypy3.10', null],
  ['/usr/bin/python3', null],
  ['cpython-3.13.1-linux-x86_64-gnu', null],
  ['3.13, 3.12', null],
])('[RW-40] the request %j as a specifier: %j', (request, specifier) => {
  expect(specifierOf(request)).toBe(specifier);
});

it.each<[string, string, boolean]>([
  ['3.13.0', '', true],
  ['3.13.0', '3.13', true],
  ['3.1.3', '3.13', false],
  ['3.13.0', '3.1', false],
  ['3.13.0', '3.13.1', false],
  ['3.11.7', '>=3.11,<3.13', true],
  ['3.11.7', 'pypy3.11', false],
])('[RW-40] Python %s for %j: %s', (version, request, fits) => {
  expect(fitsRequest(version, request)).toBe(fits);
});
