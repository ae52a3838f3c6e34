import { describe, expect, it } from 'vitest';
import type { HarnessResult, Observed } from '../../../src-shared/wire/harness.ts';
import type { Distribution, InstalledPackages } from '../../environment/venv/installedPackages.ts';
import { plainPython, plainR } from '../testing/testStep.ts';
import { mayAnswer } from './answers.ts';
import { NOTHING_SEEN, OBSERVED_PARAM } from './observation.ts';
import { changedPackages, packageFactIn, packageParams, UNLOCKED_PARAM } from './packages.ts';

function installed(all: Readonly<Record<string, Partial<Distribution>>>): InstalledPackages {
  const whole = ([name, one]: [string, Partial<Distribution>]) =>
    [name, { print: '1', tops: [name], requires: [], everywhere: false, ...one }] as const;
  return { base: '', distributions: new Map(Object.entries(all).map(whole)) };
}

const THEN = { numpy: {}, pandas: { requires: ['numpy'] }, plots: {} };

/** The packages installed then and now, those a run reached, and the ones that changed for it. */
const CHANGES: readonly (readonly [
  string,
  { readonly names: readonly string[]; readonly now: Readonly<Record<string, Partial<Distribution>>> },
  readonly string[],
])[] = [
  ['the same', { names: ['pandas'], now: THEN }, []],
  [
    'a package it did not use was removed',
    { names: ['pandas'], now: { numpy: {}, pandas: THEN.pandas } },
    [],
  ],
  ['one that it did not reach is new', { names: ['pandas'], now: { ...THEN, rich: {} } }, []],
  [
    'one that it looked for is new',
    { names: ['pandas', 'numexpr'], now: { ...THEN, numexpr: {} } },
    ['numexpr'],
  ],
  [
    'one that it looked for is new under another name',
    { names: ['pandas', 'cv2'], now: { ...THEN, 'opencv-python': { tops: ['cv2'] } } },
    ['opencv-python'],
  ],
  [
    'a reached package has another version',
    { names: ['plots'], now: { ...THEN, plots: { print: '2' } } },
    ['plots'],
  ],
  ['a reached package was removed', { names: ['plots'], now: { numpy: {} } }, ['plots']],
  [
    'a requirement has another version',
    { names: ['pandas'], now: { ...THEN, numpy: { print: '2' } } },
    ['numpy'],
  ],
  [
    'a reached package has another requirement',
    { names: ['plots'], now: { ...THEN, plots: { requires: ['numpy'] } } },
    ['numpy'],
  ],
  [
    'one that shares its name is new',
    { names: ['plots'], now: { ...THEN, 'plots-extra': { tops: ['plots'] } } },
    ['plots-extra'],
  ],
  [
    'one that every process reads is new',
    { names: [], now: { ...THEN, hooks: { everywhere: true } } },
    ['hooks'],
  ],
];

const SEEN: Observed = {
  reads: [],
  absent: [],
  listed: [],
  wrote: [],
  env: [],
  env_all: false,
  open: [],
  unsteady: false,
  packages: { names: ['numpy'], whole: false },
};
const request = plainPython({
  source: '',
  unlockedKey: 'u',
  packages: { fixed: 'f', installed: installed(THEN) },
});
const loop = { carry: 'x', maxIter: 2, untilExpr: null, start: null, iterationHash: '' };

function result(observed: Observed): HarnessResult {
  return { success: true, variables: {}, displays: [], mutation_warnings: [], build_env: '', observed };
}

describe('the packages a run reached', () => {
  it.each(CHANGES)('[SO-301] %s', (_what, { names, now }, changed) => {
    const observed = { ...SEEN, packages: { names: [...names], whole: false } };
    const fact = packageFactIn({ params: packageParams(request, result(observed)) });
    if (fact === null) throw new Error('no fact');
    expect(changedPackages(fact, { fixed: 'f', installed: installed(now) })).toEqual(changed);
  });

  it.each<[string, Partial<Observed>, Parameters<typeof packageParams>[0]]>([
    ['it depends on every installed package', { packages: { names: [], whole: true } }, request],
    ['its harness does not report its packages', { packages: undefined }, request],
    ['it started a process', { open: ['process'] }, request],
    ['it could not be observed', { open: ['unclear'] }, request],
    ['it is a loop', {}, { ...request, shape: 'loop', loop }],
    ['it is not Python', {}, plainR({ source: '' })],
    ['the installed packages are unknown', {}, { ...request, packages: null }],
    ['its inputs do not say which runs made them', {}, { ...request, unlockedKey: null }],
  ])('[SO-301] the whole lock counts if %s', (_why, seen, asked) => {
    expect(packageParams(asked, result({ ...SEEN, ...seen }))).toEqual({});
  });

  it.each<[string, Record<string, string | undefined>, boolean]>([
    ['its facts hold', {}, true],
    ['another value was read', { basis: 'other' }, false],
    ['nothing was seen of the run', { [OBSERVED_PARAM]: undefined }, false],
    [
      'a file it looked for exists now',
      { [OBSERVED_PARAM]: JSON.stringify({ ...NOTHING_SEEN, absent: ['a'] }) },
      false,
    ],
    ['nothing is known of its packages', { packages: undefined }, false],
  ])('[SO-301] answers with other packages installed if %s: %o', (_what, params, answers) => {
    const all: Record<string, string | undefined> = {
      basis: 'b',
      [OBSERVED_PARAM]: JSON.stringify({ ...NOTHING_SEEN, unsteady: true }),
      ...packageParams(request, result(SEEN)),
      ...params,
    };
    const entries = Object.entries(all).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    );
    const row = { params: Object.fromEntries(entries) } as Parameters<typeof mayAnswer>[0];
    expect(all[UNLOCKED_PARAM]).toBe('u');
    const files = new Map([['a', { kind: 'folder', sha256: null } as const]]);
    const now = {
      files,
      env: {},
      others: [],
      packages: { fixed: 'f', installed: installed({ ...THEN, rich: {} }) },
    };
    expect(mayAnswer(row, 'packages', { language: 'python', basis: 'b', now })).toBe(answers);
  });
});
