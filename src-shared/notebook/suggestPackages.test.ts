import { expect, it } from 'vitest';
import { KNOWN_PACKAGES } from './knownPackages.ts';
import { normalizedName, readRequirement } from './requirement.ts';
import { suggestPackages } from './suggestPackages.ts';

const NONE = { notebook: [], cache: [] };

it.each([
  ['sklearn', 'scikit-learn', 'sklearn', 'list'],
  ['PIL', 'pillow', 'PIL', 'list'],
  ['cv2', 'opencv-python', 'cv2', 'list'],
  ['yaml', 'pyyaml', 'yaml', 'list'],
  ['panda', 'pandas', null, 'list'],
  ['Scikit_Le', 'scikit-learn', null, 'list'],
  ['pywt', 'pywavelets', 'pywt', 'list'],
  ['own-thi', 'own-thing', null, 'notebook'],
  ['seen', 'seen-before', null, 'cache'],
  ['numpy', 'numpy', null, 'notebook'],
])('[EN-75] %s suggests %s first', (typed, name, imported, source) => {
  const knownNames = { notebook: ['own_thing', 'numpy'], cache: ['seen-before', 'numpy'] };
  expect(suggestPackages(typed, knownNames)[0]).toEqual({ name, imported, source });
});

it('[EN-75] names that begin with the text come before names that contain it, at most eight', () => {
  const names = suggestPackages('torch', NONE).map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['torch', 'torchaudio']);
  expect(names.at(-1)).toBe('pytorch-lightning');
  expect(suggestPackages('p', NONE)).toHaveLength(8);
  expect(suggestPackages('nothing-is-called-so', NONE)).toEqual([]);
  expect(suggestPackages(' ', NONE)).toEqual([]);
});

it('[EN-75] every listed name is the normal form of a package name, once', () => {
  const names = KNOWN_PACKAGES.map(({ name }) => name);
  expect(
    names.filter((name) => readRequirement(name)?.name !== name || normalizedName(name) !== name),
  ).toEqual([]);
  expect(names).toHaveLength(new Set(names).size);
});
