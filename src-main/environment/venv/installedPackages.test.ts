import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedPackages, reachedBy } from './installedPackages.ts';

let venv = '';
beforeEach(async () => {
  venv = await mkdtemp(join(tmpdir(), 'cellar-installed-'));
});
afterEach(() => rm(venv, { recursive: true, force: true }));

const SITE = 'lib/python3.13/site-packages';

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(venv, SITE, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

interface DistributionFiles {
  readonly record: readonly string[];
  readonly metadata?: readonly string[];
}

function distribution(name: string, { record, metadata = [] }: DistributionFiles): Record<string, string> {
  const info = `${name}-1.0.dist-info`;
  return {
    [`${info}/RECORD`]: `${[...record, `${info}/METADATA,sha256=m,1`, `${info}/RECORD,,`].join('\n')}\n`,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\n${metadata.join('\n')}\n\nRequires-Dist: not-a-field\n`,
  };
}

const INSTALLED = {
  ...distribution('NumPy', {
    record: ['numpy/__init__.py,sha256=a,1', 'numpy.libs/blas.so,sha256=b,2', '../../../bin/f2py,sha256=c,3'],
  }),
  ...distribution('py_date', { record: ['date.py,sha256=d,1', '__pycache__/date.cpython-313.pyc,,'] }),
  ...distribution('frames', {
    record: ['frames/__init__.py,sha256=e,1', '_fast.cpython-313-x86_64-linux-gnu.so,sha256=f,1'],
    metadata: [
      'Requires-Dist: numpy>=2',
      'Requires-Dist: py.date ; sys_platform == "linux"',
      "Requires-Dist: plots (>=1) ; extra == 'plot'",
    ],
  }),
  ...distribution('plots', { record: ['plots.py,sha256=g,1'] }),
  ...distribution('hooks', { record: ['hooks.pth,sha256=h,1', 'hooks.py,sha256=i,1'] }),
};

describe('the packages of an environment', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['only packages that every process reads', [], ['hooks']],
    ['a name that nothing provides', ['numexpr'], ['hooks']],
    ['a package', ['numpy'], ['hooks', 'numpy']],
    ['a module', ['date'], ['hooks', 'py-date']],
    ['an extension module', ['_fast'], ['frames', 'hooks', 'numpy', 'py-date']],
    ['its requirements, without extras', ['frames'], ['frames', 'hooks', 'numpy', 'py-date']],
    ['the metadata of a package', ['dist:plots'], ['hooks', 'plots']],
  ])('[SO-301] %s', async (_what, names, reached) => {
    await put(INSTALLED);
    const installed = await installedPackages(venv, 'i1');
    expect(installed === null ? null : Object.keys(reachedBy(installed, names))).toEqual(reached);
  });

  /** How the files differ, and whether the digest of what `numpy` reaches differs. */
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['another file', distribution('NumPy', { record: ['numpy/__init__.py,sha256=z,1'] }), true],
    [
      'a program, bytecode and installation records',
      distribution('NumPy', {
        record: [
          'numpy/__init__.py,sha256=a,1',
          'numpy.libs/blas.so,sha256=b,2',
          '../../../bin/f2py,sha256=zzz,3',
          'numpy/__pycache__/__init__.cpython-313.pyc,,',
          'NumPy-1.0.dist-info/REQUESTED,sha256=y,0',
          'NumPy-1.0.dist-info/direct_url.json,sha256=x,0',
        ],
      }),
      false,
    ],
  ])('[SO-301] %s', async (_what, files, differs) => {
    await put(INSTALLED);
    const before = await installedPackages(venv, 'i1');
    await put(files);
    const after = await installedPackages(venv, 'i2');
    if (before === null || after === null) throw new Error('not readable');
    const isSame = reachedBy(before, ['numpy'])['numpy'] === reachedBy(after, ['numpy'])['numpy'];
    expect(isSame).toBe(!differs);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['a distribution without a record', { 'old-1.0.dist-info/METADATA': 'Name: old\n' }],
    ['a distribution without metadata', { 'old-1.0.dist-info/RECORD': 'old.py,,\n' }],
    ['an egg', { 'old.egg-info/PKG-INFO': 'Name: old\n' }],
    ['a distribution twice', distribution('num.py', { record: [] })],
  ])('[SO-301] %s: unknown, so the whole lock counts', async (_what, files) => {
    await put({ ...INSTALLED, ...distribution('num_py', { record: [] }), ...files });
    expect(await installedPackages(venv, 'i1')).toBeNull();
  });

  it('[SO-301] with packages of the machine: the whole lock counts', async () => {
    await put(INSTALLED);
    await writeFile(join(venv, 'pyvenv.cfg'), 'home = /usr\ninclude-system-site-packages = true\n');
    expect(await installedPackages(venv, 'i1')).toBeNull();
  });

  it('[SO-301] is cached while the environment does not change', async () => {
    await put({ ...INSTALLED, 'own.pth': 'import hooks\n' });
    const first = await installedPackages(venv, 'i1');
    await rm(join(venv, SITE), { recursive: true });
    expect(await installedPackages(venv, 'i1')).toEqual(first);
    await writeFile(join(venv, '.svc-packages.json'), '{"version":1');
    expect((await installedPackages(venv, 'i1'))?.distributions.size).toBe(0);
    await put({ ...INSTALLED, 'own.pth': 'import other\n' });
    const other = await installedPackages(venv, 'i2');
    expect(other?.distributions).toEqual(first?.distributions);
    expect(other?.base).not.toBe(first?.base);
    expect(await readFile(join(venv, '.svc-packages.json'), 'utf8')).toContain('"installed":"i2"');
  });
});
