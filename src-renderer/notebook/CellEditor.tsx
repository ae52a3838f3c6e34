/** The editor of a cell's text: the live editor, connected with the drafts of the notebook. */

import { type ComponentProps, useMemo } from 'react';
import { editedText } from '../editor/finalBreak.ts';
import { LiveEditor } from '../editor/LiveEditor.tsx';
import { loadedLiveHost } from '../editor/liveHost.ts';
import { useSession } from './context.ts';

type Editor = ComponentProps<typeof LiveEditor>;

/**
 * The live editor of a cell, which saves typed text. The line break at the end of a text is not shown as an empty line.
 */
export function CellEditor({ text, ...props }: Omit<Editor, 'onType' | 'onBlur'>) {
  const { edits } = useSession();
  const { cellId } = props;
  const edited = useMemo(
    () => editedText(text, loadedLiveHost()?.hasText(cellId, text.now()) ?? false),
    [cellId, text],
  );
  return (
    <LiveEditor
      {...props}
      text={edited.shown}
      onType={(typed) => edits.type(cellId, edited.stored(typed))}
      onBlur={() => edits.save(cellId)}
    />
  );
}
