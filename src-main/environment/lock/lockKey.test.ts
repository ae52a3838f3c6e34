import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalLock, lockKey } from './lockKey.ts';

const EXAMPLE = `version = 1
revision = 2
requires-python = ">=3.13"

[manifest]
members = ["my-notebook"]

[[package]]
name = "my-notebook"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "orjson" },
]

[package.metadata]
requires-dist = [{ name = "orjson", specifier = ">=3.10" }]

[[package]]
name = "orjson"
version = "3.10.0"
source = { registry = "https://index.example/simple" }
sdist = { url = "https://files.example/orjson-3.10.0.tar.gz", hash = "sha256:00aa", size = 10 }
`;

describe('[EN-56] lock key (document 1, worker-protocol 8, worker-process 6, remote-execution 4)', () => {
  it('the example of the specification, byte for byte', () => {
    expect(createHash('sha256').update(EXAMPLE).digest('hex')).toBe(
      '017007f6cdc588101eb8f67d4ecc67cf2afa7403afc9a69a07b887000f45f775',
    );
    expect(canonicalLock(EXAMPLE)).toBe(
      '{"manifest":{"members":["<project>"]},"package":[{"dependencies":[{"name":"orjson"}]},' +
        '{"name":"orjson","sdist":{"hash":"sha256:00aa","size":10,"url":"https://files.example/orjson-3.10.0.tar.gz"},' +
        '"source":{"registry":"https://index.example/simple"},"version":"3.10.0"}],' +
        '"requires-python":">=3.13","revision":2,"version":1}',
    );
    expect(lockKey(EXAMPLE)).toBe('4fda4655fe1a8bca327a6546a61f91509ff9a1b6881ac0e46d76144d8803b89b');
  });

  const rows: readonly (readonly [name: string, text: string, key: string | null])[] = [
    [
      'the project renamed everywhere, with another version',
      EXAMPLE.replaceAll('my-notebook', 'other').replace('"0.1.0"', '"7"'),
      '4fda4655fe1a8bca327a6546a61f91509ff9a1b6881ac0e46d76144d8803b89b',
    ],
    [
      'no packages',
      'version = 1\nrequires-python = ">=3.13"\n',
      '3725efb6cf10d85cb799ab7d84db514d8d205e2873cd05d83422c4530a9eb3b4',
    ],
    ['a bare date has no JSON form', 'version = 1\nmade = 2026-01-01\n', null],
    ['not TOML', 'version = [', null],
  ];
  it.each(rows)('%s', (_, text, key) => {
    expect(lockKey(text)).toBe(key);
  });

  it('non-ASCII characters are escaped as Python escapes them', () => {
    expect(canonicalLock('note = "é \\u007F 🐍"\n')).toBe(
      '{"note":"\\u00e9 \\u007f \\ud83d\\udc0d","package":[]}',
    );
  });

  it('packages are sorted by their JSON', () => {
    const packageWith = (fields: string) => `[[package]]\n${fields}\n`;
    const text = packageWith('a = 10') + packageWith('a = 1\nb = 1');
    expect(canonicalLock(text)).toBe('{"package":[{"a":1,"b":1},{"a":10}]}');
  });
});
