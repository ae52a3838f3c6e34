/** Shown at a cell instead of the assistant's question field while no AI model is set up: a button that sets one up. */

import { useStore } from 'zustand';
import { aiChanges } from '../../live/ai.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { layoutStore } from '../../state/layout.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ASK_WORDS as W } from '../../words/ask.ts';
import { ASSISTANT_WORDS } from '../../words/assistant.ts';
import { useView } from '../context.ts';

/** Shown without a model: a button to set one. */
export function AskSetup() {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const env = useView((view) => view.model.meta?.env ?? null);
  const changes = useStore(aiChanges, ({ count }) => count);
  const ask = { subject: sid, key: JSON.stringify([env, changes]) };
  const { value } = useAnswer('aiStatus', live ? { params: { sid } } : null, ask);
  if (value === null || value.available) return null;
  return (
    <Notice
      tone="info"
      actions={<Button onClick={() => layoutStore.getState().showPanel('assistant')}>{W.setUp}</Button>}
    >
      {W.noProvider} {ASSISTANT_WORDS.noProviderLocal} {value.hint}
    </Notice>
  );
}
