import { describe, expect, it, test } from 'vitest';
import { ImportError } from './importError.ts';
import { markerFacts, markerHolds } from './marker.ts';
import { readPackageList } from './packageList.ts';

const FACTS = markerFacts('3.12', { platform: 'linux', arch: 'x64' });

/** A file → the imported requirements and those left out, with a part of the reason; or a part of the error message. */
const FILES: readonly {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly imported?: readonly string[];
  readonly rejected?: readonly (readonly [text: string, why: string])[];
  readonly refused?: string;
}[] = [
  {
    name: 'output of pip freeze and pip-compile',
    file: 'requirements.txt',
    text: '\uFEFF# made by hand\npandas==2.2.3 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\r\nNumPy >= 1.26 , <3 # why\nrich[jupyter]~=13.0',
    imported: ['pandas==2.2.3', 'NumPy>=1.26,<3', 'rich[jupyter]~=13.0'],
    rejected: [],
  },
  {
    name: 'entries that cannot be imported, with their reasons',
    file: 'requirements-dev.txt',
    text: '-r base.txt\n--index-url https://example.org/simple\n-e .\n./local.whl\nx @ https://example.org/x.whl\ngit+https://example.org/y\npandas\nPandas==2\n{{ garbage }}\nnumpy pandas',
    imported: ['pandas'],
    rejected: [
      ['-r base.txt', 'another file'],
      ['--index-url', 'option'],
      ['-e .', 'folder'],
      ['./local.whl', 'folder'],
      ['x @ https', 'URL'],
      ['git+https', 'URL'],
      ['Pandas==2', 'is listed twice.'],
      ['{{ garbage }}', 'not a valid package requirement'],
      ['numpy pandas', 'not a valid package requirement'],
    ],
  },
  {
    name: 'conditions: requirements whose condition is true are imported without it',
    file: 'requirements.in',
    text: 'a ; python_version >= "3.9" and python_version < "4.0"\nb; sys_platform == \'win32\'\nc; python_version < "3.11" or platform_system == "Linux"\nd; fingers > 3\ne; (os_name == "posix" and extra == "x")',
    imported: ['a', 'c'],
    rejected: [
      ['b;', 'not for this machine'],
      ['d;', 'invalid condition'],
      ['e;', 'not for this machine'],
    ],
  },
  {
    name: 'conda: other names, pins, builds, channels, and packages that only conda has',
    file: 'environment.yml',
    text: 'name: x\nchannels: [conda-forge]\ndependencies:\n  - python=3.11\n  - pytorch=2.1=cuda\n  - conda-forge::opencv\n  - "scipy 1.11.*"\n  - numpy>=1.26\n  - cudatoolkit=11.8\n  - libgcc-ng\n  - r-ggplot2\n  - _libgcc_mutex=0.1\n  - pip\n  - pip:\n      - rich>=13\n      - -e .',
    imported: ['torch==2.1', 'opencv-python', 'scipy==1.11.*', 'numpy>=1.26', 'rich>=13'],
    rejected: [
      ['channels', 'is a conda setting. Packages come from the notebook’s index.'],
      ['python=3.11', 'Python itself'],
      ['cudatoolkit=11.8', 'is available only in conda, not in the package index.'],
      ['libgcc-ng', 'is available only in conda, not in the package index.'],
      ['r-ggplot2', 'is available only in conda, not in the package index.'],
      ['_libgcc_mutex', 'is available only in conda, not in the package index.'],
      ['pip', 'not a package for the notebook'],
      ['-e .', 'folder'],
    ],
  },
  {
    name: 'a project',
    file: 'pyproject.toml',
    text: '[project]\nname = "x"\ndependencies = ["pandas>=2", "tomli; python_version < \'3.11\'"]\n[project.optional-dependencies]\nplots = ["altair"]\n[dependency-groups]\ndev = ["pytest"]',
    imported: ['pandas>=2'],
    rejected: [
      ['tomli', 'not for this machine'],
      ['optional-dependencies: plots', 'optional group'],
      ['dependency-groups: dev', 'optional group'],
    ],
  },
  {
    name: 'a lock: the dependencies of its project, at the locked versions',
    file: 'uv.lock',
    text: 'version = 1\n[[package]]\nname = "x"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "pandas", extra = ["excel"] }, { name = "mine" }]\n[[package]]\nname = "pandas"\nversion = "2.2.3"\nsource = { registry = "https://example.org/simple" }\n[[package]]\nname = "numpy"\nversion = "2.0"\nsource = { registry = "https://example.org/simple" }\n[[package]]\nname = "mine"\nversion = "1"\nsource = { git = "https://example.org/mine" }',
    imported: ['pandas[excel]==2.2.3'],
    rejected: [['mine', 'URL']],
  },
  { name: 'nothing', file: 'requirements.txt', text: '', imported: [], rejected: [] },
  {
    name: 'half a megabyte of garbage',
    file: 'environment.yaml',
    text: `dependencies:\n${'  - "?"\n'.repeat(60_000)}`,
    imported: [],
  },
  {
    name: 'half a megabyte on one line',
    file: 'requirements.txt',
    text: 'a'.repeat(500_000),
    imported: [],
  },
  {
    name: 'half a megabyte of a condition',
    file: 'requirements.txt',
    text: `a; ${'('.repeat(499_000)}`,
    imported: [],
  },
  {
    name: 'a file that is not a package list',
    file: 'report.pdf',
    text: 'x',
    refused: 'report.pdf is not a package list',
  },
  {
    name: 'broken YAML',
    file: 'environment.yaml',
    text: 'dependencies: [numpy',
    refused: 'cannot be read as YAML',
  },
  { name: 'broken TOML', file: 'pyproject.toml', text: '[project', refused: 'cannot be read as TOML' },
  {
    name: 'a project of Poetry',
    file: 'pyproject.toml',
    text: '[tool.poetry.dependencies]\npandas = "^2"',
    refused: 'poetry export',
  },
  {
    name: 'a broken lock',
    file: 'uv.lock',
    text: '<<<<<<<',
    refused: 'The file is not a valid uv lock file.',
  },
  {
    name: 'a lock without a project',
    file: 'uv.lock',
    text: 'version = 1',
    refused: 'The lock file has no project. Import its pyproject.toml instead.',
  },
];

