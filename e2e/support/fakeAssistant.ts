/** The assistant of a fake server, for browser tests and benchmarks: the test writes its chats and runs its jobs. */

import { PassThrough } from 'node:stream';
import type {
  AgentBody,
  AgentDone,
  AgentPreview,
  AgentStatus,
  ChatBody,
  ContextBody,
  SuggestAnswer,
  SuggestBody,
} from '../../src-shared/wire/assistant.ts';
import type { AiStatus } from '../../src-shared/wire/routes/ai.ts';
import type { FakeServer, refusal } from './fakeServer.ts';

export const AI_READY: AiStatus = {
  available: true,
  model: 'qwen3:8b',
  provider: 'local',
  base_url: 'http://localhost:11434/v1',
  hint: null,
  own: {
    model: null,
    base_url: null,
    max_output_tokens: null,
    timeout_seconds: null,
    max_context_tokens: null,
    approval_timeout_seconds: null,
  },
};

export const AI_UNSET: AiStatus = {
  ...AI_READY,
  available: false,
  model: null,
  provider: null,
  base_url: null,
  hint: 'No API key is set.',
};

/** One chat whose answer the test writes. */
export interface FakeChat {
  readonly body: ChatBody;
  readonly delta: (text: string) => void;
  readonly done: () => void;
  readonly error: (message: string, code: string) => void;
  /** Ends the connection in the middle of the answer. */
  readonly breakOff: () => void;
  /** Whether the client has left. */
  readonly isLeft: () => boolean;
}

export class FakeAssistant {
  readonly #fake: FakeServer;
  readonly chats: FakeChat[] = [];
  readonly jobs: AgentBody[] = [];
  /** The requests for suggestions at the caret, and the function that answers them. */
  readonly suggested: SuggestBody[] = [];
  suggest: (body: SuggestBody) => string | ReturnType<typeof refusal> = () => '';
  status: AgentStatus = { job: null, history: [], problem: null, usage: {} };
  jobId = 'job00001';
  #calls = 0;

  constructor(fake: FakeServer, ai: AiStatus = AI_READY) {
    this.#fake = fake;
    fake.answers = {
      ...fake.answers,
      aiStatus: ai,
      aiModels: { models: ['llama3.2', 'qwen3:8b'], current: ai.model, provider: ai.provider },
      aiAgentStatus: () => this.status,
      aiAgentReset: { status: 'ok' },
      aiContext: ({ body }) => this.#context(body as ContextBody),
      aiSuggest: ({ body }) => {
        this.suggested.push(body as SuggestBody);
        const text = this.suggest(body as SuggestBody);
        if (typeof text !== 'string') return text;
        return { text, model: 'qwen3:8b', tokens: { input: 90, output: 12 } } satisfies SuggestAnswer;
      },
      aiStream: ({ body }) => this.#chat(body as ChatBody),
      aiAgent: ({ body }) => {
        this.jobs.push(body as AgentBody);
        return { job_id: this.jobId, status: 'started' };
      },
    };
  }

  get last(): FakeChat {
    const chat = this.chats.at(-1);
    if (chat === undefined) throw new Error('nothing was asked');
    return chat;
  }

  progress(event: 'started' | 'iteration' | 'notice', detail: string): void {
    this.#fake.send('agent_progress', { job_id: this.jobId, event, detail, data: {} });
  }

  text(text: string): void {
    this.#fake.send('agent_text_delta', { job_id: this.jobId, text });
  }

  /** Sends the start of a tool call; the returned function sends its result. */
  call(tool: string, args: Record<string, unknown>): (result: string, isError?: boolean) => void {
    this.#calls += 1;
    const id = `call${this.#calls}`;
    const { jobId } = this;
    const data = { tool, arguments: args, tool_call_id: id };
    this.#fake.send('agent_progress', { job_id: jobId, event: 'tool_call', detail: tool, data });
    return (result, isError = false) => {
      const resultData = { tool, tool_call_id: id, result, duration_ms: 3, is_error: isError };
      this.#fake.send('agent_progress', {
        job_id: jobId,
        event: 'tool_result',
        detail: `${tool}: ${result}`,
        data: resultData,
      });
    };
  }

  /** Asks for a confirmation, which waits for the user. */
  ask(question: { tool: string; summary: string; preview: AgentPreview; waitMs?: number }): void {
    const { tool, summary, preview, waitMs = 120_000 } = question;
    const args = {};
    this.#fake.send('agent_confirm_request', {
      job_id: this.jobId,
      request_id: '0123456789ab',
      tool,
      arguments: args,
      args,
      summary,
      preview,
      expires_at: new Date(Date.now() + waitMs).toISOString(),
    });
  }

  done(end: Partial<AgentDone> = {}): void {
    this.#fake.send('agent_done', {
      job_id: this.jobId,
      content: '',
      model: 'qwen3:8b',
      tokens: { input: 1_200, output: 340 },
      iterations: 1,
      tool_calls: [],
      cancelled: false,
      error: null,
      undo_id: null,
      ...end,
    });
    this.#fake.broadcastState();
  }

  #chat(body: ChatBody): PassThrough {
    const stream = new PassThrough();
    const write = (event: string, data: object): void => {
      stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    this.chats.push({
      body,
      delta: (text) => write('delta', { text }),
      done: () => {
        write('done', { model: 'qwen3:8b', tokens: { input: 900, output: 120 } });
        stream.end();
      },
      error: (message, code) => {
        write('error', { message, code });
        stream.end();
      },
      breakOff: () => stream.end(),
      isLeft: () => stream.destroyed && !stream.writableEnded,
    });
    return stream;
  }

  #context(body: ContextBody) {
    const left = new Set(body.leave_out);
    const part = (kind: 'instructions' | 'message', text: string) => ({
      kind,
      characters: text.length,
      tokens: Math.ceil(text.length / 4),
      cut: false,
      text,
    });
    const parts = [
      part('instructions', 'You are the assistant of a notebook. '.repeat(20)),
      ...this.#fake.body.cells
        .filter(({ id }) => !left.has(id))
        .map(({ id, source, annotations: { name } }) => ({
          kind: 'cell' as const,
          cell_id: id,
          name,
          characters: source.length,
          tokens: Math.ceil(source.length / 4),
          cut: false,
          text: source,
        })),
      part('message', body.message),
    ];
    const sum = (of: 'characters' | 'tokens') => parts.reduce((total, one) => total + one[of], 0);
    return {
      provider: 'local',
      model: 'qwen3:8b',
      base_url: 'http://localhost:11434/v1',
      hint: null,
      parts,
      characters: sum('characters'),
      tokens: sum('tokens'),
      limit: 100_000,
      hidden: 1,
    };
  }
}
