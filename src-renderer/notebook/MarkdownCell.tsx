import './textCell.css';
import { LiveEditor } from '../editor/LiveEditor.tsx';
import { MarkdownView } from '../outputs/MarkdownView.tsx';
import { WORDS } from '../ui/strings.ts';
import { useSession } from './context.ts';

/** A text cell: read as rich text, written as Markdown after a double click or Enter. */
export function MarkdownCell(props: { id: string; source: string; name: string; editing: boolean }) {
  const { id, source, name, editing } = props;
  const session = useSession();
  if (editing) {
    return (
      <LiveEditor
        cellId={id}
        source={source}
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
      {source.trim() === '' ? (
        <span className="code-empty">{WORDS.emptyMarkdown}</span>
      ) : (
        <MarkdownView text={source} />
      )}
    </div>
  );
}
