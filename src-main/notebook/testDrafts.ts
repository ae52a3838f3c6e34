import { type KeptTestDraft, keptTestDraft } from '../../src-shared/wire/cellTests.ts';
import { createInTurn } from '../lib/inTurn.ts';
import { loadSidecar, saveSidecar } from './sidecarFile.ts';

/** Drafts kept, and characters of all of them together; the oldest go first. */
export const MAX_DRAFTS = 100;
export const MAX_DRAFT_CHARACTERS = 8_000_000;

const NAME = 'test_drafts.json';

/** `.svc/test_drafts.json`: words typed into test files that no file has, because somebody else wrote there too. */
export interface TestDrafts {
  /** Oldest first. `problem` says in words that a damaged record was set aside. */
  list(): Promise<{ readonly drafts: readonly KeptTestDraft[]; readonly problem: string | null }>;
  /** Keeps the newest draft of a cell's tests. */
  keep(draft: KeptTestDraft): Promise<void>;
  /** It is settled. */
  forget(cellId: string): Promise<void>;
}

/** @param dir the notebook's folder */
export function createTestDrafts(dir: string): TestDrafts {
  const inTurn = createInTurn();
  const load = async (): Promise<Awaited<ReturnType<TestDrafts['list']>>> => {
    const { value, isDamaged } = await loadSidecar(dir, NAME, keptTestDraft.array());
    const problem = isDamaged
      ? `Tests that were typed and not saved could not be read; their record is set aside as .svc/${NAME}.bad.`
      : null;
    return { drafts: value ?? [], problem };
  };
  const others = async (cellId: string): Promise<readonly KeptTestDraft[]> =>
    (await load()).drafts.filter((one) => one.cell_id !== cellId);
  return {
    list: () => inTurn(load),
    keep: (draft) =>
      inTurn(async () => saveSidecar(dir, NAME, newestOf([...(await others(draft.cell_id)), draft]))),
    forget: (cellId) =>
      inTurn(async () => {
        const { drafts } = await load();
        const left = drafts.filter((one) => one.cell_id !== cellId);
        if (left.length < drafts.length) await saveSidecar(dir, NAME, left);
      }),
  };
}

/** The newest one stays whatever its size: it is what somebody just typed. */
function newestOf(drafts: readonly KeptTestDraft[]): readonly KeptTestDraft[] {
  let room = MAX_DRAFT_CHARACTERS;
  const kept = drafts.slice(-MAX_DRAFTS).toReversed();
  const fitting = kept.filter(({ text, base }, at) => {
    room -= text.length + base.length;
    return at === 0 || room >= 0;
  });
  return fitting.reverse();
}
