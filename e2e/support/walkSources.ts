/** Sources for random notebooks; each gives the same result whenever it runs with the same inputs. */

import { pick } from './seeded.ts';

const NAMES = ['x', 'y', 'z', 'd', 'len'] as const;

type Random = () => number;

function annotation(random: Random, ids: readonly string[]): string {
  const other = ids.length === 0 ? '' : pick(random, ids);
  return pick(random, [
    '',
    '',
    '',
    '',
    `# ${Math.floor(random() * 5)} is a comment\n`,
    '# @nocache\n',
    `# @env MODE=${pick(random, ['', 'one', 'two'])}\n`,
    other === '' ? '' : `# @after ${other}\n`,
  ]);
}

const BODIES: readonly ((random: Random) => string)[] = [
  (random) => `${pick(random, NAMES)} = ${pick(random, ['1', '2', '1 + 1', '[1]', '{"k": 1}'])}`,
  (random) => `${pick(random, NAMES)} = [${pick(random, NAMES)}, ${Math.floor(random() * 3)}]`,
  (random) => `${pick(random, NAMES)} = ${pick(random, NAMES)}\n${pick(random, NAMES)} = 3`,
  (random) => `print(${pick(random, NAMES)})`,
  (random) => `print(${pick(random, NAMES)})\n${pick(random, NAMES)} = 4`,
  (random) => pick(random, NAMES),
  (random) => `${pick(random, NAMES)} = [5]\ndisplay(${pick(random, NAMES)})\n${pick(random, NAMES)}`,
  (random) => `import time\ntime.sleep(0.03)\nprint("slow", ${pick(random, NAMES)})`,
  (random) => `d["n"] = ${pick(random, NAMES)}\nd`,
  () => 'x = str(d)\nd = {"was": x}',
  () => 'import os\nprint(os.environ.get("MODE"))',
  (random) => `def f():\n    return ${pick(random, NAMES)}\ny = f()`,
  (random) => `import math\nz = math.floor(${Math.floor(random() * 9)}.5)\nprint(z)`,
  () => 'raise ValueError("as written")',
  () => '',
  () => 'x = (',
];

/** A Python cell that may read, define, print, show, fail, have `@after`, or be invalid. */
export function randomSource(random: Random, ids: readonly string[]): string {
  return `${annotation(random, ids)}${pick(random, BODIES)(random)}`;
}
