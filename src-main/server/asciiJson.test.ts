import { expect, test } from 'vitest';
import { asciiJson } from './asciiJson.ts';

const LONG = 'x'.repeat(40_000);

const rows: readonly { name: string; text: string; ascii: boolean }[] = [
  { name: 'long text of only ASCII', text: LONG, ascii: true },
  { name: 'one ellipsis at its beginning', text: `…${LONG}`, ascii: true },
  { name: 'one at its end', text: `${LONG}é`, ascii: true },
  { name: 'pairs, quotes and controls', text: `"🎉"\n\\${LONG}\u0000漢\u2028`, ascii: true },
  { name: 'half a pair', text: `${LONG}\ud83c`, ascii: true },
  { name: 'short text stays', text: '… é', ascii: false },
  { name: 'text of another script stays', text: '漢'.repeat(40_000), ascii: false },
];

test.each(rows)('$name: the escaped JSON has the same value', ({ text, ascii }) => {
  const json = JSON.stringify(text);
  const written = asciiJson(json);
  expect(JSON.parse(written)).toBe(text);
  expect(Buffer.byteLength(written) === written.length).toBe(ascii);
  if (!ascii) expect(written).toBe(json);
});
