/** A code block in an answer of the assistant, with buttons that copy it or insert it as a cell. */

import { Copy } from 'lucide-react';
import { memo, useState } from 'react';
import { NO_FAULTS } from '../../editor/editorFault.ts';
import { editorLanguage } from '../../editor/language.ts';
import { StaticCode } from '../../editor/StaticCode.tsx';
import { useSession, useView } from '../../notebook/context.ts';
import { copyText } from '../../outputs/copyText.ts';
import { cellLanguageOf } from '../../state/assistant/answerParts.ts';
import { cellName } from '../../state/cellName.ts';
import { IconButton } from '../../ui/Button.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import { ReplaceDialog } from './ReplaceDialog.tsx';

/** A code block in an answer. */
export const CodePart = memo(function CodePart(props: {
  info: string;
  text: string;
  /** Whether text of the block is still arriving. */
  isOpen: boolean;
  /** The cell that the message was about. */
  cellId: string | null;
}) {
  const { info, text, isOpen, cellId } = props;
  const language = cellLanguageOf(info);
  return (
    <figure className="assistant-code" aria-label={W.code(info)}>
      <figcaption>
        <span className="assistant-quiet assistant-code-info">{info}</span>
        <span className="grow" />
        {isOpen ? null : (
          <>
            {language === null ? null : <CellActs language={language} text={text} cellId={cellId} />}
            <IconButton
              label={W.copy}
              onClick={() => void copyText(text).then((done) => toast(done ? W.copied : W.notCopied))}
            >
              <Copy aria-hidden="true" />
            </IconButton>
          </>
        )}
      </figcaption>
      {isOpen || language === null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by key
        <pre className="assistant-pre" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <StaticCode
          source={text}
          language={editorLanguage(language)}
          markedLine={null}
          placeholder=""
          scrolls
          label={W.code(info)}
          faults={NO_FAULTS}
        />
      )}
    </figure>
  );
});

function CellActs(props: {
  language: NonNullable<ReturnType<typeof cellLanguageOf>>;
  text: string;
  cellId: string | null;
}) {
  const { language, text, cellId } = props;
  const session = useSession();
  const [replacing, setReplacing] = useState<string | null>(null);
  // The cell that the message was about, else the focused cell.
  const aboutId = useView(({ model }) =>
    cellId !== null && model.cells[cellId] !== undefined ? cellId : null,
  );
  const focusedId = useView(({ model, focusedId: id }) =>
    id !== null && model.cells[id] !== undefined ? id : null,
  );
  const targetId = aboutId ?? focusedId;
  const name = useView(({ model }) => (targetId === null ? null : cellName(model, targetId)));
  const fits = useView(({ model }) => targetId !== null && model.cells[targetId]?.cell.language === language);
  const insert = async (): Promise<void> => {
    const cells = [{ language, source: text }];
    const isWhole = await session.shape.insertCells(cells, { afterId: targetId, deed: 'add' });
    if (isWhole) session.say(W.inserted, { undo: true });
  };
  return (
    <>
      <button type="button" className="assistant-code-act" onClick={() => void insert()}>
        {W.insertBelow}
      </button>
      <button
        type="button"
        className="assistant-code-act"
        disabled={!fits}
        title={fits && name !== null ? W.replaceHint(name) : W.replaceNone}
        onClick={() => setReplacing(targetId)}
      >
        {W.replaceCell}
      </button>
      {replacing === null ? null : (
        <ReplaceDialog cellId={replacing} text={text} onClose={() => setReplacing(null)} />
      )}
    </>
  );
}
