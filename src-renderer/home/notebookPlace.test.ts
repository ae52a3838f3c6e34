import { expect, test } from 'vitest';
import { lastPart, matches, type NotebookPlace, placesOf } from './notebookPlace.ts';

const recent = (path: string, pinned = false, openedAtMs = 5) => ({
  path,
  name: path.slice(1),
  openedAtMs,
  pinned,
});
const session = (path: string) => ({
  session_id: `s${path}`,
  path,
  name: path.slice(1),
  notebook_id: 'n',
  created_at: null,
  updated_at: null,
});
const discovered = (path: string, name: string | null = null) => ({
  path,
  name,
  notebook_id: null,
  updated_at: null,
});
const NONE = { sessions: [], recents: [], valid: null, found: [] };

const brief = ({ path, kind, missing, pinned }: NotebookPlace): string =>
  [kind, path, missing ? 'missing' : '', pinned ? 'pinned' : ''].filter((part) => part !== '').join(' ');

test.each([
  ['nothing', NONE, []],
  [
    'a notebook is in one list only',
    {
      ...NONE,
      sessions: [session('/a')],
      recents: [recent('/a'), recent('/b')],
      found: [discovered('/b'), discovered('/c')],
    },
    ['session /a', 'recent /b', 'found /c'],
  ],
  [
    'open notebooks begin with the one used last; those opened elsewhere follow, the newest first',
    {
      ...NONE,
      sessions: [session('/a'), session('/b'), session('/c'), session('/d')],
      recents: [recent('/b', false, 7), recent('/c', false, 9)],
    },
    ['session /c', 'session /b', 'session /d', 'session /a'],
  ],
  ['before the server has answered, nothing is missing', { ...NONE, recents: [recent('/b')] }, ['recent /b']],
  [
    'missing notebooks are marked',
    { ...NONE, recents: [recent('/b', true), recent('/c')], valid: new Set(['/c']) },
    ['recent /b missing pinned', 'recent /c'],
  ],
])('lists of the first page: %s', (_what, facts, expected) => {
  const { sessions, recents, found: others } = placesOf(facts);
  expect([...sessions, ...recents, ...others].map(brief)).toEqual(expected);
});

test.each([
  ['/home/me/trips', 'trips'],
  ['C:\\Users\\me\\trips\\', 'trips'],
  ['/', '/'],
])('the folder of %s is called %s', (path, name) => {
  expect(lastPart(path)).toBe(name);
});

test.each([
  ['bike', true],
  ['ME bike', true],
  ['', true],
  ['bike paris', false],
])('searching for “%s” finds it: %s', (text, is) => {
  const [place] = placesOf({ ...NONE, recents: [{ ...recent('/home/me/x'), name: 'Bike trips' }] }).recents;
  expect(place !== undefined && matches(place, text)).toBe(is);
});
