/** The first page: open, create or find a notebook. */

import './home.css';
import { Download, FolderOpen, Package, Plus, Settings } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { replaceHash } from '../router.ts';
import { openSettings } from '../state/settingsDialog.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { Button } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { toast } from '../ui/Toast.tsx';
import { ARTIFACT_WORDS } from '../words/artifacts.ts';
import { HOME_WORDS } from '../words/home.ts';
import { WORDS } from '../words/strings.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { HomeLists } from './HomeLists.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { NewDialog } from './NewDialog.tsx';
import type { NotebookPlace } from './notebookPlace.ts';
import { OpenDialog } from './OpenDialog.tsx';
import { forgetRecent, readRecents } from './recents.ts';
import { useFocusAcrossLists } from './useFocusAcrossLists.ts';
import { useFolderDrop } from './useFolderDrop.ts';
import { useHome } from './useHome.ts';
import { useListKeys } from './useListKeys.ts';
import { usePlaceActions } from './usePlaceActions.ts';

type Asked =
  | { readonly kind: 'open'; readonly dropped: string | null }
  | { readonly kind: 'import'; readonly dropped: File | null }
  | { readonly kind: 'new' };

/** The first page: open, create or find a notebook. */
export function HomePage(props: {
  openPath: (path: string) => void;
  goToNotebook: (sessionId: string, path: string, cellId?: string) => void;
  /** Whether the URL opens the dialog for a new notebook. */
  asksNew: boolean;
}) {
  const { openPath, goToNotebook, asksNew } = props;
  const home = useHome();
  const [openRequest, setOpenRequest] = useState<Asked | null>(null);
  const [deleting, setDeleting] = useState<NotebookPlace | null>(null);
  const actions = usePlaceActions(home, setDeleting);
  const page = useRef<HTMLDivElement>(null);
  useListKeys(page);
  useFocusAcrossLists(page);
  const dragging = useFolderDrop(
    openPath,
    useCallback((name) => setOpenRequest({ kind: 'open', dropped: name }), []),
    useCallback((file) => setOpenRequest({ kind: 'import', dropped: file }), []),
  );
  useEffect(() => {
    document.title = WORDS.appName;
  }, []);
  useEffect(() => {
    if (!asksNew) return;
    setOpenRequest({ kind: 'new' });
    // Remove the request from the URL, so that the dialog stays closed after going back or reloading.
    replaceHash('#/');
  }, [asksNew]);
  const close = useCallback(() => setOpenRequest(null), []);
  const askOpen = useCallback(async () => {
    const shell = shellBridge();
    if (shell === null) return setOpenRequest({ kind: 'open', dropped: null });
    const path = await shell.chooseNotebook();
    if (path !== null) openPath(path);
  }, [openPath]);
  const askNew = useCallback(() => setOpenRequest({ kind: 'new' }), []);
  return (
    <div className="home" ref={page}>
      <aside className="home-side">
        <h1 className="home-title">
          <Logo size={24} /> {WORDS.appName}
        </h1>
        <div className="home-begin">
          <Button kind="primary" icon={<FolderOpen aria-hidden="true" />} onClick={() => void askOpen()}>
            {HOME_WORDS.open}
          </Button>
          <Button icon={<Plus aria-hidden="true" />} onClick={askNew}>
            {HOME_WORDS.create}
          </Button>
          <Button
            icon={<Download aria-hidden="true" />}
            onClick={() => setOpenRequest({ kind: 'import', dropped: null })}
          >
            {HOME_WORDS.importing}
          </Button>
        </div>
        <span className="grow" />
        <div className="home-begin home-end">
          <a className="btn btn-plain" href="#/artifacts">
            <Package aria-hidden="true" />
            {ARTIFACT_WORDS.open}
          </a>
          <Button icon={<Settings aria-hidden="true" />} onClick={openSettings}>
            {HOME_WORDS.settings}
          </Button>
        </div>
      </aside>
      <HomeLists home={home} actions={actions} openPath={openPath} />
      {dragging ? <div className="home-drop">{HOME_WORDS.dropTitle}</div> : null}
      <OpenDialog
        open={openRequest?.kind === 'open'}
        dropped={openRequest?.kind === 'open' ? openRequest.dropped : null}
        onClose={close}
        onOpened={goToNotebook}
      />
      <NewDialog
        open={openRequest?.kind === 'new'}
        config={home.config}
        onClose={close}
        onCreated={goToNotebook}
      />
      <ImportDialog
        open={openRequest?.kind === 'import'}
        dropped={openRequest?.kind === 'import' ? openRequest.dropped : null}
        onClose={close}
        onImported={goToNotebook}
      />
      <DeleteDialog
        place={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={(place) => {
          setDeleting(null);
          forgetRecent(place.path);
          home.setRecents(readRecents());
          home.reload();
          toast(HOME_WORDS.deleted(place.name), { tone: 'ok' });
        }}
      />
    </div>
  );
}
