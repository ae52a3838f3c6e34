import fc from 'fast-check';
import { stringify, type TomlTable } from 'smol-toml';
import { expect, it } from 'vitest';
import { lockKey } from './lock/lockKey.ts';

/** The parts of a generated lock that vary. */
interface LockParts {
  readonly project: string;
  readonly version: string;
  readonly requires: string;
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    readonly hash: string;
    readonly dependsOn: readonly string[];
  }[];
}

function lockOf({ project, version, requires, packages }: LockParts): TomlTable {
  const own: TomlTable = {
    name: project,
    version,
    source: { virtual: '.' },
    dependencies: packages.slice(0, 2).map(({ name }) => ({ name })),
    metadata: { 'requires-dist': packages.slice(0, 2).map(({ name }) => ({ name, specifier: '>=1' })) },
  };
  return {
    version: 1,
    'requires-python': requires,
    manifest: { members: [project, 'member'] },
    package: [
      own,
      ...packages.map((one) => ({
        name: one.name,
        version: one.version,
        source: { registry: 'https://index.example/simple' },
        dependencies: one.dependsOn.map((name) => ({ name })),
        sdist: { url: `https://files.example/${one.name}-${one.version}.tar.gz`, hash: one.hash, size: 10 },
      })),
    ],
  };
}

const name = fc.stringMatching(/^p[a-z]{1,6}$/);
const version = fc.stringMatching(/^[1-9]\.[0-9]{1,2}$/);
const hash = fc.stringMatching(/^sha256:[0-9a-f]{8}$/);
const lockParts: fc.Arbitrary<LockParts> = fc.record({
  project: fc.stringMatching(/^notebook-[a-z]{1,6}$/),
  version,
  requires: fc.constantFrom('==3.12.*', '==3.13.*'),
  packages: fc.uniqueArray(
    fc.record({ name, version, hash, dependsOn: fc.uniqueArray(name, { maxLength: 2 }) }),
    { minLength: 1, maxLength: 6, selector: (one) => one.name },
  ),
});

const keyOf = (lock: TomlTable): string | null => lockKey(stringify(lock));

/** The same table with all fields in reverse order, which has the same meaning in TOML. */
function reverseFields(table: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(table)
      .reverse()
      .map(([key, value]) => [
        key,
        Array.isArray(value)
          ? value.map((item) => (isTable(item) ? reverseFields(item) : item))
          : isTable(value)
            ? reverseFields(value)
            : value,
      ]),
  );
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

it('[EN-56] the key does not depend on the name and version of the project or the order of the packages', () => {
  fc.assert(
    fc.property(lockParts, fc.infiniteStream(fc.nat()), (one, dice) => {
      const lock = lockOf(one);
      const key = keyOf(lock);
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(keyOf(lockOf({ ...one, project: 'renamed', version: '9.9' }))).toBe(key);
      const [first, ...rest] = lock['package'] as TomlTable[];
      const shuffled = rest.map((entry) => ({ entry, at: dice.next().value })).sort((a, b) => a.at - b.at);
      const packages = [...shuffled.map(({ entry }) => entry), first as TomlTable];
      const members = { members: ['member', one.project] };
      expect(keyOf({ ...lock, package: packages, manifest: members })).toBe(key);
      expect(keyOf(reverseFields(lock))).toBe(key);
    }),
  );
});

it('[EN-56] any change of the resolved packages changes the key', () => {
  const change = fc.constantFrom('version', 'hash', 'name', 'dependsOn', 'requires', 'gone', 'more');
  fc.assert(
    fc.property(lockParts, change, fc.nat(), (one, what, pick) => {
      const at = pick % one.packages.length;
      const packages = one.packages.map((entry, index) => {
        if (index !== at) return entry;
        if (what === 'version') return { ...entry, version: `${entry.version}.1` };
        if (what === 'hash') return { ...entry, hash: `${entry.hash}0` };
        if (what === 'name') return { ...entry, name: `${entry.name}x0` };
        return what === 'dependsOn' ? { ...entry, dependsOn: [...entry.dependsOn, 'x0'] } : entry;
      });
      const changed: LockParts =
        what === 'requires'
          ? { ...one, requires: '==3.11.*' }
          : what === 'gone'
            ? { ...one, packages: one.packages.filter((_, index) => index !== at) }
            : what === 'more'
              ? {
                  ...one,
                  packages: [...packages, { name: 'x0', version: '1', hash: 'sha256:0', dependsOn: [] }],
                }
              : { ...one, packages };
      expect(keyOf(lockOf(changed))).not.toBe(keyOf(lockOf(one)));
    }),
  );
});
