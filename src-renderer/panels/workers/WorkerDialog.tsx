import { useState } from 'react';
import { RestError } from '../../live/rest.ts';
import { useSession } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { durationText } from '../../ui/strings.ts';
import { WORKER_WORDS } from '../../ui/words/workers.ts';
import { WorkerCommands } from './WorkerCommands.tsx';

/** Attaches a worker by its address and token; the token goes into no file. */
export function WorkerDialog(props: {
  /** What it is to be called, where cells say it already; else empty. */
  readonly name: string;
  /** Names of workers there are. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onAttached: () => void;
}) {
  const { taken, onClose, onAttached } = props;
  const { workers } = useSession();
  const [draft, setDraft] = useState({ name: props.name, url: '', token: '' });
  // Nothing is wrong with a form nobody has tried to send.
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly tone: 'error' | 'info'; readonly words: string } | null>(null);
  const name = draft.name.trim();
  const url = draft.url.trim();
  const problems = {
    name: taken.includes(name)
      ? WORKER_WORDS.nameTaken
      : /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(name)
        ? null
        : WORKER_WORDS.nameWrong,
    url: /^https?:\/\/[^/\s]/.test(url) ? null : WORKER_WORDS.urlWrong,
  };
  const token = draft.token === '' ? null : draft.token;
  const act = async (doing: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setSaid(null);
    try {
      await doing();
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      setSaid({ tone: 'error', words: error.message });
    } finally {
      setBusy(false);
    }
  };
  const attach = async (): Promise<void> => {
    setTried(true);
    if (problems.name !== null || problems.url !== null) return;
    await act(async () => {
      await workers.attach({ name, url, token });
      onAttached();
      onClose();
    });
  };
  const test = (): Promise<void> =>
    act(async () => {
      const answer = await workers.test({ url, name: null, token });
      setSaid(
        answer.problem === null
          ? { tone: 'info', words: WORKER_WORDS.works(durationText(answer.duration_ms)) }
          : { tone: 'error', words: answer.problem },
      );
    });
  const plain = { spellCheck: false, autoComplete: 'off', mono: true } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={WORKER_WORDS.add}
      go={WORKER_WORDS.attach}
      going={WORKER_WORDS.attaching}
      busy={busy}
      onSubmit={() => void attach()}
    >
      <TextField
        {...plain}
        label={WORKER_WORDS.name}
        hint={WORKER_WORDS.nameHint}
        value={draft.name}
        onChange={(value) => setDraft({ ...draft, name: value })}
        problem={tried ? problems.name : null}
      />
      <TextField
        {...plain}
        label={WORKER_WORDS.url}
        hint={WORKER_WORDS.urlHint}
        value={draft.url}
        onChange={(value) => setDraft({ ...draft, url: value })}
        problem={tried ? problems.url : null}
      />
      <TextField
        {...plain}
        type="password"
        label={WORKER_WORDS.token}
        hint={WORKER_WORDS.tokenHint}
        value={draft.token}
        onChange={(value) => setDraft({ ...draft, token: value })}
        problem={null}
      />
      <div>
        <Button onClick={() => void test()} disabled={busy || problems.url !== null}>
          {WORKER_WORDS.testThis}
        </Button>
      </div>
      {said === null ? null : <Notice tone={said.tone}>{said.words}</Notice>}
      <WorkerCommands />
    </FormDialog>
  );
}
