/** A Markdown cell, rendered or in edit mode. */

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

/** A text cell: read as rich text, written as Markdown after a double click or Enter, with the rich text below. */
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
    // The keyboard way in is Enter on the focused cell.
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

/** The text as it will be read. It follows the typing when there is time: a key never waits for it. */
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
