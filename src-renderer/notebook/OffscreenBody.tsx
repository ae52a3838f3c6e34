import './code.css';
import type { Language } from '../../src-shared/wire/cell.ts';
import { CELL_LANGUAGES } from '../state/cellLanguages.ts';
import { WORDS } from '../words/strings.ts';
import type { OffscreenCell } from './offscreenCell.ts';

/** The body of a cell far from the viewport (`offscreenCell`): plain text for find, print and screen readers. */
export function OffscreenBody(props: { name: string; language: Language; far: OffscreenCell }) {
  const { name, language, far } = props;
  return (
    <>
      <div className="bar">
        <span className="cell-name">{name}</span>
        <span className="cell-language">{CELL_LANGUAGES[language].name}</span>
      </div>
      <pre className="code-text">{far.source === '' ? WORDS.emptyCell : far.source}</pre>
      {far.texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text is its place
        <pre className="far-text" key={at}>
          {text}
        </pre>
      ))}
    </>
  );
}
