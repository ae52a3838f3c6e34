/** The form fields for each way to attach a worker: by URL, by relay, over SSH. */

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../outputs/copyText.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { WORKER_COMMANDS, WORKER_WORDS } from '../../words/workers.ts';
import { relayCommand, type TransportDraft, type WorkerDraft } from './workerDraft.ts';

interface FieldsProps {
  readonly draft: WorkerDraft;
  readonly onChange: (change: Partial<WorkerDraft>) => void;
  /** The error of the URL field, shown after the first attempt to submit. */
  readonly problem: string | null;
  /** The error of the token field, likewise. */
  readonly tokenProblem: string | null;
}

const TRANSPORTS = [
  { value: 'direct', label: WORKER_WORDS.transports.direct },
  { value: 'signed', label: WORKER_WORDS.transports.signed },
] as const;
const PLAIN = { spellCheck: false, autoComplete: 'off', mono: true } as const;

/** How cells reach the worker: sent by this server, or downloaded by the worker. */
export function TransportFields({
  draft,
  onChange,
  problem,
}: {
  readonly draft: TransportDraft;
  readonly onChange: (part: Partial<TransportDraft>) => void;
  readonly problem: string | null;
}) {
  const { transport, serverUrl } = draft;
  return (
    <>
      <Segmented
        label={WORKER_WORDS.transport}
        value={transport}
        options={TRANSPORTS}
        onChange={(next) => onChange({ transport: next })}
      />
      <p className="text-field-hint">{WORKER_WORDS.transportHint[transport]}</p>
      {transport === 'direct' ? null : (
        <TextField
          {...PLAIN}
          label={WORKER_WORDS.server}
          hint={WORKER_WORDS.serverHint(location.origin)}
          value={serverUrl}
          onChange={(next) => onChange({ serverUrl: next })}
          problem={problem}
        />
      )}
    </>
  );
}

/** A worker that the server reaches directly: its URL and its token. */
export function AddressFields({ draft, onChange, problem, tokenProblem }: FieldsProps) {
  return (
    <>
      <TextField
        {...PLAIN}
        label={WORKER_WORDS.url}
        hint={WORKER_WORDS.urlHint}
        value={draft.url}
        onChange={(url) => onChange({ url })}
        problem={problem}
      />
      <TokenField {...{ draft, onChange, tokenProblem }} hint={WORKER_WORDS.tokenHint} />
      <CommandToCopy title={WORKER_WORDS.commandDirect} command={WORKER_COMMANDS.direct} />
    </>
  );
}

/** A worker by a relay: the relay's URL, and the command for the machine that will run cells. */
export function RelayFields({ draft, onChange, problem, tokenProblem }: FieldsProps) {
  return (
    <>
      <TextField
        {...PLAIN}
        label={WORKER_WORDS.relay}
        hint={WORKER_WORDS.relayHint}
        value={draft.relay}
        onChange={(relay) => onChange({ relay })}
        problem={problem}
      />
      <TextField
        {...PLAIN}
        type="password"
        label={WORKER_WORDS.connectToken}
        hint={WORKER_WORDS.connectTokenHint}
        value={draft.connectToken}
        onChange={(connectToken) => onChange({ connectToken })}
      />
      <TokenField {...{ draft, onChange, tokenProblem }} hint={WORKER_WORDS.relayTokenHint} />
      <CommandToCopy title={WORKER_WORDS.commandRelay} command={relayCommand(draft)} hides={draft} />
    </>
  );
}

/** A worker by SSH: only the destination, since Cellar installs the worker there. */
export function SshFields({ draft, onChange, problem }: FieldsProps) {
  return (
    <>
      <TextField
        {...PLAIN}
        label={WORKER_WORDS.target}
        hint={WORKER_WORDS.targetHint}
        value={draft.target}
        onChange={(target) => onChange({ target })}
        problem={problem}
      />
      <p className="panel-quiet">{WORKER_WORDS.sshWhat}</p>
    </>
  );
}

function TokenField({
  draft,
  onChange,
  tokenProblem,
  hint,
}: Pick<FieldsProps, 'draft' | 'onChange' | 'tokenProblem'> & { readonly hint: string }) {
  return (
    <TextField
      {...PLAIN}
      type="password"
      label={WORKER_WORDS.token}
      hint={hint}
      value={draft.token}
      onChange={(token) => onChange({ token })}
      problem={tokenProblem}
    />
  );
}

/** A command with a copy button; the tokens in `hides` are copied but not shown. */
function CommandToCopy(props: {
  readonly title: string;
  readonly command: string;
  readonly hides?: Pick<WorkerDraft, 'token' | 'connectToken'>;
}) {
  const { title, command, hides } = props;
  const [message, setSaid] = useState<string | null>(null);
  const hiddenCommand = [hides?.token, hides?.connectToken]
    .filter((text) => text !== undefined && text !== '')
    .reduce<string>((text, secret) => text.replaceAll(secret ?? '', '••••••••'), command);
  const copy = async (): Promise<void> => {
    setSaid((await copyText(command)) ? WORKER_WORDS.copied : WORKER_WORDS.notCopied);
  };
  return (
    <div className="worker-command">
      <p className="panel-quiet">{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>{hiddenCommand}</pre>
      <div className="worker-command-acts">
        <Button icon={<Copy aria-hidden="true" />} onClick={() => void copy()}>
          {WORKER_WORDS.copyCommand}
        </Button>
        <span role="status" className="panel-quiet">
          {message}
        </span>
      </div>
    </div>
  );
}
