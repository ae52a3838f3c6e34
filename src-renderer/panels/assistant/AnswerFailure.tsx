/** The error below an answer of the assistant that failed or is incomplete, and what to do about it. */

import { useAnswer } from '../../live/useAnswer.ts';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { isOpen, type Turn, type TurnFailure } from '../../state/assistant/turns.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { SettingsButton } from './NoProvider.tsx';

/** Errors that another model or another limit may fix. */
const BY_SETTINGS: readonly string[] = ['ai_failed', 'ai_timeout', 'ai_rate_limited', 'ai_unavailable'];

/** Why an answer is not complete, and what to do. */
export function AnswerFailure({ turn, failure }: { turn: Turn; failure: TurnFailure }) {
  const { assistant } = useSession();
  const isBusy = useAssistant(({ turns }) => turns.some(isOpen));
  const live = useView((view) => view.link.kind === 'live');
  const advice = W.advice[failure.code];
  return (
    <div className="assistant-failure" data-failure={failure.code}>
      <Notice
        tone="error"
        actions={
          <>
            {BY_SETTINGS.includes(failure.code) ? <Settings /> : null}
            <Button disabled={isBusy || !live} onClick={() => assistant.again(turn.id)}>
              {W.tryAgain}
            </Button>
          </>
        }
      >
        {failure.message}
        {advice === undefined ? null : ` ${advice}`}
      </Notice>
    </div>
  );
}

function Settings() {
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { value } = useAnswer('aiStatus', live ? { params: { sid } } : null, { subject: sid, key: '' });
  return value === null ? null : <SettingsButton status={value} />;
}
