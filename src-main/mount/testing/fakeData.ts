import type { DataAccess, DataUse, PreparedData } from '../dataAccess.ts';
import type { DataItem } from '../dataItem.ts';

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
  const missing = ({ name }: DataItem) => `There is no ${name}.`;
  return {
    things,
    looked,
    written,
    check: async (items, { purpose }) =>
      items.map((item) => {
        looked.push({ name: item.name, purpose });
        const thing = things.get(item.name);
        const { key } = item;
        return thing === undefined
          ? { key, token: null, problem: missing(item), checkedAtMs: now() }
          : { key, token: thing.token, problem: null, checkedAtMs: now() };
      }),
    async prepare(uses: readonly DataUse[]): Promise<PreparedData> {
      const mounts: Extract<PreparedData, { kind: 'ready' }>['mounts'] = {};
      for (const { item } of uses) {
        const thing = things.get(item.name);
        if (thing === undefined) return { kind: 'failed', message: missing(item) };
        const mode = item.kind === 'mount' ? item.mount.mode : 'ro';
        mounts[item.name] = { uri: item.stem, mode, local_path: thing.path };
      }
      const writeBack = async () => {
        written.push(...uses.filter(({ item }) => item.fixed === 'rw').map(({ item }) => item.name));
        return null;
      };
      return { kind: 'ready', mounts, tables: {}, inputs: {}, versions: {}, params: {}, writeBack };
    },
  };
}
