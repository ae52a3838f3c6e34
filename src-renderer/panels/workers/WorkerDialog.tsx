/** Dialog that attaches a worker (another machine that runs cells) by URL, by relay or over SSH. */

import { type ReactNode, useRef, useState } from 'react';
import { RestError } from '../../live/rest.ts';
import { useSession } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { WORKER_WORDS } from '../../words/workers.ts';
import { AddressFields, RelayFields, SshFields, TransportFields } from './TransportFields.tsx';
import { TrialNotice } from './TrialNotice.tsx';
import {
  nameOf,
  newToken,
  problemsOf,
  type TransportKind,
  tokenOf,
  transportOf,
  urlOf,
  type WorkerDraft,
} from './workerDraft.ts';

const WAYS: readonly { readonly value: TransportKind; readonly label: string }[] = [
  { value: 'address', label: WORKER_WORDS.ways.address },
  { value: 'relay', label: WORKER_WORDS.ways.relay },
  { value: 'ssh', label: WORKER_WORDS.ways.ssh },
];
const FIELDS = { address: AddressFields, relay: RelayFields, ssh: SshFields } as const;

/** Attaches a worker by its URL, by a relay or by SSH. Its token is written to no file of the notebook. */
export function WorkerDialog(props: {
  /** The initial name, if cells already use one that is not defined; else empty. */
  readonly name: string;
  /** The SSH destination, if the worker was attached before. */
  readonly target?: string;
  /** Names of attached workers. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onAttached: () => void;
}) {
  const { taken, target = '', onClose, onAttached } = props;
  const { workers } = useSession();
  const [draft, setDraft] = useState<WorkerDraft>({
    way: target === '' ? 'address' : 'ssh',
    name: props.name,
    target,
    url: '',
    relay: '',
    connectToken: '',
    token: '',
    pickles: true,
    transport: 'direct',
    serverUrl: '',
  });
  // Errors are shown only after the first attempt to submit the form or to test the worker.
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [isTested, setIsTested] = useState(false);
  const [busy, setBusy] = useState<'testing' | 'attaching' | null>(null);
  /** The number of edits, so that the result of a test is shown only for the draft that was tested. */
  const draftNumber = useRef(0);
  const [abort] = useState(() => new AbortController());
  const leave = (): void => {
    abort.abort();
    onClose();
  };
  const [result, setResult] = useState<ReactNode>(null);
  const { way } = draft;
  const problems = problemsOf(draft, taken);
  const token = tokenOf(draft);
  const change = (part: Partial<WorkerDraft>): void => {
    draftNumber.current += 1;
    setResult(null);
    setDraft({ ...draft, ...part });
  };
  /** A token is generated for a relay, because without one anyone who can reach the relay could run code. */
  const changeWay = (next: TransportKind): void => {
    setIsSubmitted(false);
    setIsTested(false);
    change({ way: next, ...(next === 'relay' && draft.token === '' ? { token: newToken() } : {}) });
  };
  const act = async (what: 'testing' | 'attaching', doing: () => Promise<void>): Promise<void> => {
    const number = draftNumber.current;
    setBusy(what);
    setResult(null);
    try {
      await doing();
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!(error instanceof RestError)) throw error;
      if (what === 'attaching' || number === draftNumber.current) {
        setResult(<Notice tone="error">{error.message}</Notice>);
      }
    } finally {
      setBusy(null);
    }
  };
  const attach = async (): Promise<void> => {
    setIsSubmitted(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
    await act('attaching', async () => {
      const name = nameOf(draft);
      if (way === 'ssh') await workers.connect({ target: draft.target.trim(), name }, abort.signal);
      else
        await workers.attach({
          name,
          url: urlOf(draft),
          token,
          way: transportOf(draft),
          pickles: draft.pickles,
        });
      onAttached();
      onClose();
    });
  };
  const test = async (): Promise<void> => {
    setIsTested(true);
    if (problems.place !== null) return;
    await act('testing', async () => {
      const number = draftNumber.current;
      const place = { url: urlOf(draft), name: null, token, way: transportOf(draft) };
      const trial = await workers.test(place);
      if (number === draftNumber.current) setResult(<TrialNotice trial={trial} />);
    });
  };
  const Fields = FIELDS[way];
  return (
    <FormDialog
      open
      onClose={leave}
      title={WORKER_WORDS.add}
      go={WORKER_WORDS.attach}
      going={goingOf(busy, way)}
      busy={busy !== null}
      onSubmit={() => void attach()}
      aside={
        way === 'ssh' ? null : (
          <Button
            onClick={() => void test()}
            disabled={busy !== null || problems.token !== null || problems.server !== null}
          >
            {WORKER_WORDS.testThis}
          </Button>
        )
      }
      said={result}
    >
      <Segmented label={WORKER_WORDS.way} value={way} options={WAYS} onChange={changeWay} />
      <TextField
        spellCheck={false}
        autoComplete="off"
        mono
        label={WORKER_WORDS.name}
        hint={WORKER_WORDS.nameHint}
        placeholder={way === 'ssh' ? nameOf({ ...draft, name: '' }) : ''}
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={isSubmitted ? problems.name : null}
      />
      <Fields
        draft={draft}
        onChange={change}
        problem={isSubmitted || isTested ? problems.place : null}
        tokenProblem={problems.token}
      />
      {way === 'ssh' ? null : <TransportFields draft={draft} onChange={change} problem={problems.server} />}
      {way === 'ssh' ? null : (
        <Switch
          label={WORKER_WORDS.pickles}
          hint={WORKER_WORDS.picklesHint}
          checked={draft.pickles}
          onChange={(pickles) => change({ pickles })}
        />
      )}
      <p className="text-field-hint">{WORKER_WORDS.attachMeans}</p>
    </FormDialog>
  );
}

function goingOf(busy: 'testing' | 'attaching' | null, way: TransportKind): string {
  if (busy === 'testing') return WORKER_WORDS.testing;
  return way === 'ssh' ? WORKER_WORDS.bringing : WORKER_WORDS.attaching;
}
