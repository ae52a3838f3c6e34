import './textCell.css';
import { LiveEditor } from '../editor/LiveEditor.tsx';
import { type ShownText, useText } from '../editor/shownText.ts';
import { MarkdownView } from '../outputs/MarkdownView.tsx';
import { WORDS } from '../words/strings.ts';
import { useSession } from './context.ts';
import { useShownText } from './useShownText.ts';

/** A text cell: read as rich text, written as Markdown after a double click or Enter. */
export function MarkdownCell(props: { id: string; name: string; editing: boolean }) {
  const { id, name, editing } = props;
  const session = useSession();
  const text = useShownText(id);
  if (editing) {
    return (
      <LiveEditor
        cellId={id}
        text={text}
        language="markdown"
        label={name}
        caret={null}
        onType={(text) => session.edits.type(id, text)}
        onBlur={() => session.edits.save(id)}
      />
    );
  }
  return (
    // The keyboard way in is Enter on the focused cell.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className="text-body" onDoubleClick={() => session.focus(id, 'edit')}>
      <ReadText text={text} />
    </div>
  );
}

function ReadText({ text }: { text: ShownText }) {
  const source = useText(text);
  if (source.trim() === '') return <span className="code-empty">{WORDS.emptyMarkdown}</span>;
  return <MarkdownView text={source} />;
}
