import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { shownSource } from '../../state/notebookStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DiffView } from '../../ui/DiffView.tsx';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';

/** Dialog that compares a cell with code from an answer of the assistant, and replaces it if the user accepts. */
export function ReplaceDialog(props: { cellId: string; text: string; onClose: () => void }) {
  const { cellId, text, onClose } = props;
  const session = useSession();
  const name = useView(({ model }) => (model.cells[cellId] === undefined ? null : cellName(model, cellId)));
  const before = useView((view) => shownSource(view, cellId));
  const accept = (): void => {
    void session.shape.writeSources(new Map([[cellId, text]]), 'replace');
    session.focus(cellId, 'command');
    onClose();
  };
  const isSame = before === text;
  return (
    <Dialog
      open={name !== null}
      onClose={onClose}
      size="l"
      title={W.replaceTitle(name ?? '')}
      footer={
        <>
          <Button onClick={onClose}>{W.reject}</Button>
          <Button kind="primary" disabled={isSame} onClick={accept}>
            {W.accept}
          </Button>
        </>
      }
    >
      {isSame ? (
        <p>{W.replaceSame}</p>
      ) : (
        <DiffView before={before} after={text} label={W.replaceChanges} whole />
      )}
    </Dialog>
  );
}