describe('a list of packages', () => {
  it.each(FILES)('[EN-70] $name', ({ file, text, imported, rejected, refused }) => {
    const read = () => readPackageList(file, text, FACTS);
    if (refused !== undefined) {
      expect(read).toThrow(ImportError);
      expect(read).toThrow(refused);
      return;
    }
    const { requirements, leftOut } = read();
    expect(requirements).toEqual(imported);
    if (rejected === undefined) return;
    expect(leftOut.map((one) => one.text)).toHaveLength(rejected.length);
    for (const [at, [part, why]] of rejected.entries()) {
      expect(leftOut[at]?.text).toContain(part);
      expect(leftOut[at]?.why).toContain(why);
    }
  });
});

test.each<[string, boolean | null]>([
  ['python_version >= "3.9"', true],
  ['python_version < "3.9"', false],
  ['"3.12" == python_version', true],
  ['python_version == "3.*"', true],
  ['python_version ~= "3.10"', true],
  ['python_full_version >= "3.12.0"', true],
  ['sys_platform in "linux darwin"', true],
  ['sys_platform not in "linux darwin"', false],
  ['platform_machine == "x86_64" and (os_name == "nt" or os_name == "posix")', true],
  ['platform_machine', null],
  ['(python_version > "3"', null],
  ['python_version > "3" and', null],
  ['', null],
])('[EN-70] evaluates the condition %s', (marker, holds) => {
  expect(markerHolds(marker, FACTS)).toBe(holds);
});
