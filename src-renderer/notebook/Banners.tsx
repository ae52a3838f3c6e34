/**
 * Banners above the notebook: problems that prevent working (no trust, no connection and so on), each with what to do
 * about it.
 */

import { useState } from 'react';
import type { ShellBridge } from '../../src-shared/shell/bridge.ts';
import type { PackageSource } from '../../src-shared/wire/environment.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { WORDS } from '../words/strings.ts';
import { useSession, useView, useViewParts } from './context.ts';
import { OrphanTexts } from './OrphanTexts.tsx';
import { FoldedSources, WaitingPackages } from './PackageConsent.tsx';
import { RecheckNotice } from './RecheckNotice.tsx';

/**
 * Shown for an untrusted folder, in which nothing runs. After an attempt to run a cell, the same text is announced to
 * screen readers.
 */
function TrustBanner(props: {
  words: string;
  tried: boolean;
  path: string | null;
  sources: readonly PackageSource[];
}) {
  const { words, tried, path, sources } = props;
  const shell = shellBridge();
  const [asking, setAsking] = useState(false);
  const ask = (bridge: ShellBridge, folder: string): void => {
    setAsking(true);
    // If trusted, the server announces the new state; if declined, nothing changes.
    void bridge.trustNotebook(folder).finally(() => setAsking(false));
  };
  return (
    <Notice
      tone={tried ? 'error' : 'warn'}
      actions={
        shell === null || path === null ? undefined : (
          <Button kind="primary" disabled={asking} onClick={() => ask(shell, path)}>
            {WORDS.trustFolder}
          </Button>
        )
      }
    >
      <span data-untrusted>
        {words}
        {shell === null ? ` ${WORDS.trustElsewhere}` : null}
      </span>
      <FoldedSources sources={sources} />
    </Notice>
  );
}

const NO_SOURCES: readonly PackageSource[] = [];

/** Lists the notebook's own files that were damaged, until it is dismissed. */
function DamagedNotice() {
  const words = useView((view) => view.model.meta?.damaged_notice ?? null);
  const [read, setRead] = useState<string | null>(null);
  if (words === null || read === words) return null;
  return (
    <Notice tone="warn" actions={<Button onClick={() => setRead(words)}>{WORDS.dismiss}</Button>}>
      <span data-damaged>{words}</span>
    </Notice>
  );
}

/** Banners above the notebook: problems that prevent working, each with what to do about it. */
export function Banners() {
  const session = useSession();
  const { problem, notice, closed, refusal, dagError, folder, untrusted, sources, path } = useViewParts(
    (view) => ({
      problem: view.problem,
      notice: view.notice,
      closed: view.model.closed,
      refusal: view.model.refusal,
      dagError: view.model.dagError,
      folder: view.model.meta?.folder_problem ?? null,
      untrusted: view.model.meta?.untrusted ?? null,
      sources: view.model.meta?.package_sources ?? NO_SOURCES,
      path: view.path,
    }),
  );
  const refusedForTrust = refusal?.code === 'NOTEBOOK_UNTRUSTED';
  const dismiss = <Button onClick={() => session.dismissNotice()}>{WORDS.dismiss}</Button>;
  return (
    <div className="banners">
      {problem === null ? null : (
        <Notice
          tone="error"
          actions={
            <a className="btn btn-plain" href="#/">
              {WORDS.backHome}
            </a>
          }
        >
          {problem}
        </Notice>
      )}
      {closed === null ? null : (
        <Notice
          tone="warn"
          actions={
            closed.reason === 'deleted' ? undefined : (
              <Button kind="primary" onClick={() => void session.reopen()}>
                {WORDS.reopen}
              </Button>
            )
          }
        >
          {WORDS.closedReason[closed.reason]}
        </Notice>
      )}
      {untrusted === null ? null : (
        <TrustBanner words={untrusted} tried={refusedForTrust} path={path} sources={sources} />
      )}
      <WaitingPackages />
      {folder === null ? null : (
        <Notice tone="error">
          <span data-folder-problem>{folder}</span>
        </Notice>
      )}
      <RecheckNotice />
      <DamagedNotice />
      {dagError === null ? null : <Notice tone="error">{dagError}</Notice>}
      <OrphanTexts />
      {notice === null ? null : (
        <Notice tone="error" actions={dismiss}>
          {notice}
        </Notice>
      )}
      {refusal === null || refusedForTrust ? null : (
        <Notice tone="error" actions={dismiss}>
          {refusal.error}
        </Notice>
      )}
    </div>
  );
}
