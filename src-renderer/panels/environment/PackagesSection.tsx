/** The section of the Environment panel with the notebook's packages and its Python version. */

import { whyNoPackages } from '../../state/whyNoPackages.ts';
import './packages.css';
import { FileDown, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { normalizedName } from '../../../src-shared/notebook/requirement.ts';
import { readRequirementList } from '../../../src-shared/notebook/requirementList.ts';
import type { Dependency } from '../../../src-shared/wire/environment.ts';
import { openPackageList, PACKAGE_LIST_EXTENSIONS } from '../../live/packageListFile.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useSession, useView } from '../../notebook/context.ts';
import type { PackageRequest } from '../../state/packageRequest.ts';
import { joinLines, withPackageName } from '../../state/typedPackage.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { pickFile } from '../../ui/pickFile.ts';
import { Select } from '../../ui/Select.tsx';
import { PACKAGE_WORDS } from '../../words/packages.ts';
import { NameSuggestions } from './NameSuggestions.tsx';
import { PackageDialog } from './PackageDialog.tsx';

/** The notebook's packages and its Python version. Each change is previewed first. */
export function PackagesSection() {
  const session = useSession();
  const sid = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const job = useView((view) => view.model.meta?.environment_job ?? null);
  const { value, problem } = useAnswer('environment', live ? { params: { sid } } : null, {
    subject: sid,
    key: `${job?.id} ${job?.status}`,
  });
  const [request, setRequest] = useState<PackageRequest | null>(null);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isHeld = useView(whyNoPackages) !== null;
  const add = (): void => {
    const list = readRequirementList(typed);
    setWrong(list.kind === 'wrong' ? `${list.text} ${list.why}`.trim() : null);
    if (list.kind === 'read' && !isHeld) setRequest({ kind: 'add', requirements: list.requirements });
  };
  const importFile = async (): Promise<void> => {
    const file = await pickFile(PACKAGE_LIST_EXTENSIONS);
    if (file !== null) await openPackageList(session, file);
  };
  const closed = (jobId: string | null): void => {
    if (jobId !== null && request?.kind === 'add') setTyped('');
    setRequest(null);
  };
  const type = (text: string): void => {
    setTyped(text);
    setWrong(null);
  };
  return (
    <section className="panel-section packages" aria-label={PACKAGE_WORDS.title}>
      <h3>{PACKAGE_WORDS.title}</h3>
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {value !== null && value.dependencies.length === 0 ? (
        <p className="panel-quiet">{PACKAGE_WORDS.none}</p>
      ) : null}
      <ul className="plain-list">
        {(value?.dependencies ?? []).map((one) => (
          <li key={one.name} className="package" data-package={one.name}>
            <code>{one.name}</code>
            <span className="package-version">{versionOf(one, value?.resolved_dependencies ?? [])}</span>
            <IconButton
              label={PACKAGE_WORDS.remove(one.name)}
              onClick={() => setRequest({ kind: 'remove', name: one.name })}
              disabled={isHeld}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={PACKAGE_WORDS.name}
          value={typed}
          onChange={type}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (!/[\r\n]/.test(pasted)) return;
            event.preventDefault();
            const { value: now, selectionStart, selectionEnd } = event.currentTarget;
            type(
              `${now.slice(0, selectionStart ?? now.length)}${joinLines(pasted)}${now.slice(selectionEnd ?? now.length)}`,
            );
          }}
          ref={field}
          hint={PACKAGE_WORDS.nameHint}
          problem={wrong}
          mono
          spellCheck={false}
          autoComplete="off"
          after={
            <Button onClick={add} disabled={isHeld || typed.trim() === ''}>
              {PACKAGE_WORDS.look}
            </Button>
          }
        />
        {live && !isHeld ? (
          <NameSuggestions
            sid={sid}
            typed={typed}
            onTake={(name) => {
              type(withPackageName(typed, name));
              field.current?.focus();
            }}
          />
        ) : null}
      </form>
      <Button icon={<FileDown aria-hidden="true" />} onClick={() => void importFile()} disabled={isHeld}>
        {PACKAGE_WORDS.importFile}
      </Button>
      <PythonChoice sid={sid} disabled={isHeld} onChoose={(minor) => setRequest({ kind: 'python', minor })} />
      {request === null ? null : <PackageDialog sid={sid} request={request} onClose={closed} />}
    </section>
  );
}

/** The choice of the Python version; nothing if the server fixes it. */
function PythonChoice(props: { sid: string; disabled: boolean; onChoose: (minor: string) => void }) {
  const { sid, disabled, onChoose } = props;
  const now = useView(
    (view) =>
      view.model.meta?.environment.requested_python_version ||
      view.model.meta?.environment.runtime_python_version ||
      '',
  );
  const { value } = useAnswer('getConfig', {}, { subject: sid, key: '' });
  if (value === null || value.python_selection_fixed) return null;
  return (
    <Select
      label={PACKAGE_WORDS.python}
      hint={PACKAGE_WORDS.pythonHint}
      value={now}
      options={value.available_python_versions.map((minor) => ({ value: minor, label: minor }))}
      onChange={(minor) => {
        if (minor !== now) onChoose(minor);
      }}
      disabled={disabled}
      placeholder={now}
    />
  );
}

/** The version in the lock file, else the version specifier. */
function versionOf({ name, specifier }: Dependency, resolved: readonly Dependency[]): string {
  const key = normalizedName(name);
  return resolved.find((one) => normalizedName(one.name) === key)?.version ?? specifier ?? '';
}
