/** Texts typed in this window that the server has not acknowledged, and what becomes of them when it replies. Pure. */

import { merge3 } from '../../src-shared/notebook/merge3.ts';

/**
 * Sources typed in this window that the server has not acknowledged. States of a draft: `withTyped` (not sent),
 * `withSent` (in flight), `withWriteRefused` (the server or an edit elsewhere conflicts with it; the user chooses).
 * Changes elsewhere in other lines are merged into the draft. Pure: the session sends. A draft is never dropped because
 * of a lost connection.
 */
export interface Draft {
  readonly text: string;
  /** The server's source that the draft is based on. */
  readonly base: string;
  readonly state: 'typed' | 'sent' | 'refused';
  /** What was sent and not yet acknowledged, oldest first. */
  readonly sent: readonly string[];
  /**
   * Texts that were sent and withdrawn before their reply, oldest first: their replies arrive before those of
   * `withSent`.
   */
  readonly owed?: readonly string[];
  /** The server's message of a refusal; null if an edit elsewhere came first. */
  readonly reason: string | null;
  /** Whether this window refused it because of its length: a shorter text is sent again. */
  readonly tooLong?: true;
  /**
   * Set when a command leads to the note of a refused draft, a new object each time. `unrun`: because a run was not
   * sent.
   */
  readonly led?: { readonly unrun: boolean };
  /**
   * Set when changes elsewhere were merged into the draft, until the server has accepted it: `mine` is the text before
   * that.
   */
  readonly merged?: { readonly mine: string; readonly insist: boolean };
}

export type Drafts = Readonly<Record<string, Draft>>;

export function withTyped(drafts: Drafts, id: string, edit: { text: string; serverSource: string }): Drafts {
  const before = drafts[id];
  if (before === undefined) {
    if (edit.text === edit.serverSource) return drafts;
    const draft: Draft = {
      text: edit.text,
      base: edit.serverSource,
      state: 'typed',
      sent: [],
      reason: null,
    };
    return { ...drafts, [id]: draft };
  }
  const state = before.state === 'refused' ? 'refused' : 'typed';
  return { ...drafts, [id]: { ...before, text: edit.text, state } };
}

/** Marks the current text of a draft as sent. */
export function withSent(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  const { tooLong: _fits, led: _there, ...rest } = draft;
  return { ...drafts, [id]: { ...rest, state: 'sent', sent: [...draft.sent, draft.text], reason: null } };
}

/** The server accepted the oldest sent text; text typed or sent since remains a draft. */
export function withAccepted(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  const [acceptedText, ...inFlight] = draft?.sent ?? [];
  if (draft === undefined || acceptedText === undefined) return drafts;
  if (inFlight.length === 0 && draft.text === acceptedText) return withoutDraft(drafts, id);
  const { merged: _taken, ...rest } = draft;
  return { ...drafts, [id]: { ...rest, base: acceptedText, sent: inFlight } };
}

/** The server refused the oldest sent text. */
export function withRefused(drafts: Drafts, id: string, reason: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  return { ...drafts, [id]: { ...takenBack(draft, draft.sent.slice(1)), state: 'refused', reason } };
}

/** Withdraws the sent texts, although replies to some of them are still due. */
function takenBack(draft: Draft, unanswered: readonly string[]): Draft {
  const owedTexts = [...(draft.owed ?? []), ...unanswered];
  return { ...draft, sent: [], ...(owedTexts.length === 0 ? {} : { owed: owedTexts }) };
}

/** The withdrawn text whose reply is due next. */
export function nextPendingReply(drafts: Drafts, id: string): string | undefined {
  return drafts[id]?.owed?.[0];
}

/** The reply to a withdrawn text has arrived: it does not affect texts sent since. */
export function withoutPendingReply(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  const { owed: owedTexts = [], ...rest } = draft;
  return { ...drafts, [id]: owedTexts.length > 1 ? { ...rest, owed: owedTexts.slice(1) } : rest };
}

/** Marks a text that cannot be sent; earlier sent texts are still in flight. */
function unfit(drafts: Drafts, id: string, reason: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  return { ...drafts, [id]: { ...takenBack(draft, draft.sent), state: 'refused', reason } };
}

