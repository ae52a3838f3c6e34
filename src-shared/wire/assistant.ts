/**
 * The wire form of the assistant (docs/spec/prompts-and-ai.md, 6, 7): its requests, its frames, and previews of its
 * changes.
 */

import * as z from 'zod';
import { undoMark } from './undo.ts';

const MAX_MESSAGE = 10_000;
const MAX_HISTORY_TEXT = 20_000;
const MAX_HISTORY = 20;
const MAX_LEFT_OUT = 10_000;

const AGENT_TOOLS = [
  'get_notebook_state',
  'create_cell',
  'edit_cell',
  'delete_cell',
  'run_cell',
  'add_package',
  // Extensions, which a request must enable:
  'search_notebook',
  'explain_cell',
  'describe_value',
  'look_at_figure',
] as const;
export type AgentToolName = (typeof AGENT_TOOLS)[number];

const message = z.string().min(1).max(MAX_MESSAGE);
/** Extension: cells that are not sent. */
const leaveOut = z.array(z.string().max(256)).max(MAX_LEFT_OUT).default([]);

export const chatBody = z.object({
  message,
  cell_id: z.string().max(256).nullish(),
  history: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string().max(MAX_HISTORY_TEXT) }))
    .max(MAX_HISTORY)
    .default([]),
  leave_out: leaveOut,
});
export type ChatBody = z.infer<typeof chatBody>;

export const agentBody = z.object({
  message,
  /** Changes need no confirmation. */
  auto_approve: z.boolean().default(false),
  /** Extension: every change and run needs a confirmation, not only deletions and packages. */
  confirm_all: z.boolean().default(false),
  /** Extension: further tools that only read. */
  extra_tools: z.boolean().default(false),
  leave_out: leaveOut,
  /** Extension: the undo mark of the sending window, to rewind to; absent: that of the record. */
  mark: undoMark.optional(),
});
export type AgentBody = z.infer<typeof agentBody>;

/** Extension: shows the content of a request without sending it. */
export const contextBody = z.object({
  for: z.enum(['chat', 'agent']),
  message: z.string().max(MAX_MESSAGE).default(''),
  cell_id: z.string().max(256).nullish(),
  history: chatBody.shape.history,
  extra_tools: z.boolean().default(false),
  leave_out: leaveOut,
});
export type ContextBody = z.infer<typeof contextBody>;

export const aiTokens = z.object({ input: z.int(), output: z.int() });

const MAX_TEXT = 200_000;

/** Extension: a suggestion for the caret of a cell that is being edited; its text may not be saved yet. */
export const suggestBody = z.object({
  cell_id: z.string().max(256),
  /** The text of the cell up to the caret, and from there on. */
  before: z.string().max(MAX_TEXT),
  after: z.string().max(MAX_TEXT),
  leave_out: leaveOut,
});
export type SuggestBody = z.infer<typeof suggestBody>;

export const suggestAnswer = z.object({
  /** To insert at the caret; empty: no suggestion. */
  text: z.string(),
  model: z.string(),
  /** Zero if no request was sent. */
  tokens: aiTokens,
});
export type SuggestAnswer = z.infer<typeof suggestAnswer>;

const contextPart = z.object({
  kind: z.enum(['instructions', 'tools', 'packages', 'cell', 'history', 'message']),
  /** The cell that the message is about. */
  cell_id: z.string().optional(),
  name: z.string().nullable().optional(),
  characters: z.int(),
  /** An estimate: four characters are about one token. */
  tokens: z.int(),
  /** Whether the limit left out some of it, or all (`characters` is then 0). */
  cut: z.boolean(),
  /** The text exactly as it is sent. */
  text: z.string(),
});

export const contextPreview = z.object({
  /** Where it would be sent; null: no provider, so nothing can be sent. */
  provider: z.string().nullable(),
  model: z.string().nullable(),
  base_url: z.string().nullable(),
  hint: z.string().nullable(),
  parts: z.array(contextPart),
  characters: z.int(),
  tokens: z.int(),
  /** Maximum characters of packages and cells. */
  limit: z.int(),
  /** Secret values in what would be sent; each is replaced. */
  hidden: z.int(),
});
export type ContextPreview = z.infer<typeof contextPreview>;

/** The effects of a change, for the user who decides. */
const agentPreview = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('create'),
    language: z.string(),
    source: z.string(),
    /** Null: at the end. */
    after_cell_id: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('edit'),
    cell_id: z.string(),
    before: z.string(),
    after: z.string(),
    /** Lines in the form of a unified diff, without a header. */
    diff: z.string(),
    /** Cells that would become stale. */
    stale: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('delete'),
    cell_id: z.string(),
    source: z.string(),
    stale: z.array(z.string()),
    /** Names that other cells read and nothing would define. */
    lost: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('run'),
    cell_id: z.string(),
    source: z.string(),
    /** Cells that run before it. */
    upstream: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('packages'),
    requirement: z.string(),
    changes: z.array(
      z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
    ),
    /** Why the changes are not known. */
    problem: z.string().nullable(),
  }),
]);
export type AgentPreview = z.infer<typeof agentPreview>;

const toolArguments = z.record(z.string(), z.unknown());

export const agentConfirmRequest = z.object({
  job_id: z.string(),
  request_id: z.string(),
  tool: z.string(),
  arguments: toolArguments,
  /** The arguments under their other name. */
  args: toolArguments,
  summary: z.string(),
  /** Extension. */
  preview: agentPreview,
  /** Extension: when a missing answer starts to count as a refusal. */
  expires_at: z.string(),
});
export type AgentConfirmRequest = z.infer<typeof agentConfirmRequest>;

export const agentProgress = z.object({
  job_id: z.string(),
  event: z.enum([
    'started',
    'iteration',
    'tool_call',
    'tool_result',
    'cancelled',
    'error',
    'done',
    // Extension: the provider is busy, or a confirmation was answered.
    'notice',
    'confirmed',
  ]),
  /** At most 200 characters. */
  detail: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type AgentProgress = z.infer<typeof agentProgress>;

export const agentDone = z.object({
  job_id: z.string(),
  content: z.string(),
  model: z.string(),
  tokens: aiTokens,
  iterations: z.int(),
  tool_calls: z.array(
    z.object({ tool: z.string(), args: z.unknown(), result: z.string(), duration_ms: z.int() }),
  ),
  cancelled: z.boolean(),
  error: z.string().nullable(),
  /** Extension: the code of the error. */
  error_code: z.string().nullable().optional(),
  /** Extension: the undo entry that reverts all its changes; null if it changed nothing. */
  undo_id: z.string().nullable(),
});
export type AgentDone = z.infer<typeof agentDone>;

/** Extension: the current job, for a window that connects later. */
export const agentStatus = z.object({
  job: z
    .object({
      job_id: z.string(),
      message: z.string(),
      iteration: z.int(),
      /** The text of the current turn so far. */
      text: z.string(),
      tokens: aiTokens,
      confirmation: agentConfirmRequest.nullable(),
    })
    .nullable(),
  /** The conversation that the next request will include. */
  history: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      /** For a message: the undo mark at the time it was sent. */
      mark: undoMark.optional(),
    }),
  ),
  /** A damaged history was set aside. */
  problem: z.string().nullable(),
  /** Tokens of this session, by model. */
  usage: z.record(z.string(), aiTokens.extend({ requests: z.int() })),
});
export type AgentStatus = z.infer<typeof agentStatus>;
