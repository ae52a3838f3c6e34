import { type CellReader, NOTHING_READ } from '../cellReader.ts';
import { NO_R_NAMES } from './rNames.ts';
import { rTextsOf } from './rTexts.ts';

/** The reader of R cells, whose names R itself finds; without R they have no names. */
export const rReader: CellReader = {
  read(source, _annotations, { r }) {
    const { defines, references, env } = r?.known(source) ?? NO_R_NAMES;
    return { ...NOTHING_READ, defines, references, envKeys: env };
  },
  isReadable: (source, { r }) =>
    r === undefined || rTextsOf(source).every((text) => r.known(text) !== undefined),
  loop: {
    name: 'R',
    // Without R it is unknown whether an expression is valid.
    isInvalid: (until, { r }) => r?.known(until)?.broken === true,
    namesOf: (until, { r }) => {
      const { references } = r?.known(until) ?? NO_R_NAMES;
      return { references, builtinReferences: [] };
    },
    bodyOf: withoutLoop,
  },
};

/** R source without its @loop annotations, which are not part of what one iteration runs. */
function withoutLoop(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  const top = lines.slice(0, Math.max(first, 0)).filter((line) => !/^\s*#\s*@loop(_until)?\b/i.test(line));
  return [...top, ...lines.slice(Math.max(first, 0))].join('\n');
}
