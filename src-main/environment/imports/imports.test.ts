import { describe, expect, it } from 'vitest';
import { requirementText } from '../../../src-shared/notebook/requirement.ts';
import { withStorePackages } from '../project/storePackages.ts';
import { readEnvironmentYaml } from './environmentYaml.ts';
import { ImportError } from './importError.ts';
import { previewImport } from './importPreview.ts';
import { readRequirements } from './requirementsText.ts';

/** A file → its requirements, or a part of the error message. */
const REQUIREMENTS: readonly {
  readonly name: string;
  readonly text: string;
  readonly gives?: readonly string[];
  readonly refused?: string;
}[] = [
  { name: 'nothing', text: '', gives: [] },
  {
    name: 'comments and blank lines',
    text: '# a\n\n  # b\npandas>=2  # why\r\nnumpy\r',
    gives: ['pandas>=2', 'numpy'],
  },
  { name: 'a byte-order mark', text: '\uFEFFpandas', gives: ['pandas'] },
  { name: 'extras', text: 'pandas[excel] == 2.1', gives: ['pandas[excel]==2.1'] },
  { name: 'a # within a word', text: 'pandas#egg', refused: 'Line 1' },
  {
    name: 'an option',
    text: 'numpy\n--index-url x',
    refused: 'Line 2 of the requirements, `--index-url x`, is an option',
  },
  { name: 'an editable', text: '-e .', refused: 'is an option' },
  {
    name: 'every kind of version',
    text: 'a==1.*\nb>=1!2.0rc1,<3\nc~=1.2.post1.dev3\nd===any+thing\ne==1.0+cu118\nf!=2',
    gives: ['a==1.*', 'b>=1!2.0rc1,<3', 'c~=1.2.post1.dev3', 'd===any+thing', 'e==1.0+cu118', 'f!=2'],
  },
  {
    name: 'an invalid version',
    text: 'numpy>=1.2,==one.two',
    refused: 'has the invalid version one.two',
  },
  { name: 'a marker', text: "tomli; python_version < '3.11'", refused: 'has a marker' },
  { name: 'a URL', text: 'https://example.org/x.whl', refused: 'is not a valid package requirement' },
  {
    name: 'a direct reference',
    text: 'x @ https://example.org/x.whl',
    refused: 'is a URL. Only packages of an index can be imported.',
  },
  {
    name: 'a duplicate by another spelling',
    text: 'Py_Yaml\npy-yaml==6',
    refused: 'lists Py_Yaml twice',
  },
  {
    name: 'hashes over lines',
    text: 'x==1 \\\n --hash=sha256:00',
    refused: 'continues on the next line. Write',
  },
  { name: 'garbage', text: '\u0001\u0002 {{{', refused: 'Line 1' },
  { name: 'a very long line', text: `${'?'.repeat(100_000)}`, refused: '…' },
];

describe('requirements.txt', () => {
  it.each(REQUIREMENTS)('[EN-31] $name', ({ text, gives, refused }) => {
    const read = () => readRequirements(text).map(requirementText);
    if (gives !== undefined) return expect(read()).toEqual(gives);
    expect(read).toThrow(ImportError);
    return expect(read).toThrow(refused);
  });
});

const YAML: readonly {
  readonly name: string;
  readonly text: string;
  readonly gives?: readonly string[];
  readonly warns?: readonly string[];
  readonly refused?: string;
}[] = [
  {
    name: 'conda pins, builds and channels',
    text: 'name: x\ndependencies:\n  - numpy=1.26\n  - pandas=2.1=py312h\n  - conda-forge::scipy>=1.11\n  - attrs',
    gives: ['numpy==1.26', 'pandas==2.1', 'scipy>=1.11', 'attrs'],
    warns: [],
  },
  {
    name: 'entries that are not Python packages',
    text: 'channels: [defaults]\nprefix: /opt/x\ndependencies: [python=3.12, pip, numpy]',
    gives: ['numpy'],
    warns: ['`channels`', '`prefix`', 'own Python version', '`pip`'],
  },
  {
    name: 'a pip list is kept unchanged',
    text: "dependencies:\n  - numpy\n  - pip:\n      - 'rich[jupyter]>=13'",
    gives: ['numpy', 'rich[jupyter]>=13'],
    warns: [],
  },
  {
    name: 'entries of other types',
    text: 'dependencies: [5, null, {a: b}, "a b c"]',
    gives: [],
    warns: ['5', 'null', '{"a":"b"}', 'a b c'],
  },
  {
    name: 'an option in the pip list',
    text: 'dependencies:\n  - pip:\n    - -r x.txt',
    refused: 'is an option',
  },
  { name: 'the same twice', text: 'dependencies: [numpy=1, {pip: [numpy]}]', refused: 'twice' },
  {
    name: 'no list',
    text: 'dependencies: numpy',
    refused: 'The file has no list `dependencies` at its top level.',
  },
  { name: 'nothing', text: '', refused: 'not a conda environment' },
  { name: 'a list at the top', text: '- numpy', refused: 'not a conda environment' },
  { name: 'broken YAML', text: 'dependencies: [numpy', refused: 'cannot be read as YAML' },
  {
    name: 'aliases that expand without end',
    text: `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ndependencies: [*d,*d,*d,*d,*d,*d,*d,*d,*d]`,
    refused: 'cannot be read as YAML',
  },
  { name: 'half a megabyte of text', text: `dependencies:\n${'  - "?"\n'.repeat(60_000)}`, gives: [] },
];

describe('environment.yaml', () => {
  it.each(YAML)('[EN-32] $name', ({ text, gives, warns, refused }) => {
    const read = () => readEnvironmentYaml(text);
    if (refused !== undefined) {
      expect(read).toThrow(ImportError);
      expect(read).toThrow(refused);
      return;
    }
    const { requirements, warnings } = read();
    expect(requirements.map(requirementText)).toEqual(gives);
    if (warns === undefined) return;
    expect(warnings).toHaveLength(warns.length);
    for (const [at, part] of warns.entries()) expect(warnings[at]).toContain(part);
  });
});

it('[RE-102] a preview includes packages that stay although the list lacks them', () => {
  const current = [
    { name: 'pyarrow', version: null, specifier: '>=18.0.0' },
    { name: 'orjson', version: null, specifier: null },
    { name: 'pandas', version: null, specifier: null },
  ];
  const preview = previewImport(withStorePackages(readRequirements('rich\norjson>=3'), current), current);
  expect(preview.normalized_requirements).toEqual(['rich', 'orjson>=3', 'pyarrow>=18.0.0']);
  expect(preview.unchanged).toEqual([current[0]]);
  expect(preview.removals).toEqual([current[1], current[2]]);
});

it('[EN-33] a changed specifier is an addition and a removal', () => {
  const one = (name: string, specifier: string | null) => ({ name, version: null, specifier });
  const preview = previewImport(readRequirements('Pandas>=2\nnumpy\nrich'), [
    one('pandas', '>= 2'),
    one('numpy', '>=1'),
    one('scipy', null),
  ]);
  expect(preview).toMatchObject({
    imported_count: 3,
    normalized_requirements: ['Pandas>=2', 'numpy', 'rich'],
    additions: [one('numpy', null), one('rich', null)],
    removals: [one('numpy', '>=1'), one('scipy', null)],
    unchanged: [one('Pandas', '>=2')],
  });
});
