/** Dialog that previews which packages of a dropped or chosen package list would be added to the notebook. */

import './packages.css';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  beginRequest,
  type PackageList,
  type PackagePreview,
  previewRequest,
  readList,
} from '../../live/packages.ts';
import { useTask } from '../../live/useTask.ts';
import type { PackageListFile } from '../../state/packageRequest.ts';
import { IconButton } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { PACKAGE_WORDS } from '../../words/packages.ts';
import { Changes } from './Changes.tsx';

/** Previews what importing a package file would change. */
export function ImportDialog({
  sid,
  file,
  onClose,
}: {
  sid: string;
  file: PackageListFile;
  onClose: () => void;
}) {
  const reading = useTask();
  const looking = useTask();
  const beginning = useTask();
  const [list, setList] = useState<PackageList | null>(null);
  const [pickedNames, setPickedNames] = useState<readonly string[]>([]);
  const [preview, setPreview] = useState<PackagePreview | null>(null);
  const { run: readPackageList } = reading;
  const { run: look } = looking;
  useEffect(() => {
    readPackageList(async (signal) => {
      const answer = await readList(sid, file, signal);
      setList(answer);
      setPickedNames(answer.requirements);
    });
  }, [readPackageList, sid, file]);
  useEffect(() => {
    setPreview(null);
    if (pickedNames.length === 0) return;
    look(async (signal) =>
      setPreview(await previewRequest(sid, { kind: 'import', requirements: pickedNames }, signal)),
    );
  }, [look, sid, pickedNames]);
  const empty = list !== null && pickedNames.length === 0 ? PACKAGE_WORDS.nothingTaken : null;
  const problem =
    reading.problem ?? empty ?? looking.problem ?? beginning.problem ?? preview?.problem ?? null;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={PACKAGE_WORDS.importNamed(file.name)}
      description={PACKAGE_WORDS.importHint}
      go={PACKAGE_WORDS.importGo}
      going={PACKAGE_WORDS.applying}
      busy={beginning.busy}
      ready={preview !== null && preview.problem === null}
      onSubmit={() =>
        beginning.run(async () => {
          await beginRequest(sid, { kind: 'import', requirements: pickedNames });
          onClose();
        })
      }
    >
      {problem === null ? null : <Notice tone="error">{problem}</Notice>}
      {pickedNames.length === 0 ? null : (
        <Taken
          taken={pickedNames}
          onLeaveOut={(one) => setPickedNames(pickedNames.filter((other) => other !== one))}
        />
      )}
      {list === null || list.left_out.length === 0 ? null : <LeftOut leftOut={list.left_out} />}
      {reading.busy ? <Spinner label={PACKAGE_WORDS.reading} /> : null}
      {looking.busy && pickedNames.length > 0 ? <Spinner label={PACKAGE_WORDS.looking} /> : null}
      {preview === null || preview.problem !== null ? null : (
        <div className="import-part">
          <h4>{PACKAGE_WORDS.changes}</h4>
          <Changes changes={preview.changes} />
        </div>
      )}
    </FormDialog>
  );
}

function Taken({
  taken: pickedNames,
  onLeaveOut,
}: {
  taken: readonly string[];
  onLeaveOut: (one: string) => void;
}) {
  const words = PACKAGE_WORDS.taken(pickedNames.length);
  return (
    <div className="import-part">
      <h4>{words}</h4>
      <ul className="plain-list import-list" aria-label={words}>
        {pickedNames.map((one) => (
          <li key={one} className="import-row">
            <code>{one}</code>
            <IconButton
              label={PACKAGE_WORDS.leaveOut(one)}
              onClick={(event) => {
                // The row disappears together with its focused button, so the next row's button gets the focus.
                const row = event.currentTarget.closest('li');
                (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button')?.focus();
                onLeaveOut(one);
              }}
            >
              <X aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function LeftOut({ leftOut }: { leftOut: PackageList['left_out'] }) {
  const words = PACKAGE_WORDS.leftOut(leftOut.length);
  return (
    <div className="import-part">
      <h4>{words}</h4>
      {/* Can have the focus, because a long list without controls is scrolled by keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <ul className="plain-list import-list" aria-label={words} tabIndex={0}>
        {leftOut.map(({ text, why }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may say the same twice
          <li key={at} className="import-left">
            <code>{text}</code> {why}
          </li>
        ))}
      </ul>
    </div>
  );
}
