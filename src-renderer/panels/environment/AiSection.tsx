/** The section of the Environment panel about the AI model of prompt cells. */

import './variables.css';
import { Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { type AiStatus, aiChanges, readAi, saveAi } from '../../live/ai.ts';
import { RestError } from '../../live/rest.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AI_WORDS } from '../../words/prompts.ts';
import { AiDialog } from './AiDialog.tsx';

/** The AI model of prompt cells, whether it can be used, and where to add a key. */
export function AiSection() {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  // A variable that holds a key may change the model.
  const env = useView((view) => view.model.meta?.env ?? null);
  const changes = useStore(aiChanges, ({ count }) => count);
  const [status, setStatus] = useState<AiStatus | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of env or of the settings requires a reload
  useEffect(() => {
    if (!live) return;
    let isUnmounted = false;
    readAi(sid).then(
      (answer) => {
        if (isUnmounted) return;
        setStatus(answer);
        setProblem(null);
      },
      (error: unknown) => {
        if (!(error instanceof RestError)) throw error;
        if (!isUnmounted) setProblem(error.message);
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [sid, live, env, changes]);
  return (
    <section className="panel-section env ai" aria-label={AI_WORDS.title}>
      <h3>{AI_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {status === null ? (
        <p className="panel-quiet">{AI_WORDS.untold}</p>
      ) : (
        <>
          <dl className="facts">
            <dt>{AI_WORDS.provider}</dt>
            <dd>{AI_WORDS.providers[status.provider ?? ''] ?? status.provider}</dd>
            <dt>{AI_WORDS.model}</dt>
            <dd>
              <bdi>{status.model}</bdi>
            </dd>
            <dt>{AI_WORDS.address}</dt>
            <dd title={status.base_url ?? ''}>
              <bdi>{status.base_url}</bdi>
            </dd>
          </dl>
          <p className="panel-quiet" role="status">
            {status.hint ?? AI_WORDS.ready}
          </p>
        </>
      )}
      <Button
        icon={<Pencil aria-hidden="true" />}
        onClick={() => setEditing(true)}
        disabled={!live || status === null}
      >
        {AI_WORDS.change}
      </Button>
      {editing && status !== null ? (
        <AiDialog
          sid={sid}
          own={status.own}
          onClose={() => setEditing(false)}
          onSave={async (request) => {
            try {
              setStatus(await saveAi(sid, request));
              return null;
            } catch (error) {
              if (!(error instanceof RestError)) throw error;
              return error.message;
            }
          }}
        />
      ) : null}
    </section>
  );
}
