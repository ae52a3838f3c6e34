/** Derives the packages that an imported Jupyter notebook needs from the import statements in its cells. */

import { PACKAGE_OF } from '../../../src-shared/notebook/importNames.ts';
import { logicalLines } from './logicalLines.ts';
import { STDLIB } from './stdlib.ts';

/**
 * Packages by the name of their module, where it differs: the table of the import diagnostics without jose and gi, with
 * additions (docs/spec/export-and-import.md, 3).
 */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PACKAGE_OF).filter(([name]) => name !== 'jose' && name !== 'gi'),
  ['skimage', 'scikit-image'],
  ['Crypto', 'pycryptodome'],
  ['OpenSSL', 'pyOpenSSL'],
  ['jwt', 'PyJWT'],
  ['MySQLdb', 'mysqlclient'],
  ['psycopg2', 'psycopg2-binary'],
  ['git', 'GitPython'],
  ['Bio', 'biopython'],
  ['google', 'google-api-python-client'],
  ['mpl_toolkits', 'matplotlib'],
  ['pkg_resources', 'setuptools'],
  ['gym', 'gymnasium'],
]);

/** The packages for the import statements of Python text, in order, without duplicates. */
export function importedPackages(source: string, isLocal: (module: string) => boolean): readonly string[] {
  const packages = new Set<string>();
  for (const { bare } of logicalLines(source)) {
    for (const path of modulesIn(bare.replace(/\s+/g, ' ').trim())) {
      const [top = '', ...rest] = path.split('.');
      if (top === '' || STDLIB.has(top) || isLocal(top)) continue;
      packages.add(packageOf(top, rest));
    }
  }
  return [...packages];
}

function packageOf(top: string, rest: readonly string[]): string {
  if (top === 'google' && rest[0] === 'cloud' && rest[1] !== undefined) {
    return `google-cloud-${rest[1].replaceAll('_', '-')}`;
  }
  return PACKAGES.get(top) ?? top;
}

function modulesIn(statement: string): readonly string[] {
  const from = /^from ([\w.]+) import (.*)$/.exec(statement);
  if (from !== null) {
    const [, path = '', names = ''] = from;
    // In `from google.cloud import storage` the imported name determines the package.
    if (path !== 'google.cloud') return path.startsWith('.') ? [] : [path];
    return names.split(',').map((name) => `google.cloud.${/\w+/.exec(name)?.[0] ?? ''}`);
  }
  const whole = /^import (.*)$/.exec(statement)?.[1];
  if (whole === undefined) return [];
  return whole.split(',').flatMap((part) => /^\s*([\w.]+)/.exec(part)?.[1] ?? []);
}
