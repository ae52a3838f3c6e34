/** Typed text that the server has not acknowledged. */

import { merge3 } from '../../src-shared/notebook/merge3.ts';

/**
 * Sources typed in this window that the server has not acknowledged yet.
 * States of a draft: `withTyped` (not sent), `withSent` (in flight), `withRefused` (the server or another person's edit conflicts with
 * it; the person chooses). Other people's changes of other lines are merged into the draft. Pure: sending is the
 * session's job. A draft is never dropped because of a lost connection.
 */
export interface Draft {
  readonly text: string;
  /** The server's source that the draft is based on. */
  readonly base: string;
  readonly state: 'typed' | 'sent' | 'refused';
  /** What was sent and not yet acknowledged, oldest first. */
  readonly sent: readonly string[];
  /** Texts that were sent and withdrawn before their reply, oldest first: their replies arrive before those of `withSent`. */
  readonly owed?: readonly string[];
  /** Why it was refused, the server's message; null when another person's edit came first. */
  readonly reason: string | null;
  /** Refused by this window because of its length: a shorter text is sent again. */
  readonly tooLong?: true;
  /** Set when the note of a refused draft gets the focus, a new object each time. `unrun`: because a run was not sent. */
  readonly led?: { readonly unrun: boolean };
  /** The typed text before others' changes were merged into it; until the server has accepted it. */
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

/** The current draft is sent. */
export function withSent(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  const { tooLong: _fits, led: _there, ...rest } = draft;
  return { ...drafts, [id]: { ...rest, state: 'sent', sent: [...draft.sent, draft.text], reason: null } };
}

/** The server accepted the oldest sent text; text typed or sent since stays a draft. */
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

/** Sent texts no longer count, although replies to some of them are still due. */
function takenBack(draft: Draft, unanswered: readonly string[]): Draft {
  const owedTexts = [...(draft.owed ?? []), ...unanswered];
  return { ...draft, sent: [], ...(owedTexts.length === 0 ? {} : { owed: owedTexts }) };
}

/** The next withdrawn text whose reply is still due. */
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

/** The text cannot be sent; texts sent before are still on their way. */
function unfit(drafts: Drafts, id: string, reason: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  return { ...drafts, [id]: { ...takenBack(draft, draft.sent), state: 'refused', reason } };
}

/** A refused draft of an earlier window is shown again. */
export function withRefusedDraft(
  drafts: Drafts,
  id: string,
  { text, base, reason }: { readonly text: string; readonly base: string; readonly reason: string },
): Drafts {
  return drafts[id] === undefined
    ? { ...drafts, [id]: { text, base, state: 'refused', sent: [], reason } }
    : drafts;
}

/** Draws the attention of the user to a refused draft. */
export function withAttention(drafts: Drafts, id: string, { unrun }: { readonly unrun: boolean }): Drafts {
  const draft = drafts[id];
  return draft?.state === 'refused' ? { ...drafts, [id]: { ...draft, led: { unrun } } } : drafts;
}

/** The text is longer than any server accepts. */
export function withTooLong(drafts: Drafts, id: string, reason: string): Drafts {
  const refused = unfit(drafts, id, reason);
  const draft = refused[id];
  return draft === undefined ? refused : { ...refused, [id]: { ...draft, tooLong: true } };
}

/**
 * The file was changed outside and the text was not written over it: the text becomes a draft again, even if the server
 * had accepted it, and the person decides. Text typed since is newer and stays.
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
    // Without a common ancestor nothing can be merged.
    base: refusal.base_source ?? '',
    state: 'refused',
    sent: [],
    reason: refusal.error,
  };
  return { ...drafts, [id]: draft };
}

/**
 * A full state arrived: the server's sources settle what was sent. If a draft's base is no longer the server's source,
 * another person's edit came first: their changes of other lines are merged into it, and if both changed the same lines,
 * the draft waits for the person to decide. `isAnswered`: the texts were sent on the socket the state arrived on.
 */
export function afterFullState(
  drafts: Drafts,
  { sources, isAnswered }: { readonly sources: ReadonlyMap<string, string>; readonly isAnswered: boolean },
): Drafts {
  const remaining: Record<string, Draft> = {};
  for (const [id, { owed: owedTexts, ...rest }] of Object.entries(drafts)) {
    // Requests of the old socket get no reply on a new one.
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
      // Their text contains all of it: there is nothing to send.
      if (both.text !== server) {
        remaining[id] = { text: both.text, base: server, state: 'typed', sent: [], reason: null, merged };
      }
    } else if (draft.state === 'refused') remaining[id] = draft;
    else if (overtaken) remaining[id] = { ...draft, state: 'refused', sent: [], reason: null };
    // Sent texts may have been lost with the socket: they are sent again, which has no effect if they arrived.
    else remaining[id] = { ...draft, state: 'typed', sent: [], base: server };
  }
  return remaining;
}

export function withoutDraft(drafts: Drafts, id: string): Drafts {
  const { [id]: _gone, ...rest } = drafts;
  return rest;
}

/** The text contains what another program wrote, so it may overwrite the file. */
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

/** The sent text was refused because the cell was running: it is sent again later. */
export function withResend(drafts: Drafts, id: string): Drafts {
  const draft = drafts[id];
  if (draft === undefined) return drafts;
  return { ...drafts, [id]: { ...takenBack(draft, draft.sent.slice(1)), state: 'typed' } };
}
