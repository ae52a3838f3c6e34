/** Settings section about agents over MCP: whether they can connect to this server, and the configuration they need. */

import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { AgentAccess } from '../../src-shared/wire/routes/agents.ts';
import { callRoute } from '../live/rest.ts';
import { useAnswer } from '../live/useAnswer.ts';
import { useTask } from '../live/useTask.ts';
import { copyText } from '../outputs/copyText.ts';
import { IconButton } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Switch } from '../ui/Switch.tsx';
import { toast } from '../ui/toastStore.ts';
import { AGENT_WORDS as W } from '../words/agents.ts';
import { type AgentClient, agentConfig } from './agentConfig.ts';

const CLIENTS = ['claude', 'codex', 'json'] as const;

/** Whether agents can connect over MCP, and the configuration that they need. */
export function AgentSettings() {
  const { value: storedAccess, problem: unread } = useAnswer(
    'agentAccess',
    {},
    { subject: 'agents', key: '' },
  );
  const [changed, setChanged] = useState<AgentAccess | null>(null);
  const { busy, problem, run } = useTask();
  const access = changed ?? storedAccess;
  return (
    <section aria-labelledby="settings-agents">
      <h3 id="settings-agents">{W.title}</h3>
      {unread === null ? null : <Notice tone="warn">{unread}</Notice>}
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {access === null && unread === null ? <p className="text-field-hint">{W.loading}</p> : null}
      {access === null ? null : (
        <>
          <Switch
            label={W.enable}
            hint={W.hint}
            checked={access.enabled}
            disabled={busy}
            onChange={(enabled) =>
              run(async () => setChanged(await callRoute('setAgentAccess', { body: { enabled } })))
            }
          />
          {access.configured ? <p className="text-field-hint">{W.configured}</p> : null}
          {access.kept || access.configured ? null : <p className="text-field-hint">{W.notKept}</p>}
          {access.enabled ? <HowToConnect access={access} /> : <p className="text-field-hint">{W.off}</p>}
        </>
      )}
    </section>
  );
}

function HowToConnect({ access }: { access: AgentAccess }) {
  const [client, setClient] = useState<AgentClient>('claude');
  const text = agentConfig(client, access);
  return (
    <div className="settings-agents">
      <div className="settings-row">
        <span className="switch-label">{W.address}</span>
        <span className="settings-address">
          <code>{access.url}</code>
          <CopyButton label={W.copyAddress} text={access.url} />
        </span>
      </div>
      <Segmented
        label={W.client}
        value={client}
        options={CLIENTS.map((value) => ({ value, label: W.clients[value] }))}
        onChange={setClient}
      />
      <p className="text-field-hint">{W.where[client]}</p>
      <div className="settings-config">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by key */}
        <pre tabIndex={0}>{text}</pre>
        <CopyButton label={W.copy} text={text} />
      </div>
      {access.needs_token ? <p className="text-field-hint">{W.token}</p> : null}
      <p className="text-field-hint">{W.scope(access.scopes)}</p>
    </div>
  );
}

function CopyButton({ label, text }: { label: string; text: string }) {
  return (
    <IconButton
      label={label}
      onClick={() => void copyText(text).then((done) => toast(done ? W.copied : W.notCopied))}
    >
      <Copy aria-hidden="true" />
    </IconButton>
  );
}
