/** The editor of a cell's text. */

import { type ComponentProps, useMemo } from 'react';
import { editedText } from '../editor/finalBreak.ts';
import { LiveEditor } from '../editor/LiveEditor.tsx';
import { loadedLiveHost } from '../editor/liveHost.ts';
import { useSession } from './context.ts';

type Editor = ComponentProps<typeof LiveEditor>;

/** The live editor of a cell, which saves what is typed. It shows no empty line for the line break that ends the text. */
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
