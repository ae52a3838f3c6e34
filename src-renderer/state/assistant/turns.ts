/**
 * The conversation with the assistant as this window shows it, as pure data. A turn is one message and its answer,
 * from a chat (`ask`) or from a job with tools (`agent`).
 */
import type { AgentConfirmRequest, AgentStatus } from '../../../src-shared/wire/assistant.ts';
import type { UndoMark } from '../../../src-shared/wire/undo.ts';

export type AssistantMode = 'ask' | 'agent';

/** Why an answer is incomplete. `code` comes from the server; `lost` means that the connection ended. */
export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

/** A tool call, or a remark of the server. */
export interface Step {
  readonly kind: 'step';
  readonly id: string;
  /** Null for a remark. */
  readonly tool: string | null;
  /** What the tool is about: a variable or a package. */
  readonly subject: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'declined';
  /** The result of the call, or the remark. */
  readonly detail: string;
}

interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
}

type Piece = TextPiece | Step;

/** A question that waits for the user's answer. */
export interface Question {
  readonly request: AgentConfirmRequest;
  /** By this window's clock. */
  readonly deadlineMs: number;
}

export interface Turn {
  readonly id: number;
  readonly mode: AssistantMode;
  readonly message: string;
  /** The cell that the message is about. */
  readonly cellId: string | null;
  readonly pieces: readonly Piece[];
  readonly state: 'starting' | 'running' | 'stopping' | 'done' | 'cancelled' | 'failed';
  readonly failure: TurnFailure | null;
  /** The id of the job; null for a chat. */
  readonly jobId: string | null;
  readonly question: Question | null;
  readonly model: string | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** The entry of the undo stack that contains all changes of the job. */
  readonly undoId: string | null;
  /** The state of the undo stack when the message was sent; null if unknown. */
  readonly mark: UndoMark | null;
}

export function newTurn(of: Pick<Turn, 'id' | 'mode' | 'message' | 'cellId'>): Turn {
  return {
    ...of,
    pieces: [],
    state: 'starting',
    failure: null,
    jobId: null,
    question: null,
    model: null,
    tokens: null,
    undoId: null,
    mark: null,
  };
}

/** Whether the answer may still change. */
export function isOpen({ state }: Turn): boolean {
  return state === 'starting' || state === 'running' || state === 'stopping';
}

/** The text of the answer, without the steps between. */
export function textOf({ pieces }: Turn): string {
  return pieces
    .flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []))
    .join('\n\n')
    .trim();
}

export function withText(turn: Turn, text: string): Turn {
  const last = turn.pieces.at(-1);
  const pieces =
    last?.kind === 'text'
      ? [...turn.pieces.slice(0, -1), { ...last, text: last.text + text }]
      : [...turn.pieces, { kind: 'text' as const, text }];
  return { ...turn, pieces };
}

/** The turn with the complete text of a job from the server, in place of the part that was received. */
export function withWholeText(turn: Turn, text: string): Turn {
  if (text === '') return turn;
  const last = turn.pieces.at(-1);
  const before = last?.kind === 'text' ? turn.pieces.slice(0, -1) : turn.pieces;
  return { ...turn, pieces: [...before, { kind: 'text', text }] };
}

export function withStep(turn: Turn, step: Step): Turn {
  const isKnown = turn.pieces.some((piece) => piece.kind === 'step' && piece.id === step.id);
  const pieces = isKnown
    ? turn.pieces.map((piece) => (piece.kind === 'step' && piece.id === step.id ? step : piece))
    : [...turn.pieces, step];
  return { ...turn, pieces };
}

/** Ends a turn; steps that were still running did not finish. */
export function withEnd(turn: Turn, end: Partial<Turn> & Pick<Turn, 'state'>): Turn {
  const pieces = turn.pieces.map((piece) =>
    piece.kind === 'step' && piece.state === 'running' ? { ...piece, state: 'failed' as const } : piece,
  );
  return { ...turn, pieces, question: null, ...end };
}

const MAX_HISTORY = 20;
const MAX_CHARACTERS = 20_000;

/** The earlier turns that a chat request contains, within the limits of the route. */
export function historyOf(
  turns: readonly Turn[],
): { readonly role: 'user' | 'assistant'; readonly content: string }[] {
  return turns
    .flatMap((turn) => {
      const answer = textOf(turn);
      if (answer === '') return [];
      return [
        { role: 'user' as const, content: turn.message.slice(0, MAX_CHARACTERS) },
        { role: 'assistant' as const, content: answer.slice(0, MAX_CHARACTERS) },
      ];
    })
    .slice(-MAX_HISTORY);
}

/** The turns of earlier jobs that the server remembers. */
export function rememberedTurns(history: AgentStatus['history'], nextId: () => number): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { role, content, mark = null } of history) {
    const last = turns.at(-1);
    if (role === 'user') {
      turns.push({
        ...newTurn({ id: nextId(), mode: 'agent', message: content, cellId: null }),
        state: 'done',
        mark,
      });
    } else if (last !== undefined) turns[turns.length - 1] = withText(last, content);
  }
  return turns;
}
