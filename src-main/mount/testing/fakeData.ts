import type { DataAccess, DataUse, Prepared } from '../dataAccess.ts';
import type { DataWant } from '../want.ts';

/** External data in memory: tokens and paths by name; an unknown name is missing. */
interface FakeData extends DataAccess {
  /** The current items: a token, and the path for a cell. */
  readonly things: Map<string, { readonly token: string | null; readonly path: string }>;
  readonly looked: { readonly name: string; readonly purpose: 'run' | 'status' }[];
  /** Names written back, in order. */
  readonly written: string[];
}

export function createFakeData(now: () => number = Date.now): FakeData {
  const things: FakeData['things'] = new Map();
  const looked: FakeData['looked'] = [];
  const written: string[] = [];
  const missing = ({ name }: DataWant) => `There is no ${name}.`;
  return {
    things,
    looked,
    written,
    check: async (wants, { purpose }) =>
      wants.map((want) => {
        looked.push({ name: want.name, purpose });
        const thing = things.get(want.name);
        const { key } = want;
        return thing === undefined
          ? { key, token: null, problem: missing(want), checkedAtMs: now() }
          : { key, token: thing.token, problem: null, checkedAtMs: now() };
      }),
    async prepare(uses: readonly DataUse[]): Promise<Prepared> {
      const mounts: Extract<Prepared, { kind: 'ready' }>['mounts'] = {};
      for (const { want } of uses) {
        const thing = things.get(want.name);
        if (thing === undefined) return { kind: 'failed', message: missing(want) };
        const mode = want.kind === 'mount' ? want.mount.mode : 'ro';
        mounts[want.name] = { uri: want.stem, mode, local_path: thing.path };
      }
      const writeBack = async () => {
        written.push(...uses.filter(({ want }) => want.fixed === 'rw').map(({ want }) => want.name));
        return null;
      };
      return { kind: 'ready', mounts, tables: {}, inputs: {}, versions: {}, params: {}, writeBack };
    },
  };
}
