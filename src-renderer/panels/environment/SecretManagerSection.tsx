/** The section of the Environment panel about the secret manager: its place, the last fetch, and its settings. */

import './variables.css';
import { KeyRound, Pencil, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { EnvAnswer } from '../../../src-shared/wire/routes/secrets.ts';
import { RestError } from '../../live/rest.ts';
import type { SecretPlace } from '../../live/variables.ts';
import { useSession, useView } from '../../notebook/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { MANAGER_WORDS } from '../../words/variables.ts';
import { whenText } from '../../words/workbench.ts';
import { SecretManagerDialog } from './SecretManagerDialog.tsx';

const NO_CONFIG: Readonly<Record<string, unknown>> = {};

/** Where the notebook's secrets come from, the result of the last fetch, and a button to try again. */
export function SecretManagerSection() {
  const session = useSession();
  const live = useView((view) => view.link.kind === 'live');
  const config = useView((view) => view.model.meta?.secret_manager_config ?? NO_CONFIG);
  const error = useView((view) => view.model.meta?.env_fetch_error ?? null);
  const fetchedAt = useView((view) => view.model.meta?.env_fetched_at ?? null);
  const untrusted = useView((view) => view.model.meta?.untrusted !== undefined);
  const [editing, setEditing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const isUsed = Object.keys(config).length > 0;
  const place = placeIn(config);
  /** @returns the error message if the secrets could not be fetched, else null */
  const attempt = async (work: () => Promise<EnvAnswer>): Promise<string | null> => {
    try {
      return (await work()).env_fetch_error;
    } catch (failure) {
      if (!(failure instanceof RestError)) throw failure;
      return failure.message;
    }
  };
  const refresh = async (): Promise<void> => {
    setBusy(true);
    const words = await attempt(() => session.variables.refresh());
    setBusy(false);
    setRefused(words);
  };
  const problem = error ?? refused;
  return (
    <section className="panel-section secret-manager" aria-label={MANAGER_WORDS.title}>
      <h3>{MANAGER_WORDS.title}</h3>
      {isUsed ? (
        <>
          <dl className="facts">
            <dt>{MANAGER_WORDS.project}</dt>
            <dd title={place.project_id}>{place.project_id}</dd>
            <dt>{MANAGER_WORDS.environment}</dt>
            <dd>{place.environment || MANAGER_WORDS.defaultEnvironment}</dd>
            <dt>{MANAGER_WORDS.path}</dt>
            <dd>{place.path || MANAGER_WORDS.defaultPath}</dd>
            <dt>{MANAGER_WORDS.host}</dt>
            <dd title={place.base_url}>{place.base_url || MANAGER_WORDS.serverHost}</dd>
          </dl>
          {problem === null ? null : <Notice tone="error">{problem}</Notice>}
          <p className="panel-quiet" role="status">
            {fetchedAt !== null
              ? MANAGER_WORDS.fetchedAt(whenText(Date.parse(fetchedAt), Date.now()))
              : untrusted
                ? MANAGER_WORDS.untrusted
                : MANAGER_WORDS.never}
          </p>
          <div className="secret-manager-acts">
            <Button
              icon={busy ? <Spinner label={null} /> : <RotateCw aria-hidden="true" />}
              onClick={() => void refresh()}
              disabled={!live || busy || untrusted}
            >
              {busy ? MANAGER_WORDS.refreshing : MANAGER_WORDS.refresh}
            </Button>
            <Button
              icon={<Pencil aria-hidden="true" />}
              onClick={() => setEditing(true)}
              disabled={!live || busy}
            >
              {MANAGER_WORDS.change}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="panel-quiet">{MANAGER_WORDS.none}</p>
          <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setEditing(true)} disabled={!live}>
            {MANAGER_WORDS.use}
          </Button>
        </>
      )}
      {editing ? (
        <SecretManagerDialog
          place={isUsed ? place : null}
          onClose={() => setEditing(false)}
          onSave={(place) => {
            setRefused(null);
            return attempt(() => session.variables.nameManager(place));
          }}
        />
      ) : null}
    </section>
  );
}

function placeIn(config: Readonly<Record<string, unknown>>): SecretPlace {
  const text = (key: string): string => (typeof config[key] === 'string' ? config[key] : '');
  return {
    project_id: text('project_id'),
    environment: text('environment'),
    path: text('path'),
    base_url: text('base_url'),
  };
}
