import { expect, test } from 'vitest';
import { HOME_WORDS } from '../words/home.ts';
import { folderIn, nameProblem } from './newNotebook.ts';

test.each([
  ['Bike trips', null],
  ['  ', HOME_WORDS.nameEmpty],
  ['Vélos 🚲', null],
  ['a/b', HOME_WORDS.nameBad],
  ['a\\b', HOME_WORDS.nameBad],
  ['..', HOME_WORDS.nameBad],
  ['a..b', HOME_WORDS.nameBad],
  ['.', HOME_WORDS.nameBad],
  ['a\u0000b', HOME_WORDS.nameBad],
  ['<b>bold</b>', HOME_WORDS.nameBad],
  ['<b>', null],
])('the name %j: %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

test.each([
  ['/home/me', 'trips', '/home/me/trips'],
  ['/', 'trips', '/trips'],
  ['C:\\Users\\ada', 'trips', 'C:\\Users\\ada\\trips'],
])('in %s a notebook %s is %s', (parent, name, path) => {
  expect(folderIn(parent, name)).toBe(path);
});
