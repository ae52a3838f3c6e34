/** Collects the uses of names and commands in a Python cell that the analysis cannot follow. */

import type { Excerpt } from './sourceReads.ts';
import { readSourceReads, readSubclassReads } from './sourceReads.ts';
import { fieldOf, lineOf, type Syntax, textOf } from './syntax.ts';
import type { TextUse } from './textUses.ts';

/** Uses of names and commands that the analysis cannot follow, or that fail in a run without user input. */
export interface UntrackedUses {
  /** Code that looks variables up by a string known only at run time. */
  readonly reads: readonly Excerpt[];
  /** Names bound by `exec` or through `globals()`. */
  readonly defines: readonly Excerpt[];
  /** Calls of `input` and `getpass`: the callee as written. */
  readonly questions: readonly Excerpt[];
  /** Modules of `from m import *` that run with the cell. */
  readonly stars: readonly Excerpt[];
  /** Jupyter commands such as `%timeit` and `!ls`, in a source that is not a program. */
  readonly magics: readonly Excerpt[];
  /** Names that give comments or line numbers, such as `inspect.getsource`. */
  readonly sourceReads: readonly Excerpt[];
  /** `__subclasses__`, which lists only the classes that the cell's process knows. */
  readonly subclassReads: readonly Excerpt[];
}

export const NO_UNTRACKED_USES: UntrackedUses = {
  reads: [],
  defines: [],
  questions: [],
  stars: [],
  magics: [],
  sourceReads: [],
  subclassReads: [],
};

/** @param texts the places where strings name variables */
export function readUntrackedUses(
  { text, root }: { readonly text: string; readonly root: Syntax },
  texts: readonly TextUse[],
): UntrackedUses {
  const questions: Excerpt[] = [];
  const stars: Excerpt[] = [];
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
    sourceReads: readSourceReads({ text, root }),
    subclassReads: readSubclassReads({ text, root }),
  };
}

interface Collected {
  readonly questions: Excerpt[];
  readonly stars: Excerpt[];
}

function collect(source: string, node: Syntax, collected: Collected): void {
  if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    if (module !== undefined && node.children.some(({ type }) => type === 'wildcard_import'))
      collected.stars.push({
        text: textOf(source, module).replace(/\\\n|\s/g, ''),
        line: lineOf(source, node),
      });
    return;
  }
  if (node.type === 'call') {
    const callee = fieldOf(node, 'function');
    const name = callee === undefined ? '' : textOf(source, callee);
    if (/^(input|getpass|getpass\.getpass)$/.test(name))
      collected.questions.push({ text: name, line: lineOf(source, node) });
  }
  for (const child of node.children) if (child.children.length > 0) collect(source, child, collected);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}...`;
}

const MAGIC =
  /^\s*(?:[\w, ]+=\s*)?(%{1,2}[A-Za-z]\w*|!!?(?=\s*[\w./~$-])|\?{1,2}(?=\w))|^\s*[\w.]+(\?{1,2})\s*$/;

/** A package manager run as a program; `python -m pip` is pip. */
const INSTALLER = /^\s*!\s*(?:python3?\s+-m\s+)?(pip|conda|mamba|uv)3?\s/;

/**
 * The Jupyter commands in a source that Python refuses. A `%%` command such as `%%bash` includes all lines after it.
 */
export function readMagics(source: string): readonly Excerpt[] {
  const commands: Excerpt[] = [];
  for (const [at, line] of source.split(/\r\n|\r|\n/).entries()) {
    const match = MAGIC.exec(line);
    const text = match?.[1] ?? match?.[2];
    if (text === undefined) continue;
    const installer = text === '!' ? INSTALLER.exec(line)?.[1] : undefined;
    commands.push({ text: installer === undefined ? text : `!${installer}`, line: at + 1 });
    if (text.startsWith('%%')) break;
  }
  return commands;
}
