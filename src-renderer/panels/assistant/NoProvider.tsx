/** Shown in the assistant's panel while no AI model is set up: how to set one up. */

import { KeyRound, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { type AiStatus, saveAi } from '../../live/ai.ts';
import { RestError } from '../../live/rest.ts';
import { useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { AiDialog } from '../environment/AiDialog.tsx';
import { layoutActions } from '../useLayout.ts';

/** How to set a model. A model on this computer comes first, because then nothing is sent elsewhere. */
export function NoProvider({ status }: { status: AiStatus }) {
  // Without settings of the notebook, the server's hint would repeat the list below.
  const isOwn = Object.values(status.own).some((value) => value !== null);
  return (
    <EmptyState
      size="s"
      title={W.noProviderTitle}
      actions={
        <>
          <SettingsButton status={status} primary />
          <Button
            icon={<KeyRound aria-hidden="true" />}
            onClick={() => layoutActions().showPanel('environment')}
          >
            {W.openVariables}
          </Button>
        </>
      }
    >
      <p>{W.noProviderText}</p>
      <ul className="assistant-ways">
        <li>{W.noProviderLocal}</li>
        <li>{W.noProviderHosted}</li>
      </ul>
      {isOwn ? <p>{status.hint}</p> : null}
    </EmptyState>
  );
}

/** Opens the settings of the AI model over the page. */
export function SettingsButton({ status, primary = false }: { status: AiStatus; primary?: boolean }) {
  const sid = useView((view) => view.sessionId);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind={primary ? 'primary' : 'plain'}
        icon={<Settings2 aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {primary ? W.setModel : W.settings}
      </Button>
      {open ? (
        <AiDialog
          sid={sid}
          own={status.own}
          onClose={() => setOpen(false)}
          onSave={async (request) => {
            try {
              await saveAi(sid, request);
              return null;
            } catch (error) {
              if (!(error instanceof RestError)) throw error;
              return error.message;
            }
          }}
        />
      ) : null}
    </>
  );
}
