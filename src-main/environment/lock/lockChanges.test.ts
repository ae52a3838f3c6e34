import { expect, it } from 'vitest';
import { lockChanges } from './lockChanges.ts';

const LINUX = { python: '3.13', platform: 'linux', arch: 'x64' } as const;
const MAC = { python: '3.12', platform: 'darwin', arch: 'arm64' } as const;

interface Locked {
  readonly version: string;
  readonly wheels?: Readonly<Record<string, number>>;
  readonly sdist?: number;
}

function lock(packages: Readonly<Record<string, Locked>>): string {
  const entries = Object.entries(packages).map(([name, { version, wheels = {}, sdist }]) => {
    const files = Object.entries(wheels).map(
      ([tags, size]) => `  { url = "https://files.invalid/${name}-${version}-${tags}.whl", size = ${size} },`,
    );
    return [
      '[[package]]',
      `name = "${name}"`,
      `version = "${version}"`,
      ...(sdist === undefined ? [] : [`sdist = { url = "https://files.invalid/x.tar.gz", size = ${sdist} }`]),
      'wheels = [',
      ...files,
      ']',
    ].join('\n');
  });
  return `version = 1\n\n[[package]]\nname = "me"\nversion = "0.1.0"\nsource = { virtual = "." }\n\n${entries.join('\n\n')}\n`;
}

const WHEELS = {
  'cp313-cp313-manylinux_2_28_x86_64': 40,
  'cp313-cp313-musllinux_1_2_aarch64': 41,
  'cp312-cp312-macosx_14_0_arm64': 42,
  'cp313-cp313-win_amd64': 43,
};

it('[EN-34] added, removed and changed packages, with the download size on this machine', () => {
  const before = lock({
    gone: { version: '1' },
    numpy: { version: '1.0', wheels: WHEELS },
    same: { version: '3' },
  });
  const after = lock({
    numpy: { version: '2.0', wheels: WHEELS },
    same: { version: '3' },
    pure: { version: '1', wheels: { 'py3-none-any': 7 } },
    stable: {
      version: '1',
      wheels: { 'cp39-abi3-manylinux_2_28_x86_64': 8, 'cp39-abi3-macosx_11_0_arm64': 9 },
    },
    source: { version: '1', sdist: 11 },
    silent: { version: '1' },
  });
  const change = (name: string, from: string | null, to: string | null, bytes: number | null) => ({
    name,
    from,
    to,
    bytes,
  });
  expect(lockChanges(before, after, LINUX)).toEqual([
    change('gone', '1', null, null),
    change('numpy', '1.0', '2.0', 40),
    change('pure', null, '1', 7),
    change('silent', null, '1', null),
    change('source', null, '1', 11),
    change('stable', null, '1', 8),
  ]);
  expect(lockChanges(before, after, MAC).map(({ bytes }) => bytes)).toEqual([null, 42, 7, null, 11, 9]);
});

it.each([
  ['no lock', null],
  ['merge markers', '<<<<<<<'],
])('[EN-34] %s has no packages', (_, text) => {
  expect(lockChanges(text, text, LINUX)).toEqual([]);
  expect(lockChanges(text, lock({ a: { version: '1' } }), LINUX)).toHaveLength(1);
});
