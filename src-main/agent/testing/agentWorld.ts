/** For tests of the assistant: an assistant over a notebook in memory, with a model that replies by a script. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentBody } from '../../../src-shared/wire/assistant.ts';
import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import type { ConversationReply, ToolCall } from '../../ai/conversation.ts';
import type { ConversationQuestion } from '../../ai/openConversation.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { createLogger } from '../../observe/log.ts';
import type { Origin } from '../../session/state/requests.ts';
import { type Assistant, createAssistant } from '../assistant.ts';
import type { Job } from '../job.ts';
import { type FakeNotebook, type FakeOptions, fakeNotebook } from './fakeNotebook.ts';

/** One turn of the scripted model; a function may wait or fail. */
export type Script =
  | Partial<ConversationReply>
  | ((question: ConversationQuestion, signal: AbortSignal) => Promise<Partial<ConversationReply>>);

type PayloadOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>['payload'];

export interface AgentWorld {
  readonly notebook: FakeNotebook;
  readonly assistant: Assistant;
  /** The requests to the model, in order. */
  readonly asked: ConversationQuestion[];
  start(body?: Partial<AgentBody>): Job;
  /** The frames of one type. */
  of<T extends ServerFrame['type']>(type: T): PayloadOf<T>[];
  /** Resolves once a matching frame was sent. */
  until(fits: (frame: ServerFrame) => boolean): Promise<ServerFrame>;
  dispose(): Promise<void>;
}

const ORIGIN: Origin = { kind: 'caller', identity: 'local' };
const PLAIN: AgentBody = {
  message: 'Do it',
  auto_approve: false,
  confirm_all: false,
  extra_tools: false,
  leave_out: [],
};

let calls = 0;
/** A tool call with these arguments, or with this text in place of JSON. */
export function callOf(name: string, args: unknown): ToolCall {
  calls += 1;
  return { id: `c${calls}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}

/** An assistant for a notebook in memory, with a model that replies by the script. */
export async function agentWorld(
  script: readonly Script[],
  options: Omit<FakeOptions, 'path'> = {},
): Promise<AgentWorld> {
  const path = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-agent-')));
  await mkdir(join(path, '.svc'));
  const notebook = fakeNotebook({ ...options, path });
  const asked: ConversationQuestion[] = [];
  const log = createLogger({ level: 'CRITICAL', format: 'json' });
  const tables = { summary: async () => ({ pageable: false, columns: [], total: 0 }) };
  const assistant = createAssistant(notebook, {
    tables: tables as never, // no table is stored
    log,
    open: () => ({
      async ask(question, { signal, onText }) {
        asked.push(question);
        const turn = script[asked.length - 1] ?? {};
        const part = typeof turn === 'function' ? await turn(question, signal) : turn;
        signal.throwIfAborted();
        const reply = { text: '', calls: [], inputTokens: 3, outputTokens: 2, isCut: false, ...part };
        if (reply.text !== '') onText(reply.text);
        return reply;
      },
    }),
  });
  const until = (fits: (frame: ServerFrame) => boolean): Promise<ServerFrame> =>
    new Promise((resolve) => {
      const look = (): void => {
        const frame = notebook.frames.find(fits);
        if (frame === undefined) setImmediate(look);
        else resolve(frame);
      };
      look();
    });
  return {
    notebook,
    assistant,
    asked,
    until,
    start: (body = {}) => assistant.start({ ...PLAIN, ...body }, ORIGIN),
    of: <T extends ServerFrame['type']>(type: T): PayloadOf<T>[] =>
      notebook.frames.filter((frame) => frame.type === type).map(({ payload }) => payload as PayloadOf<T>),
    async dispose() {
      await assistant.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}
