/** One worker in the Workers panel: its health, its machine and its buttons. */

import { ArrowLeftRight, Plug, PlugZap, Plus, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import type { AnswerOf } from '../../live/rest.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession } from '../../notebook/context.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { WORKER_WORDS } from '../../words/workers.ts';
import { TransportDialog } from './TransportDialog.tsx';
import { TrialNotice } from './TrialNotice.tsx';
import { WorkerDetails } from './WorkerDetails.tsx';

/** The SSH destination of a worker that was installed over SSH; null for others. */
export function sshTargetOf({ runtime_id }: Pick<WorkerEntry, 'runtime_id'>): string | null {
  return runtime_id?.startsWith('ssh:') === true ? runtime_id.slice('ssh:'.length) : null;
}

/** One worker: its health, its machine, and its buttons. */
export function WorkerRow(props: {
  readonly worker: WorkerEntry;
  readonly busy: boolean;
  /** Whether its token is in the system keychain. */
  readonly inKeychain: boolean;
  readonly onAttach: () => void;
  readonly onRemove: () => void;
  /** Called after its definition in the notebook was changed. */
  readonly onChanged: () => void;
  /** Installs and starts it over SSH again. */
  readonly onConnect: (target: string) => void;
}) {
  const { worker, busy, inKeychain, onAttach, onRemove, onChanged, onConnect } = props;
  const [changing, setChanging] = useState(false);
  const { name, source, health, allowed, reported, last_error: error } = worker;
  const isDefined = source !== 'referenced';
  const url = typeof worker.config['url'] === 'string' ? worker.config['url'] : '';
  const target = sshTargetOf(worker);
  const isCut = target !== null && health === 'unavailable';
  const { workers: acts } = useSession();
  const trying = useTask();
  const [testResult, setSaid] = useState<AnswerOf<'testWorker'> | null>(null);
  const test = (): void => {
    setSaid(null);
    trying.run(async () => {
      setSaid(await acts.test({ url, name, token: null }));
    });
  };
  return (
    <li className="worker" data-worker={name}>
      <div className="worker-head">
        <code title={name}>{name}</code>
        <span className={`worker-health worker-${allowed ? health : 'unavailable'}`}>
          {stateWords(worker)}
        </span>
        <span className="worker-acts">
          {isCut ? (
            <IconButton
              label={WORKER_WORDS.connectAgain(name)}
              onClick={() => onConnect(target)}
              disabled={busy}
            >
              <PlugZap aria-hidden="true" />
            </IconButton>
          ) : null}
          {url.startsWith('http') ? (
            <IconButton label={WORKER_WORDS.test(name)} onClick={test} disabled={trying.busy}>
              <Plug aria-hidden="true" />
            </IconButton>
          ) : null}
          {source === 'notebook' && target === null && url.startsWith('http') ? (
            <IconButton
              label={WORKER_WORDS.changeTransport(name)}
              onClick={() => setChanging(true)}
              disabled={busy}
            >
              <ArrowLeftRight aria-hidden="true" />
            </IconButton>
          ) : null}
          {source === 'notebook' ? (
            <IconButton label={WORKER_WORDS.remove(name)} onClick={onRemove} disabled={busy}>
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
      <p className="panel-quiet worker-where">
        {isDefined ? (
          target === null ? (
            <BreakableUrl url={url} />
          ) : (
            WORKER_WORDS.overSsh(target)
          )
        ) : (
          WORKER_WORDS.undefinedName
        )}
      </p>
      {isDefined ? <Facts worker={worker} inKeychain={inKeychain} /> : null}
      {isDefined && reported?.locked_environments === false ? (
        <Notice tone="warn">
          {WORKER_WORDS.noEnvironments(reported.locked_environments_problem, reported.python_version)}
        </Notice>
      ) : null}
      {error === null || !isDefined ? null : (
        <Notice tone="warn">{isCut ? WORKER_WORDS.sshGone : error}</Notice>
      )}
      <div aria-live="polite">
        {trying.busy ? <Spinner label={WORKER_WORDS.testing} /> : null}
        {trying.problem === null ? null : <Notice tone="error">{trying.problem}</Notice>}
        {testResult === null ? null : <TrialNotice trial={testResult} />}
      </div>
      {changing ? (
        <TransportDialog worker={worker} onClose={() => setChanging(false)} onChanged={onChanged} />
      ) : null}
      {isDefined ? <WorkerDetails worker={worker} hasLog={target !== null && !isCut} /> : null}
    </li>
  );
}

function stateWords({ source, allowed, health }: WorkerEntry): string {
  if (source === 'referenced') return WORKER_WORDS.undefined;
  return allowed ? WORKER_WORDS.health[health] : WORKER_WORDS.blocked;
}

/** The worker's latest report: its machine and how busy it is. */
function Facts(props: { readonly worker: WorkerEntry; readonly inKeychain: boolean }) {
  const { reported, token_source, transport } = props.worker;
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
    reported?.python_version === undefined ? null : WORKER_WORDS.python(reported.python_version),
  ].filter((fact) => fact !== null);
  const inMemory = props.inKeychain ? WORKER_WORDS.tokenInKeychain : WORKER_WORDS.tokenInMemory;
  const token = { none: WORKER_WORDS.noToken, memory: inMemory, env: null, file: null } as const;
  const ofToken = token_source === undefined ? null : token[token_source];
  return (
    <>
      {facts.length === 0 ? null : <p className="panel-quiet worker-facts">{facts.join(' · ')}</p>}
      {ofToken === null ? null : <p className="panel-quiet">{ofToken}</p>}
    </>
  );
}

/** A URL that breaks at its slashes rather than within a word. */
function BreakableUrl({ url }: { readonly url: string }) {
  return url.split(/(?<=[^/]\/)(?=[^/])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are the text, in its order
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
