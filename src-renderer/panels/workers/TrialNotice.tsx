import { Check, X } from 'lucide-react';
import type { AnswerOf } from '../../live/rest.ts';
import { Notice } from '../../ui/Notice.tsx';
import { durationText } from '../../words/strings.ts';
import { WORKER_WORDS } from '../../words/workers.ts';

/** Shows the result of a worker's test: each check, and what to do about the one that failed. */
export function TrialNotice({ trial }: { readonly trial: AnswerOf<'testWorker'> }) {
  const { problem, checks, duration_ms: ms } = trial;
  return (
    <Notice tone={problem === null ? 'info' : 'error'}>
      {problem ?? WORKER_WORDS.works(durationText(ms))}
      <ul className="plain-list worker-checks" aria-label={WORKER_WORDS.checksTitle}>
        {checks.map(({ check, ok }) => (
          <li key={check} data-ok={ok}>
            {ok ? <Check aria-label={WORKER_WORDS.checkDone} /> : <X aria-label={WORKER_WORDS.checkFailed} />}
            {WORKER_WORDS.checks[check]}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
