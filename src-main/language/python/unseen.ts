import { fieldOf, lineOf, type Syntax, textOf } from './syntax.ts';
import type { TextUse } from './textUses.ts';

/** Something in a text, with its line from 1. */
export interface Spot {
  readonly text: string;
  readonly line: number;
}

/** What a cell does with names that other cells, or a run with nobody watching, cannot follow. */
export interface Unseen {
  /** Code that looks variables up by a text known only when it runs. */
  readonly reads: readonly Spot[];
  /** Names bound by `exec` or through `globals()`. */
  readonly defines: readonly Spot[];
  /** Calls of `input` and `getpass`: the callee as written. */
  readonly questions: readonly Spot[];
  /** Modules of `from m import *` that run with the cell. */
  readonly stars: readonly Spot[];
  /** Jupyter's commands, such as `%timeit` and `!ls`, in a text that is no program. */
  readonly magics: readonly Spot[];
}

export const NOTHING_UNSEEN: Unseen = { reads: [], defines: [], questions: [], stars: [], magics: [] };

/** @param texts where the program names variables in texts */
export function readUnseen(
  { text, root }: { readonly text: string; readonly root: Syntax },
  texts: readonly TextUse[],
): Unseen {
  const questions: Spot[] = [];
  const stars: Spot[] = [];
  if (/\b(input|getpass)\b|\*/.test(text)) collect(text, root, { questions, stars });
  return {
    reads: texts.flatMap(({ node, unknown }) =>
      unknown === null ? [] : [{ text: shortened(unknown), line: lineOf(text, node) }],
    ),
    defines: texts.flatMap(({ node, defines }) =>
      defines.map((name) => ({ text: name, line: lineOf(text, node) })),
    ),
    questions,
    stars,
    magics: [],
  };
}

interface Found {
  readonly questions: Spot[];
  readonly stars: Spot[];
}

function collect(source: string, node: Syntax, found: Found): void {
  if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    if (module !== undefined && node.children.some(({ type }) => type === 'wildcard_import'))
      found.stars.push({ text: textOf(source, module).replace(/\\\n|\s/g, ''), line: lineOf(source, node) });
    return;
  }
  if (node.type === 'call') {
    const callee = fieldOf(node, 'function');
    const name = callee === undefined ? '' : textOf(source, callee);
    if (/^(input|getpass|getpass\.getpass)$/.test(name))
      found.questions.push({ text: name, line: lineOf(source, node) });
  }
  for (const child of node.children) if (child.children.length > 0) collect(source, child, found);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}...`;
}

const MAGIC =
  /^\s*(?:[\w, ]+=\s*)?(%{1,2}[A-Za-z]\w*|!!?(?=\s*[\w./~$-])|\?{1,2}(?=\w))|^\s*[\w.]+(\?{1,2})\s*$/;

/** A package manager called as a program; `python -m pip` is pip. */
const INSTALLER = /^\s*!\s*(?:python3?\s+-m\s+)?(pip|conda|mamba|uv)3?\s/;

/** The commands of Jupyter in a text that Python refuses. `%%bash` takes all that follows it. */
export function readMagics(source: string): readonly Spot[] {
  const found: Spot[] = [];
  for (const [at, line] of source.split(/\r\n|\r|\n/).entries()) {
    const match = MAGIC.exec(line);
    const text = match?.[1] ?? match?.[2];
    if (text === undefined) continue;
    const installer = text === '!' ? INSTALLER.exec(line)?.[1] : undefined;
    found.push({ text: installer === undefined ? text : `!${installer}`, line: at + 1 });
    if (text.startsWith('%%')) break;
  }
  return found;
}
