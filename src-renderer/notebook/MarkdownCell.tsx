/** A text cell: rendered Markdown, or its source with a preview below while it is edited. */

import './textCell.css';
import { useDeferredValue } from 'react';
import { type ShownText, useText } from '../editor/shownText.ts';
import { MarkdownView } from '../outputs/MarkdownView.tsx';
import { CELL_WORDS } from '../words/cell.ts';
import { WORDS } from '../words/strings.ts';
import { CellEditor } from './CellEditor.tsx';
import { useSession } from './context.ts';
import { pastePictures } from './pastePictures.ts';
import { SectionFold } from './SectionFold.tsx';
import { SlashMenu } from './slash/SlashMenu.tsx';
import { useMarkdownContext } from './useMarkdownContext.ts';
import { useShownText } from './useShownText.ts';

/** A text cell: rendered Markdown, or its source with a preview below after a double-click or Enter. */
export function MarkdownCell(props: { id: string; name: string; editing: boolean }) {
  const { id, name, editing } = props;
  const session = useSession();
  const text = useShownText(id);
  if (editing) {
    return (
      <div
        onPasteCapture={(event) => {
          if (pastePictures(session, id, event.clipboardData)) event.preventDefault();
        }}
      >
        <CellEditor cellId={id} text={text} language="markdown" label={name} caret={null} />
        <SlashMenu cellId={id} text={text} />
        <Preview text={text} name={name} />
      </div>
    );
  }
  return (
    // With the keyboard, Enter on the focused cell starts editing.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className="text-body" onDoubleClick={() => session.focus(id, 'edit')}>
      <SectionFold id={id} />
      <ReadText text={text} />
    </div>
  );
}

function ReadText({ text }: { text: ShownText }) {
  const source = useText(text);
  const around = useMarkdownContext(source);
  if (source.trim() === '') return <span className="code-empty">{WORDS.emptyMarkdown}</span>;
  return <MarkdownView text={source} around={around} />;
}

/** The preview of the text. It is updated as a deferred value, so that typing never waits for it. */
function Preview({ text, name }: { text: ShownText; name: string }) {
  const source = useDeferredValue(useText(text));
  const around = useMarkdownContext(source);
  if (source.trim() === '' || source.startsWith('/')) return null;
  return (
    <section className="text-preview" aria-label={CELL_WORDS.preview(name)}>
      <MarkdownView text={source} around={around} />
    </section>
  );
}
