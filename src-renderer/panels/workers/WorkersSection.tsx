import './workers.css';
import { Plug, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { durationText } from '../../ui/strings.ts';
import { WORKER_WORDS } from '../../ui/words/workers.ts';
import { WorkerDialog } from './WorkerDialog.tsx';

/** Where cells run: this machine and the workers attached, how each is, and which one cells take by default. */
export function WorkersSection() {
  const { workers: acts } = useSession();
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { value, problem, loading, again } = useAnswer(
    'listWorkers',
    live ? { params: { sid }, query: {} } : null,
    {
      subject: sid,
      key: '',
    },
  );
  /** The name to attach a worker by, empty for one still to be named; null: none is being attached. */
  const [attaching, setAttaching] = useState<string | null>(null);
  const changing = useTask();
  const change = (act: () => Promise<unknown>): void =>
    changing.run(async () => {
      await act();
      again();
    });
  const workers = value?.workers ?? [];
  const current = useView((view) => (view.model.meta === null ? null : (view.model.meta.worker ?? 'local')));
  return (
    <section className="panel-section workers" aria-label={WORKER_WORDS.title}>
      <div className="workers-title">
        <h3>{WORKER_WORDS.title}</h3>
        <IconButton
          label={WORKER_WORDS.refresh}
          disabled={!live || changing.busy}
          onClick={() => change(acts.askAnew)}
        >
          <RefreshCw aria-hidden="true" />
        </IconButton>
      </div>
      <p className="panel-quiet">{WORKER_WORDS.hint}</p>
      {[problem, changing.problem].map((words) =>
        words === null ? null : (
          <Notice key={words} tone="error">
            {words}
          </Notice>
        ),
      )}
      {loading && value === null ? <Spinner label={WORKER_WORDS.testing} /> : null}
      {current === null ? null : (
        <Select
          label={WORKER_WORDS.defaultWorker}
          value={current}
          options={workers.map(({ name, health, allowed, enabled }) => ({
            value: name,
            label: name === 'local' ? WORKER_WORDS.here : name,
            // What cannot be reached is no choice; what was chosen stays to be seen.
            disabled: name !== current && (!allowed || !enabled || health === 'unavailable'),
          }))}
          onChange={(worker) => change(() => acts.choose(worker))}
          disabled={!live || changing.busy}
        />
      )}
      <ul className="plain-list">
        {workers
          .filter(({ source }) => source !== 'builtin')
          .map((worker) => (
            <WorkerRow
              key={worker.name}
              worker={worker}
              onAttach={() => setAttaching(worker.name)}
              onRemove={() => change(() => acts.detach(worker.name))}
            />
          ))}
      </ul>
      {value?.definitions_editable === false ? null : (
        <Button icon={<Plus aria-hidden="true" />} onClick={() => setAttaching('')} disabled={value === null}>
          {WORKER_WORDS.add}
        </Button>
      )}
      {attaching === null ? null : (
        <WorkerDialog
          name={attaching}
          // A name that cells say and nobody defined is there to be attached.
          taken={workers.filter(({ source }) => source !== 'referenced').map(({ name }) => name)}
          onClose={() => setAttaching(null)}
          onAttached={again}
        />
      )}
    </section>
  );
}

function WorkerRow(props: {
  readonly worker: WorkerEntry;
  readonly onAttach: () => void;
  readonly onRemove: () => void;
}) {
  const { worker, onAttach, onRemove } = props;
  const { name, source, health, allowed, last_error: error } = worker;
  const isDefined = source !== 'referenced';
  const url = typeof worker.config['url'] === 'string' ? worker.config['url'] : '';
  const { workers: acts } = useSession();
  const trying = useTask();
  const [said, setSaid] = useState<{ readonly problem: string | null; readonly ms: number } | null>(null);
  const test = (): void => {
    setSaid(null);
    trying.run(async () => {
      const answer = await acts.test({ url, name, token: null });
      setSaid({ problem: answer.problem, ms: answer.duration_ms });
    });
  };
  const words = said === null ? null : (said.problem ?? WORKER_WORDS.works(durationText(said.ms)));
  return (
    <li className="worker" data-worker={name}>
      <div className="worker-head">
        <code>{name}</code>
        <span className={`worker-health worker-${allowed ? health : 'unavailable'}`}>
          {stateWords(worker)}
        </span>
        <span className="worker-acts">
          {url.startsWith('http') ? (
            <IconButton label={WORKER_WORDS.test(name)} onClick={test} disabled={trying.busy}>
              <Plug aria-hidden="true" />
            </IconButton>
          ) : null}
          {source === 'notebook' ? (
            <IconButton label={WORKER_WORDS.remove(name)} onClick={onRemove}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          ) : null}
          {isDefined ? null : (
            <IconButton label={WORKER_WORDS.attachNamed(name)} onClick={onAttach}>
              <Plus aria-hidden="true" />
            </IconButton>
          )}
        </span>
      </div>
      <p className="panel-quiet worker-where">{isDefined ? url : WORKER_WORDS.undefinedName}</p>
      {isDefined ? <Facts worker={worker} /> : null}
      {error === null || !isDefined ? null : <Notice tone="warn">{error}</Notice>}
      <div aria-live="polite">
        {trying.busy ? <Spinner label={WORKER_WORDS.testing} /> : null}
        {trying.problem === null ? null : <Notice tone="error">{trying.problem}</Notice>}
        {words === null ? null : <Notice tone={said?.problem == null ? 'info' : 'error'}>{words}</Notice>}
      </div>
    </li>
  );
}

function stateWords({ source, allowed, health }: WorkerEntry): string {
  if (source === 'referenced') return WORKER_WORDS.undefined;
  return allowed ? WORKER_WORDS.health[health] : WORKER_WORDS.blocked;
}

/** What the worker last said of itself: its machine and how busy it is. */
function Facts({ worker: { reported, token_source, transport } }: { worker: WorkerEntry }) {
  const { hardware = {} } = reported ?? {};
  const facts = [
    transport === 'direct' ? null : transport,
    reported?.active_executions === undefined
      ? null
      : WORKER_WORDS.load(reported.active_executions, reported.max_concurrent ?? null),
    hardware.cpus === undefined ? null : WORKER_WORDS.cpus(hardware.cpus),
    hardware.memory_mb === undefined ? null : WORKER_WORDS.memory(hardware.memory_mb),
    ...(hardware.accelerators ?? []).map(({ name }) => name),
    reported?.languages?.join(', ') ?? null,
    token_source === 'none' ? WORKER_WORDS.noToken : null,
  ].filter((fact) => fact !== null);
  return facts.length === 0 ? null : <p className="panel-quiet">{facts.join(' · ')}</p>;
}
