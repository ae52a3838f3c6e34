/** The assistant's panel: the conversation, and the changes of agents for review. */

import './assistant.css';
import { LocateFixed, SquarePen } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { aiChanges } from '../../live/ai.ts';
import { checkpointsOf } from '../../live/assistant/checkpoints.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { CHANGES_WORDS } from '../../words/changes.ts';
import { Announcements } from './Announcements.tsx';
import { ChangesView } from './ChangesView.tsx';
import { useOpenChanges } from './CheckpointCard.tsx';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { NoProvider } from './NoProvider.tsx';

/** The conversation with the assistant, or the reason why there is none. */
export function AssistantPanel() {
  const untrusted = useView((view) => view.model.meta?.untrusted !== undefined);
  if (untrusted) {
    return (
      <div className="assistant" data-assistant="untrusted">
        <EmptyState size="s" title={W.untrustedTitle}>
          {W.untrustedText}
        </EmptyState>
      </div>
    );
  }
  return <Pages />;
}

function ConversationTab() {
  const session = useSession();
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  // Reloaded with the variables: one that holds a key changes which provider is used.
  const env = useView((view) => view.model.meta?.env ?? null);
  const changes = useStore(aiChanges, ({ count }) => count);
  const isRead = useAssistant(({ isRead }) => isRead);
  const { run: reading, problem: unread } = useTask();
  useEffect(() => {
    if (live && sid !== '') reading(() => session.assistant.read());
  }, [session, sid, live, reading]);
  const ask = { subject: sid, key: JSON.stringify([env, changes]) };
  const { value: status, problem } = useAnswer('aiStatus', live ? { params: { sid } } : null, ask);
  if (status === null && problem === null && !isRead) {
    return (
      <div className="assistant">
        <div className="panel-wait">
          <Spinner label={W.reading} />
        </div>
      </div>
    );
  }
  const hasNone = status !== null && !status.available;
  return (
    <div className="assistant" data-assistant={hasNone ? 'unset' : 'ready'}>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {unread === null ? null : <Notice tone="error">{unread}</Notice>}
      {hasNone && status !== null ? (
        <NoProvider status={status} />
      ) : (
        <>
          <Head />
          <Conversation />
          <Composer />
        </>
      )}
      <Announcements />
    </div>
  );
}

/** The pages Conversation and Changes. Changes by agents over MCP need no AI model here. */
function Pages() {
  const { assistant, undo } = useSession();
  const view = useAssistant((state) => state.view);
  const follow = useAssistant((state) => state.follow);
  const history = useStore(undo.store);
  const checkpoints = useMemo(() => checkpointsOf(history), [history]);
  const open = useOpenChanges(checkpoints);
  return (
    <div className="assistant-pages">
      <Tabs
        label={CHANGES_WORDS.tabs}
        value={view}
        onChange={(id) => assistant.show(id)}
        actions={
          <IconButton
            label={CHANGES_WORDS.follow}
            title={CHANGES_WORDS.followHint}
            aria-pressed={follow}
            onClick={() => assistant.setFollow(!follow)}
          >
            <LocateFixed aria-hidden="true" />
          </IconButton>
        }
        tabs={[
          { id: 'talk', label: CHANGES_WORDS.conversation, content: <ConversationTab /> },
          {
            id: 'changes',
            label: CHANGES_WORDS.changes,
            count: open === 0 ? undefined : open,
            content: <ChangesView />,
          },
        ]}
      />
    </div>
  );
}

function Head() {
  const { assistant } = useSession();
  const mode = useAssistant((state) => state.mode);
  const isEmpty = useAssistant(({ turns }) => turns.length === 0);
  const remark = useAssistant(({ problem }) => problem);
  const task = useTask();
  const problem = task.problem ?? remark;
  return (
    <>
      <div className="assistant-head">
        <Segmented
          label={W.modes}
          value={mode}
          options={(['ask', 'agent'] as const).map((value) => ({
            value,
            label: W.mode[value],
            hint: W.modeHint[value],
          }))}
          onChange={(value) => assistant.setMode(value)}
        />
        <span className="grow" />
        <IconButton
          label={W.newConversation}
          disabled={isEmpty || task.busy}
          onClick={() => task.run(() => assistant.reset())}
        >
          <SquarePen aria-hidden="true" />
        </IconButton>
      </div>
      {problem === null ? null : <Notice tone="warn">{problem}</Notice>}
    </>
  );
}