/** Restores a refused draft from an earlier window. */
export function withRefusedDraft(
  drafts: Drafts,
  id: string,
  { text, base, reason }: { readonly text: string; readonly base: string; readonly reason: string },
): Drafts {
  return drafts[id] === undefined
    ? { ...drafts, [id]: { text, base, state: 'refused', sent: [], reason } }
    : drafts;
}

/** Marks a refused draft so that its note gets the focus. */
export function withAttention(drafts: Drafts, id: string, { unrun }: { readonly unrun: boolean }): Drafts {
  const draft = drafts[id];
  return draft?.state === 'refused' ? { ...drafts, [id]: { ...draft, led: { unrun } } } : drafts;
}

/** Marks a text that is longer than the server accepts. */
export function withTooLong(drafts: Drafts, id: string, reason: string): Drafts {
  const refused = unfit(drafts, id, reason);
  const draft = refused[id];
  return draft === undefined ? refused : { ...refused, [id]: { ...draft, tooLong: true } };
}

/**
 * The file was changed elsewhere and the text was not written over it. The text becomes a draft again, even if the
 * server had accepted it, and the user decides. Text typed since is newer and is kept.
 */
export function withWriteRefused(
  drafts: Drafts,
  id: string,
  refusal: {
    readonly source?: string | undefined;
    readonly base_source?: string | undefined;
    readonly error: string;
  },
): Drafts {
  const before = drafts[id];
  if (before !== undefined) {
    const base = refusal.base_source ?? before.base;
    return unfit({ ...drafts, [id]: { ...before, base } }, id, refusal.error);
  }
  if (refusal.source === undefined) return drafts;
  const draft: Draft = {
    text: refusal.source,
    // Without a common ancestor, the texts cannot be merged.
    base: refusal.base_source ?? '',
    state: 'refused',
    sent: [],
    reason: refusal.error,
  };
  return { ...drafts, [id]: draft };
}

/**
 * The drafts after a full state. Its sources show which sent texts arrived. If a draft's base differs from the server's
 * source, someone else's edit came first: changes of other lines are merged into the draft, and if both changed the
 * same lines, the draft waits for the user to decide. `isAnswered`: the texts were sent on the socket that the state
 * arrived on.
 */
export function afterFullState(
  drafts: Drafts,
  { sources, isAnswered }: { readonly sources: ReadonlyMap<string, string>; readonly isAnswered: boolean },
): Drafts {
  const remaining: Record<string, Draft> = {};
  for (const [id, { owed: owedTexts, ...rest }] of Object.entries(drafts)) {
    // Requests sent on the old socket get no reply on a new one.
    const draft: Draft = isAnswered && owedTexts !== undefined ? { ...rest, owed: owedTexts } : rest;
    const server = sources.get(id);
    if (server === undefined) continue;
    // Texts sent on this socket still get a reply, in a later frame.
    if (isAnswered && draft.sent.length + (draft.owed?.length ?? 0) > 0) {
      remaining[id] = draft;
      continue;
    }
    if (server === draft.text) continue;
    const overtaken = server !== draft.base && !draft.sent.includes(server);
    const both = overtaken ? merge3({ base: draft.base, mine: draft.text, theirs: server }) : null;
    if (both?.kind === 'clean') {
      const merged = { mine: draft.text, insist: false };
      // If the server's text already contains the draft, there is nothing to send.
      if (both.text !== server) {
        remaining[id] = { text: both.text, base: server, state: 'typed', sent: [], reason: null, merged };
      }
    } else if (draft.state === 'refused') remaining[id] = draft;
    else if (overtaken) remaining[id] = { ...draft, state: 'refused', sent: [], reason: null };
    // Sent texts may have been lost with the socket. They are sent again, which has no effect if they arrived.
    else remaining[id] = { ...draft, state: 'typed', sent: [], base: server };
  }
  return remaining;
}

export function withoutDraft(drafts: Drafts, id: string): Drafts {
  const { [id]: _gone, ...rest } = drafts;
  return rest;
}

/** The draft includes what another program wrote, so it may overwrite the file. */
export function withOverwrite(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft?.merged === undefined) return drafts;
  return {
    ...drafts,
    [id]: {
      ...takenBack(draft, draft.sent.slice(1)),
      state: 'typed',
      merged: { ...draft.merged, insist: true },
    },
  };
}

/** A sent text was refused because the cell was running: it is sent again later. */
export function withResend(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  return { ...drafts, [id]: { ...takenBack(draft, draft.sent.slice(1)), state: 'typed' } };
}
