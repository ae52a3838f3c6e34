import { type CellReader, NOTHING_READ } from '../cellReader.ts';

/** The reader of Python cells, which are parsed in full. */
export const pythonReader: CellReader = {
  read(source, _annotations, { python }) {
    const { parsed, normalized, ...readNames } = python.analyze(source);
    return { ...NOTHING_READ, ...readNames, normalized: parsed ? normalized : null };
  },
  loop: {
    name: 'Python',
    isInvalid: (until, { python }) => !python.isExpression(until),
    namesOf: (until, { python }) => python.analyze(until.trim()),
    bodyOf: (text) => text,
  },
};
