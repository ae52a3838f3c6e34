import { expect, test } from 'vitest';
import { PACKAGE_OF } from './importNames.ts';
import { readRequirement } from './requirement.ts';
import { packageToInstall, suggestInstall } from './suggestInstall.ts';

const missing = (module: string): string =>
  `Traceback (most recent call last):\nModuleNotFoundError: No module named '${module}'`;
const python = (name: string) => ({ language: 'python', name }) as const;

/** An error → the suggestion on the wire, and that of a window. */
const ERRORS: readonly [string, string | null, ReturnType<typeof packageToInstall>][] = [
  [missing('pandas'), 'pandas', python('pandas')],
  [missing('sklearn.linear_model'), 'scikit-learn', python('scikit-learn')],
  [missing('yaml'), 'pyyaml', python('pyyaml')],
  [missing('cv2'), 'opencv-python', python('opencv-python')],
  [missing('skimage'), 'skimage', python('scikit-image')],
  [missing('psycopg'), 'psycopg', python('psycopg[binary]')],
  [missing('_tkinter'), '_tkinter', null],
  ['Error: there is no package called ‘dplyr’', 'dplyr', { language: 'r', name: 'dplyr' }],
  ['ZeroDivisionError: division by zero', null, null],
];

test.each(ERRORS)('[WI-183] %s', (error, suggested, offered) => {
  expect(suggestInstall(error)).toBe(suggested);
  expect(packageToInstall(error)).toEqual(offered);
});

test('[WI-183] every suggestion is one requirement', () => {
  for (const module of Object.keys(PACKAGE_OF)) {
    expect(readRequirement(packageToInstall(missing(module))?.name ?? ''), module).not.toBe(null);
  }
});
