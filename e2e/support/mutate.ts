/** Corrupts files at random, for tests that feed damaged files to the program. */

import { pick } from './seeded.ts';

/** Texts with which parsers of notebook files have had bugs. */
const ODD: readonly string[] = [
  '\u0000',
  '\ufeff',
  '\r\n',
  '"""',
  "'''",
  '[[cells]]\n',
  '[cells]\n',
  '__proto__ = 1\n',
  '[__proto__]\na = 1\n',
  'constructor.prototype.x = 1\n',
  'id = "../../etc/passwd"\n',
  'file = "/etc/passwd"\n',
  'order = nan\n',
  'order = -inf\n',
  'order = 99999999999999999999999999\n',
  'timeout = 1e999\n',
  'name = 1979-05-27T07:32:00Z\n',
  '\ud800',
  'é'.repeat(300),
  '['.repeat(3_000),
  `a${'.a'.repeat(2_000)} = 1\n`,
  `x = ${'{a='.repeat(500)}1${'}'.repeat(500)}\n`,
  '%%%',
  '\u202e',
];

/** Corrupts a file at random: truncated, a piece missing or doubled, lines swapped, a wrong type, odd bytes. */
export function mutate(random: () => number, bytes: Buffer): Buffer {
  const at = Math.floor(random() * (bytes.length + 1));
  const length = Math.floor(random() * random() * 200);
  const text = bytes.toString('utf8');
  const lines = text.split('\n');
  const line = Math.floor(random() * lines.length);
  switch (Math.floor(random() * 9)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 3:
      return Buffer.from(lines.toSpliced(line, 1).join('\n'));
    case 4:
      return Buffer.from(lines.toSpliced(line, 0, pick(random, lines)).join('\n'));
    case 5: {
      const wrong = pick(random, [
        '1',
        '-1',
        'true',
        '""',
        '[]',
        '{}',
        '[1, "a"]',
        '{ a = 1 }',
        '0x7fffffffffffffff',
        '""""""',
      ]);
      return Buffer.from(lines.with(line, (lines[line] ?? '').replace(/=.*$/, `= ${wrong}`)).join('\n'));
    }
    case 6:
      return Buffer.from(lines.toSpliced(line, 0, pick(random, ODD)).join('\n'));
    case 7:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(random, ODD)), bytes.subarray(at)]);
    default: {
      const changed = Buffer.from(bytes);
      for (let i = 0; i < 4 && changed.length > 0; i += 1) {
        changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
      }
      return changed;
    }
  }
}
