import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lockDigest, resolvedPackages } from './lockDigest.ts';
import { lockKey } from './lockKey.ts';

const LOCK = `version = 1
revision = 3
requires-python = "==3.12.*"

[[package]]
name = "alpha"
version = "1.0"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "beta", marker = "sys_platform == 'linux'" }]
sdist = { url = "https://files.example/alpha.tar.gz", hash = "sha256:a0", size = 1, upload-time = "2026-01-01T00:00:00Z" }
wheels = [{ url = "https://files.example/alpha.whl", hash = "sha256:a1", size = 1 }]

[package.optional-dependencies]
fast = [{ name = "gamma" }]

[[package]]
name = "beta"
version = "2.0"
source = { registry = "https://index.example/simple" }
wheels = [{ url = "https://files.example/beta.whl", hash = "sha256:b1", size = 1 }]

[[package]]
name = "gamma"
version = "3.0"
source = { registry = "https://index.example/simple" }
wheels = [{ url = "https://files.example/gamma.whl", hash = "sha256:c1", size = 1 }]

[[package]]
name = "notebook"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "alpha" }]

[package.dev-dependencies]
dev = [{ name = "tester" }]

[package.metadata]
requires-dist = [{ name = "alpha", specifier = ">=1" }]

[[package]]
name = "tester"
version = "9.0"
source = { registry = "https://index.example/simple" }
wheels = [{ url = "https://files.example/tester.whl", hash = "sha256:d1", size = 1 }]
`;

describe('[PV-4] lock digest (provenance-and-cache 1)', () => {
  const rows: readonly (readonly [change: string, from: string, to: string, same: boolean])[] = [
    ['a dev tool at another version', 'version = "9.0"', 'version = "9.1"', true],
    [
      'another dev tool',
      'dev = [{ name = "tester" }]',
      'dev = [{ name = "tester" }, { name = "gamma" }]',
      true,
    ],
    ['the notebook renamed', 'name = "notebook"', 'name = "other"', true],
    ['the notebook at another version', 'version = "0.1.0"', 'version = "0.2.0"', true],
    ['an upload time', '2026-01-01T', '2026-02-02T', true],
    ['a mirror of the same file', 'files.example/alpha.whl', 'mirror.example/alpha.whl', true],
    ['the wording of a requirement', 'specifier = ">=1"', 'specifier = ">=0.5"', true],
    [
      'a package outside the closure (an extra that is not requested)',
      'hash = "sha256:c1"',
      'hash = "sha256:c2"',
      true,
    ],
    ['another version', 'version = "2.0"', 'version = "2.1"', false],
    ['another artifact', 'hash = "sha256:b1"', 'hash = "sha256:b2"', false],
    [
      'another source',
      'registry = "https://index.example/simple" }\ndependencies',
      'registry = "https://other.example/simple" }\ndependencies',
      false,
    ],
    ['another Python', '==3.12.*', '==3.13.*', false],
    ['a requested extra', '[{ name = "alpha" }]', '[{ name = "alpha", extra = ["fast"] }]', false],
    ['another marker', "sys_platform == 'linux'", "sys_platform == 'darwin'", false],
    ['a removed dependency', 'dependencies = [{ name = "alpha" }]', 'dependencies = []', false],
  ];
  it.each(rows)('[PV-4] %s', (_, from, to, same) => {
    const changed = LOCK.replace(from, to);
    expect(changed).not.toBe(LOCK);
    expect(lockDigest(changed) === lockDigest(LOCK)).toBe(same);
  });

  it('packages of a requested extra count', () => {
    const withExtra = LOCK.replace('[{ name = "alpha" }]', '[{ name = "alpha", extra = ["fast"] }]');
    expect(lockDigest(withExtra.replace('sha256:c1', 'sha256:c2'))).not.toBe(lockDigest(withExtra));
  });

  it('the order of the packages in the file does not count', () => {
    const [head = '', ...packages] = LOCK.split(/^(?=\[\[package\]\])/m);
    fc.assert(
      fc.property(fc.shuffledSubarray(packages, { minLength: packages.length }), (shuffled) => {
        expect(lockDigest(head + shuffled.map((text) => `${text.trimEnd()}\n\n`).join(''))).toBe(
          lockDigest(LOCK),
        );
      }),
    );
  });

  it('without a project entry it is the lock key; for an invalid lock it depends on the bytes', () => {
    const bare = 'version = 1\nrequires-python = ">=3.13"\n';
    expect(lockDigest(bare)).toBe(lockKey(bare));
    expect(lockDigest('<<<<<<< ours')).not.toBe(lockDigest('<<<<<<< theirs'));
  });

  it('lists the resolved packages by name, without the project', () => {
    expect(resolvedPackages(LOCK).map(({ name, version }) => `${name} ${version}`)).toEqual([
      'alpha 1.0',
      'beta 2.0',
      'gamma 3.0',
      'tester 9.0',
    ]);
  });
});
