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
import {
  nameOf,
  newToken,
  problemsOf,
  tokenOf,
  transportOf,
  urlOf,
  type Way,
  type WorkerDraft,
} from './draft.ts';
import { TrialNotice } from './TrialNotice.tsx';
import { AddressFields, RelayFields, SshFields, TransportFields } from './WayFields.tsx';

const WAYS: readonly { readonly value: Way; readonly label: string }[] = [
  { value: 'address', label: WORKER_WORDS.ways.address },
  { value: 'relay', label: WORKER_WORDS.ways.relay },
  { value: 'ssh', label: WORKER_WORDS.ways.ssh },
];
const FIELDS = { address: AddressFields, relay: RelayFields, ssh: SshFields } as const;

/** Attaches a worker by its address, by a relay or by ssh; its token goes into no file of the notebook. */
export function WorkerDialog(props: {
  /** What it is to be called, where cells say it already; else empty. */
  readonly name: string;
  /** The machine, where it was there before. */
  readonly target?: string;
  /** Names of workers there are. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onAttached: () => void;
}) {
  const { taken, target = '', onClose, onAttached } = props;
  const { workers } = useSession();
  const [draft, setDraft] = useState<WorkerDraft>({
    ...{ way: target === '' ? 'address' : 'ssh', name: props.name, target },
    ...{ url: '', relay: '', connectToken: '', token: '', pickles: true },
    ...{ transport: 'direct', serverUrl: '' },
  });
  // Nothing is wrong with a form nobody has tried to send.
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<'testing' | 'attaching' | null>(null);
  /** Counts what was changed: what is said of a draft holds for that draft alone. */
  const draftNumber = useRef(0);
  const [asked] = useState(() => new AbortController());
  const leave = (): void => {
    asked.abort();
    onClose();
  };
  const [said, setSaid] = useState<ReactNode>(null);
  const { way } = draft;
  const problems = problemsOf(draft, taken);
  const token = tokenOf(draft);
  const change = (part: Partial<WorkerDraft>): void => {
    draftNumber.current += 1;
    setSaid(null);
    setDraft({ ...draft, ...part });
  };
  /** By a relay everybody who reaches it could run code: there a token is made before anybody asks. */
  const changeWay = (next: Way): void => {
    setTried(false);
    change({ way: next, ...(next === 'relay' && draft.token === '' ? { token: newToken() } : {}) });
  };
  const act = async (what: 'testing' | 'attaching', doing: () => Promise<void>): Promise<void> => {
    const number = draftNumber.current;
    setBusy(what);
    setSaid(null);
    try {
      await doing();
    } catch (error) {
      if (asked.signal.aborted) return;
      if (!(error instanceof RestError)) throw error;
      if (what === 'attaching' || number === draftNumber.current) {
        setSaid(<Notice tone="error">{error.message}</Notice>);
      }
    } finally {
      setBusy(null);
    }
  };
  const attach = async (): Promise<void> => {
    setTried(true);
    if (Object.values(problems).some((problem) => problem !== null)) return;
    await act('attaching', async () => {
      const name = nameOf(draft);
      if (way === 'ssh') await workers.connect({ target: draft.target.trim(), name }, asked.signal);
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
  const test = (): Promise<void> =>
    act('testing', async () => {
      const number = draftNumber.current;
      const place = { url: urlOf(draft), name: null, token, way: transportOf(draft) };
      const trial = await workers.test(place);
      if (number === draftNumber.current) setSaid(<TrialNotice trial={trial} />);
    });
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
            disabled={
              busy !== null || problems.place !== null || problems.token !== null || problems.server !== null
            }
          >
            {WORKER_WORDS.testThis}
          </Button>
        )
      }
      said={said}
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
        problem={tried ? problems.name : null}
      />
      <Fields
        draft={draft}
        onChange={change}
        problem={tried ? problems.place : null}
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

function goingOf(busy: 'testing' | 'attaching' | null, way: Way): string {
  if (busy === 'testing') return WORKER_WORDS.testing;
  return way === 'ssh' ? WORKER_WORDS.bringing : WORKER_WORDS.attaching;
}
