import type { Line, Run } from '../../../src-shared/terminal/line.ts';
import { sliceLine, textOfLine } from '../../../src-shared/terminal/line.ts';
import { CONSOLE_WORDS } from '../../words/console.ts';
import { readableColour } from './readableColour.ts';

/** One line of a console, coloured and with search matches marked. It is always rendered as text, never as HTML. */
export function ConsoleLine(props: { line: Line; needle: string; current: boolean }) {
  const { line, needle, current } = props;
  if (needle === '') return <Runs runs={line} />;
  return (
    <>
      {partsAround(line, needle).map((part, index) =>
        part.hit ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <mark key={index} className={current ? 'console-hit console-hit-current' : 'console-hit'}>
            <Runs runs={part.runs} />
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <Runs key={index} runs={part.runs} />
        ),
      )}
    </>
  );
}

function Runs({ runs }: { runs: Line }) {
  return runs.map((run, index) =>
    run.classes === '' && run.color === null && run.background === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
      <Shown key={index} text={run.text} />
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
        key={index}
        className={run.color === null ? run.classes : `${run.classes} ansi-exact`}
        style={coloursOf(run)}
      >
        <Shown text={run.text} />
      </span>
    ),
  );
}

/** Exact colours: adjusted for contrast on the page's background, unchanged on a background that the program set. */
function coloursOf({ color, background }: Run): React.CSSProperties {
  if (background !== null) {
    return { backgroundColor: `rgb(${background})`, ...(color === null ? {} : exactColours(color, color)) };
  }
  if (color === null) return {};
  const { light, dark } = readableColour(color);
  return exactColours(light, dark);
}

function exactColours(light: string, dark: string): React.CSSProperties {
  const full = (colour: string): string => (colour.startsWith('rgb') ? colour : `rgb(${colour})`);
  return { ['--on-light' as string]: full(light), ['--on-dark' as string]: full(dark) };
}

/** Invisible characters and those that change the text direction: shown by their code, so that no text is hidden. */
const HIDDEN = /([\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff])/;

function Shown({ text }: { text: string }) {
  if (!HIDDEN.test(text)) return text;
  return text.split(HIDDEN).map((part, index) => {
    if (index % 2 === 0) return part;
    const code = `U+${part.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      <span key={index} className="console-control" title={CONSOLE_WORDS.control(code)}>
        {code}
      </span>
    );
  });
}

interface Part {
  readonly runs: readonly Run[];
  readonly hit: boolean;
}

/** A line split before and after each occurrence of `needle`, ignoring case. */
function partsAround(line: Line, needle: string): Part[] {
  const text = textOfLine(line).toLowerCase();
  const lowerNeedle = needle.toLowerCase();
  const parts: Part[] = [];
  let at = 0;
  for (let start = text.indexOf(lowerNeedle); start !== -1; start = text.indexOf(lowerNeedle, at)) {
    if (start > at) parts.push({ runs: sliceLine(line, at, start), hit: false });
    at = start + lowerNeedle.length;
    parts.push({ runs: sliceLine(line, start, at), hit: true });
  }
  parts.push({ runs: sliceLine(line, at, Number.POSITIVE_INFINITY), hit: false });
  return parts;
}
