import { describe, expect, it } from 'vitest';
import type { AgentNotebook } from './agentNotebook.ts';
import { createUndoStep, type UndoChange, withChange } from './undoStep.ts';

const source = (before: string, after: string): UndoChange => ({
  kind: 'source',
  cellId: 'a',
  before,
  after,
});
const added: UndoChange = { kind: 'added', cellId: 'a' };
const deleted: UndoChange = { kind: 'deleted', cellId: 'a' };

describe('[AG-22] the changes of a job as one step', () => {
  it.each<readonly [string, readonly UndoChange[], readonly UndoChange[]]>([
    ['two edits are one', [source('1', '2'), source('2', '3')], [source('1', '3')]],
    ['an edit and its reverse cancel out', [source('1', '2'), source('2', '1')], []],
    ['edits of an added cell belong to it', [added, source('1', '2')], [added]],
    ['a cell added and removed cancels out', [added, source('1', '2'), deleted], []],
    ['a deletion after an edit keeps both', [source('1', '2'), deleted], [source('1', '2'), deleted]],
  ])('%s', (_what, made, expected) => {
    expect(made.reduce<readonly UndoChange[]>(withChange, [])).toEqual(expected);
  });
});

/** A notebook that collects the changes of its undo record after each write, in order. */
function recorded(): { readonly notebook: AgentNotebook; readonly kept: (readonly UndoChange[])[] } {
  const records: (readonly UndoChange[])[] = [];
  const notebook = {
    announce: () => undefined,
    views: {
      notebook: { hold: 'free' },
      editor: {
        undoRecord: {
          keep: async ({ done }: { done: readonly { changes: readonly UndoChange[] }[] }) => {
            records.push(done[0]?.changes ?? []);
            return done.length;
          },
        },
      },
    },
  } as unknown as AgentNotebook; // the only part that a step uses
  return { notebook, kept: records };
}

describe('[AG-107] a change is recorded before it is made', () => {
  const row = (before: string, after: string) => source(before, after);

  it('if the server is killed then, the change is the last one of the entry', async () => {
    const { notebook, kept } = recorded();
    const step = createUndoStep(notebook, 'j');
    await step.make(row('1', '2'), async () => row('1', '2'));
    await step.make(row('2', '3'), async () => {
      expect(kept.at(-1)).toEqual([row('1', '2'), row('2', '3')]);
      return row('2', '3');
    });
    expect(kept.at(-1)).toEqual([row('1', '3')]);
    expect(step.textBefore('a')).toBe('1');
  });

  it('a change that fails leaves the entry unchanged', async () => {
    const { notebook, kept } = recorded();
    const step = createUndoStep(notebook, 'j');
    await step.make(added, async () => null);
    expect(kept).toEqual([[added], []]);
    expect(step.id).toBeNull();
    await step.make(added, async () => added);
    await step.make(deleted, async () => null);
    expect(kept.at(-1)).toEqual([added]);
    expect(step.id).toBe('assistant-j');
  });
});
