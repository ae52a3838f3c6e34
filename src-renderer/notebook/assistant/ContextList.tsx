/**
 * Lists the cells that a message to the assistant would send to the AI model, each with its size and a checkbox to
 * leave it out.
 */

import './context.css';
import { useMemo, useState } from 'react';
import type { ChatBody, ContextPreview } from '../../../src-shared/wire/assistant.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import type { AssistantMode } from '../../state/assistant/turns.ts';
import { cellName } from '../../state/cellName.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { useSession, useView, useViewSame } from '../context.ts';
import { useAssistant } from './useAssistant.ts';
import { useCost } from './useCost.ts';

const CLOSED: readonly string[] = [];

type Part = ContextPreview['parts'][number];

interface ContextRequest {
  readonly mode: AssistantMode;
  /** The cell that the message is about. */
  readonly aboutId: string | null;
  readonly message: string;
  readonly history: NonNullable<ChatBody['history']>;
  /** While an answer arrives, the list is not updated. */
  readonly isBusy: boolean;
}

/**
 * The cells that would be sent with a message, each with its size and a checkbox to leave it out. Showing the list
 * sends nothing to the model.
 */
export function ContextList({ open: openFirst, request }: { open: boolean; request: ContextRequest }) {
  const { mode, aboutId, message, history, isBusy } = request;
  const [open, setOpen] = useState(openFirst);
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const leaveOut = useAssistant((state) => state.leaveOut);
  const sources = useViewSame(
    ({ model }) => (open ? model.order.map((id) => model.cells[id]?.cell.source ?? '') : CLOSED),
    (a, b) => a.length === b.length && a.every((source, at) => source === b[at]),
  );
  const sizes = useMemo(() => sizesOf(sources), [sources]);
  const isThere = useView(({ model }) => aboutId !== null && model.cells[aboutId] !== undefined);
  const call = {
    params: { sid },
    body: {
      for: mode === 'ask' ? ('chat' as const) : mode,
      message,
      history: mode === 'ask' ? history : [],
      extra_tools: true,
      leave_out: [...leaveOut],
      ...(isThere ? { cell_id: aboutId } : {}),
    },
  };
  const key = JSON.stringify([mode, aboutId, leaveOut, message, history.length, sizes, isBusy]);
  const { value, problem } = useAnswer('aiContext', live && open ? call : null, { subject: sid, key });
  const cost = useCost(value?.model ?? null, { input: value?.tokens ?? 0, output: 0 });
  return (
    <details
      className="assistant-context"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {W.context}
        {value === null ? null : <span className="assistant-quiet"> {sumWords(value, cost)}</span>}
      </summary>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value === null && problem === null ? <p className="assistant-quiet">{W.contextLoading}</p> : null}
      {value === null ? null : <Parts value={value} isJob={mode === 'agent'} />}
    </details>
  );
}

function sumWords(value: ContextPreview, cost: number | null): string {
  const cells = value.parts.filter(({ kind, characters }) => kind === 'cell' && characters > 0).length;
  const sum = W.contextSum(cells, value.tokens);
  return cost === null ? sum : `${sum}, ${W.cost(cost)}`;
}

function Parts({ value, isJob }: { value: ContextPreview; isJob: boolean }) {
  const { assistant } = useSession();
  const leaveOut = useAssistant((state) => state.leaveOut);
  const cells = useViewSame(
    ({ model }) => model.order.map((id) => ({ id, name: cellName(model, id) })),
    (a, b) =>
      a.length === b.length && a.every(({ id, name }, at) => id === b[at]?.id && name === b[at]?.name),
  );
  const parts = new Map(value.parts.map((part) => [part.cell_id, part]));
  const rest = value.parts.filter(({ kind }) => kind !== 'cell').reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <>
      {cells.length === 0 ? null : (
        <ul className="plain-list assistant-cells" aria-label={W.context}>
          {cells.map(({ id, name }) => {
            const isLeftOut = leaveOut.includes(id);
            return (
              <li key={id}>
                <label>
                  <input
                    type="checkbox"
                    checked={!isLeftOut}
                    onChange={() => assistant.leaveOut(id, !isLeftOut)}
                  />
                  <span className="assistant-cell-name">{name}</span>
                  <span className="assistant-quiet">{sizeWords(parts.get(id), isLeftOut)}</span>
                </label>
              </li>
            );
          })}
        </ul>
      )}
      <p className="assistant-quiet">{W.contextRest(rest)}</p>
      <p className="assistant-quiet">
        {isJob ? W.contextTools : W.contextNot}
        {value.hidden === 0 ? null : ` ${W.contextSecrets(value.hidden)}`}
      </p>
      {value.model === null || value.base_url === null ? null : (
        <p className="assistant-quiet">{W.contextTo(value.model, value.base_url)}</p>
      )}
      {value.hint === null ? null : <p className="assistant-quiet">{value.hint}</p>}
      <details className="assistant-exact">
        <summary>{W.exactText}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by key */}
        <pre className="assistant-pre" tabIndex={0}>
          {value.parts
            .map(({ text }) => text)
            .filter((text) => text !== '')
            .join('\n\n')}
        </pre>
      </details>
    </>
  );
}

function sizeWords(part: Part | undefined, isLeftOut: boolean): string {
  if (isLeftOut || part === undefined) return W.notSentCell;
  if (!part.cut) return W.tokens(part.tokens);
  return part.characters === 0 ? W.cutAll : `${W.tokens(part.tokens)}, ${W.cut}`;
}

/** A short text that changes whenever the text of a cell may have changed. */
function sizesOf(sources: readonly string[]): string {
  let hash = 0;
  for (const source of sources) {
    for (let at = 0; at < source.length; at += 1) hash = (Math.imul(hash, 31) + source.charCodeAt(at)) | 0;
    hash = (Math.imul(hash, 31) + 7) | 0;
  }
  return `${sources.length} ${hash}`;
}
