/** One message to the assistant with its answer, steps and buttons. */

import { CircleCheck, CircleX, Copy, History, Pencil, RotateCw, Undo2 } from 'lucide-react';
import { memo, useState } from 'react';
import { useAssistant } from '../../notebook/assistant/useAssistant.ts';
import { useCost } from '../../notebook/assistant/useCost.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { copyText } from '../../outputs/copyText.ts';
import { answerParts } from '../../state/assistant/answerParts.ts';
import { isOpen, type Step, type Turn, textOf } from '../../state/assistant/turns.ts';
import { cellName } from '../../state/cellName.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toastStore.ts';
import { stepWords, ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { CHANGES_WORDS } from '../../words/changes.ts';
import { AnswerFailure } from './AnswerFailure.tsx';
import { AnswerText } from './AnswerText.tsx';
import { QuestionCard } from './QuestionCard.tsx';
import { RewindDialog } from './RewindDialog.tsx';

/** A message and its answer. */
export const TurnView = memo(function TurnView({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const open = isOpen(turn);
  const lastPiece = turn.pieces.at(-1);
  const waits = open && turn.question === null && (lastPiece?.kind !== 'text' || lastPiece.text === '');
  const isStepRunning = lastPiece?.kind === 'step' && lastPiece.state === 'running';
  return (
    <article className="assistant-turn" data-turn={turn.state}>
      <Asked turn={turn} />
      <div className="assistant-answer" aria-busy={open}>
        <h4 className="visually-hidden">{W.assistant}</h4>
        {turn.pieces.map((piece, at) =>
          piece.kind === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added at the end
            <AnswerText key={at} text={piece.text} cellId={turn.cellId} />
          ) : (
            <StepRow key={piece.id} step={piece} />
          ),
        )}
        {turn.question === null ? null : <QuestionCard turn={turn} question={turn.question} />}
        {waits && !isStepRunning ? (
          <p className="assistant-wait">
            <Spinner label={null} />{' '}
            {turn.state === 'starting' && turn.mode === 'agent' ? W.starting : W.thinking}
          </p>
        ) : null}
        {turn.state === 'cancelled' ? (
          <p className="assistant-quiet">{turn.mode === 'ask' ? W.cancelled : W.cancelledJob}</p>
        ) : null}
        {turn.failure === null ? null : <AnswerFailure turn={turn} failure={turn.failure} />}
        {open ? null : <Acts turn={turn} isLast={isLast} />}
      </div>
    </article>
  );
});

function Asked({ turn }: { turn: Turn }) {
  const { assistant } = useSession();
  const about = useView(({ model }) =>
    turn.cellId === null || model.cells[turn.cellId] === undefined ? null : cellName(model, turn.cellId),
  );
  const isBusy = useAssistant(({ turns }) => turns.some(isOpen));
  const [rewinds, setRewinds] = useState(false);
  const { mark } = turn;
  return (
    <div className="assistant-asked">
      <h4 className="visually-hidden">{W.you}</h4>
      <div className="assistant-message">
        <Message text={turn.message} />
      </div>
      <div className="assistant-asked-foot">
        {about === null ? null : <span className="assistant-quiet">{W.about(about)}</span>}
        <span className="grow" />
        {mark === null ? null : (
          <IconButton label={CHANGES_WORDS.rewind} disabled={isBusy} onClick={() => setRewinds(true)}>
            <History aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={W.edit} disabled={isBusy} onClick={() => assistant.edit(turn.id)}>
          <Pencil aria-hidden="true" />
        </IconButton>
      </div>
      {rewinds && mark !== null ? <RewindDialog mark={mark} onClose={() => setRewinds(false)} /> : null}
    </div>
  );
}

/** The message as typed; quoted parts are preformatted. */
function Message({ text }: { text: string }) {
  return answerParts(text).map((part, at) =>
    part.kind === 'text' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
      <div key={at}>{part.text.trim()}</div>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
      <pre key={at}>{part.text}</pre>
    ),
  );
}

function StepRow({ step }: { step: Step }) {
  const icon = {
    running: <Spinner label={null} />,
    done: <CircleCheck aria-hidden="true" />,
    failed: <CircleX aria-hidden="true" />,
    declined: <CircleX aria-hidden="true" />,
  };
  return (
    <p className={`assistant-step assistant-step-${step.state}`} data-step={step.state}>
      {icon[step.state]}
      <span>{stepWords(step)}</span>
    </p>
  );
}

function Acts({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { assistant } = useSession();
  const isBusy = useAssistant(({ turns }) => turns.some(isOpen));
  const text = textOf(turn);
  const cost = useCost(turn.model, turn.tokens);
  const tokens = turn.model === null ? null : W.used(turn.model, turn.tokens);
  const used = tokens === null || cost === null ? tokens : `${tokens} · ${W.cost(cost)}`;
  const copy = async (): Promise<void> => {
    toast((await copyText(text)) ? W.copied : W.notCopied);
  };
  return (
    <>
      {turn.undoId === null ? null : <UndoAll undoId={turn.undoId} />}
      <div className="assistant-acts">
        {text === '' ? null : (
          <IconButton label={W.copyAnswer} onClick={() => void copy()}>
            <Copy aria-hidden="true" />
          </IconButton>
        )}
        {isLast && turn.failure === null ? (
          <IconButton
            label={turn.mode === 'ask' ? W.regenerate : W.runAgain}
            disabled={isBusy}
            onClick={() => assistant.again(turn.id)}
          >
            <RotateCw aria-hidden="true" />
          </IconButton>
        ) : null}
        {used === null ? null : <span className="assistant-quiet assistant-used">{used}</span>}
      </div>
    </>
  );
}

/** Undoes all changes of a job, which are one entry of the undo stack. */
function UndoAll({ undoId }: { undoId: string }) {
  const { undo } = useSession();
  const [busy, setBusy] = useState(false);
  return (
    <div>
      <Button
        icon={<Undo2 aria-hidden="true" />}
        disabled={busy}
        onClick={() => {
          if (!undo.history.done.some(({ id }) => id === undoId)) {
            toast(W.undoneAlready);
            return;
          }
          setBusy(true);
          void undo.undoEntry(undoId).finally(() => setBusy(false));
        }}
      >
        {W.undoAll}
      </Button>
    </div>
  );
}
