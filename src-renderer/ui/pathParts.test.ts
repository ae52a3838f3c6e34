import { expect, test } from 'vitest';
import { pathParts } from './pathParts.ts';

test.each<[path: string, start: string, end: string]>([
  ['', '', ''],
  ['python3', '', 'python3'],
  ['/usr/bin/python3', '', '/usr/bin/python3'],
  ['/home/ada/sales/.venv/bin/python', '/home/ada/sales', '/.venv/bin/python'],
  ['C:\\Users\\Ada\\sales\\.venv\\python.exe', 'C:\\Users\\Ada\\sales', '\\.venv\\python.exe'],
  [`/a/${'b'.repeat(40)}`, '/a', `/${'b'.repeat(40)}`],
])('[WI-409] the end of %j is always shown', (path, start, end) => {
  expect(pathParts(path)).toEqual({ start, end });
});
