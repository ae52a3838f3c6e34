/** The assistant's conversation about a notebook, which is saved in the notebook's folder between sessions. */

import * as z from 'zod';
import { type UndoMark, undoMark } from '../../src-shared/wire/undo.ts';
import { createSerialRunner } from '../lib/serialRunner.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownName, ownPlace } from '../notebook/folder/ownPlaces.ts';
import { loadRecord, removeRecord, saveRecord } from '../notebook/folder/record.ts';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** For a user's message: the position in the undo record when it was sent. */
  readonly mark?: UndoMark | undefined;
}

/** The conversation of a notebook's assistant, in `.svc/agent_history.json`. */
export interface Memory {
  /** The turns, oldest first; `problem`: a message that a damaged file was set aside. */
  load(): Promise<{ readonly turns: readonly Turn[]; readonly problem: string | null }>;
  add(turns: readonly Turn[]): Promise<void>;
  clear(): Promise<void>;
}

/** Maximum text turns of both sides together (docs/spec/prompts-and-ai.md, 7). */
const MAX_TURNS = 12;
/** Longer turns are truncated when they are stored. */
const MAX_CHARACTERS = 20_000;

const stored = z.array(
  z.object({ role: z.enum(['user', 'assistant']), content: z.string(), mark: undoMark.optional() }),
);

/** @param mayWrite false while a hold prevents writes in the folder: the turns stay in memory */
export function createMemory(dir: NotebookFolder, mayWrite: () => boolean): Memory {
  const place = ownPlace(dir, 'agentHistory');
  const inTurn = createSerialRunner();
  let turnCache: readonly Turn[] | null = null;
  let problem: string | null = null;
  const loadTurns = async (): Promise<readonly Turn[]> => {
    if (turnCache !== null) return turnCache;
    const { value, isDamaged } = await loadRecord(place, stored);
    if (isDamaged) {
      problem = `The earlier conversation is lost because its record was damaged. It was renamed to ${ownName('agentHistory')}.bad.`;
    }
    turnCache = (value ?? []).slice(-MAX_TURNS);
    return turnCache;
  };
  return {
    load: () => inTurn(async () => ({ turns: await loadTurns(), problem })),
    add: (turns) =>
      inTurn(async () => {
        const short = turns.map((turn) => ({
          ...turn,
          content: turn.content.slice(0, MAX_CHARACTERS).toWellFormed(),
        }));
        turnCache = [...(await loadTurns()), ...short].slice(-MAX_TURNS);
        if (mayWrite()) await saveRecord(place, turnCache);
      }),
    clear: () =>
      inTurn(async () => {
        turnCache = [];
        problem = null;
        if (mayWrite()) await removeRecord(place);
      }),
  };
}
