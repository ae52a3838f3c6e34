/**
 * A small notebook whose values follow from the numbers in its sources, random edits and runs of it, and what a fresh
 * interpreter would show for the sources on disk.
 */

import type { OpenNotebook } from '../support/openNotebook.ts';
import { pick } from '../support/seeded.ts';

export const CELLS = ['a', 'b', 'c', 'd', 'e'] as const;
type Id = (typeof CELLS)[number];

const NUMBERS = [0, 1, 2, 3];
const TEXTS: Readonly<Record<Id, (n: number) => string>> = {
  a: (n) => `x = ${n}`,
  b: (n) => `y = x + ${n}\nprint("b", y)\ny`,
  // Fails for one value of y.
  c: (n) => `print("c", y, ${n})\n12 // (y - 2)`,
  d: (n) => `z = [x, ${n}]\nprint("d", z)\nsum(z)`,
  e: (n) => `print("e", y, sum(z), ${n})\ny * 100 + sum(z)`,
};

/** What a test knows about the notebook across all kills. */
export interface KnownTexts {
  /** The texts that each file may have: one, or two if it is unknown whether the last edit was stored. */
  readonly texts: Map<Id, Set<string>>;
  /** The text before the last one, for an undo. */
  readonly before: Map<Id, string>;
  checked: number;
  ready: number;
}

export function newKnownTexts(): KnownTexts {
  const texts = new Map(CELLS.map((id) => [id, new Set([TEXTS[id](1)])]));
  return { texts, before: new Map(), checked: 0, ready: 0 };
}

/** The cells of a new notebook. */
export const FIRST_CELLS = CELLS.map((id) => ({ id, source: TEXTS[id](1) }));

interface Shown {
  readonly stdout: string;
  readonly display: string | null;
}

/** What each cell shows for these texts; null if it fails or a name it reads is missing. */
function expectedOutputs(texts: ReadonlyMap<Id, string>): ReadonlyMap<Id, Shown | null> {
  const numberOf = (id: Id): number | null => {
    const text = texts.get(id) ?? '';
    return NUMBERS.find((n) => TEXTS[id](n) === text) ?? null;
  };
  const [a, b, c, d, e] = CELLS.map(numberOf);
  const [x = null] = [a];
  const y = x === null || b == null ? null : x + b;
  const z = x === null || d == null ? null : [x, d];
  const sum = (z ?? []).reduce((all, one) => all + one, 0);
  const plain: Shown = { stdout: '', display: null };
  return new Map<Id, Shown | null>([
    ['a', plain],
    ['b', y === null ? null : { stdout: `b ${y}\n`, display: String(y) }],
    [
      'c',
      y === null || y === 2 || c == null
        ? null
        : { stdout: `c ${y} ${c}\n`, display: String(Math.floor(12 / (y - 2))) },
    ],
    ['d', z === null ? null : { stdout: `d [${z.join(', ')}]\n`, display: String(sum) }],
    [
      'e',
      y === null || z === null || e == null
        ? null
        : { stdout: `e ${y} ${sum} ${e}\n`, display: String(y * 100 + sum) },
    ],
  ]);
}

/** Messages about what an opened notebook shows that does not follow from its sources. */
export async function problemsOf(
  notebook: OpenNotebook,
  { known, read }: { readonly known: KnownTexts; readonly read: (id: Id) => Promise<string> },
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const texts = new Map<Id, string>();
  for (const id of CELLS) {
    const text = await read(id);
    texts.set(id, text);
    const allowed = known.texts.get(id) ?? new Set();
    if (!allowed.has(text)) {
      wrong.push(`${id} holds ${JSON.stringify(text)}, not one of ${JSON.stringify([...allowed])}`);
    }
    known.texts.set(id, new Set([text]));
  }
  const fresh = expectedOutputs(texts);
  for (const id of CELLS) {
    const cell = await notebook.cell(id);
    known.checked += 1;
    if (cell.source !== texts.get(id)) wrong.push(`${id} shows another text than its file holds`);
    // An empty cell has nothing to show.
    if (cell.status !== 'ready' || texts.get(id) === '') continue;
    known.ready += 1;
    const display = cell.display_output == null ? null : String(cell.display_output.preview);
    const shown: Shown = { stdout: cell.console_stdout, display };
    const expected = fresh.get(id) ?? null;
    if (JSON.stringify(shown) === JSON.stringify(expected)) continue;
    wrong.push(`${id} is ready with ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`);
  }
  return wrong;
}

/**
 * Makes random edits, undos and runs, one after another, until the server is killed.
 * @param onAnswer is called after each edit and run, with their count
 */
export async function editUntilKilled(
  notebook: OpenNotebook,
  {
    known,
    random,
    onAnswer,
  }: {
    readonly known: KnownTexts;
    readonly random: () => number;
    readonly onAnswer: (count: number) => void;
  },
): Promise<void> {
  onAnswer(0);
  for (let i = 1; ; i += 1) {
    const id = pick(random, CELLS);
    const draw = random();
    const again = known.before.get(id);
    const text = draw < 0.15 && again !== undefined ? again : TEXTS[id](pick(random, NUMBERS));
    const isKept = draw < 0.45 ? await edit(notebook, { known, id, text }) : true;
    const target = pick(random, ['b', 'c', 'e', 'e'] as const);
    if (isKept) await run(notebook, target);
    if (await isGone(notebook)) return;
    onAnswer(i);
  }
}

/** @returns false if the server did not confirm that it is stored */
async function edit(
  notebook: OpenNotebook,
  { known, id, text }: { readonly known: KnownTexts; readonly id: Id; readonly text: string },
): Promise<boolean> {
  const possible = known.texts.get(id) ?? new Set();
  const [last] = possible;
  known.texts.set(id, new Set([...possible, text]));
  try {
    await notebook.edit(id, text);
  } catch {
    return false; // the server was killed, or reported a full disk: the file may have either text
  }
  if (last !== undefined && last !== '') known.before.set(id, last);
  known.texts.set(id, new Set([text]));
  return true;
}

async function run(notebook: OpenNotebook, id: Id): Promise<void> {
  try {
    await notebook.execute(id);
  } catch {
    // The run was killed or refused; what the notebook shows afterwards is checked instead.
  }
}

async function isGone(notebook: OpenNotebook): Promise<boolean> {
  return notebook.get('/dag').then(
    () => false,
    () => true,
  );
}
