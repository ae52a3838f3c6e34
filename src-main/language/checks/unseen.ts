/** Reports names and commands in a cell that the analysis cannot follow, such as `exec` and Jupyter commands. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS } from './check.ts';

type Cell = Pick<CheckedCell, 'id' | 'analysis'>;

/** The part of a notebook that this check reads. An import runs the check before there is a notebook. */
interface Around extends Pick<CheckedNotebook, 'graph' | 'modules'> {
  readonly cells: ReadonlyMap<CheckedCell['id'], Cell>;
}

/**
 * Reports names and commands that the analysis cannot follow, or that fail in a run without user input. Cellar's own
 * check (docs/extensions.md).
 */
export const checkUnseen = (cell: Cell, notebook: Around): readonly Diagnostic[] => {
  const { unseen, privateReferences } = cell.analysis;
  const { reads, questions, stars, magics, sourceReads, subclassReads } = unseen;
  if (
    Object.values(unseen).every(({ length }: readonly unknown[]) => length === 0) &&
    privateReferences.length === 0
  )
    return NO_DIAGNOSTICS;
  return [
    ...magics.map(({ text, line }) => diagnose('magic_line', magicWords(text), line, text)),
    ...questions.flatMap(({ text, line }) =>
      isOwnInput(cell, notebook, text) ? [] : [diagnose('asks_for_input', questionWords(text), line, text)],
    ),
    ...reads.map(({ text, line }) =>
      diagnose(
        'names_in_text',
        `Cellar cannot see which variables \`${text}\` uses. Name each of them in this cell, for example as \`x\` on a line of its own, so that the cell reads it and notices changes.`,
        line,
        text,
      ),
    ),
    ...hiddenDefines(cell, notebook),
    ...stars
      .filter(({ text }) => !notebook.modules?.stars?.get(text))
      .map(({ text, line }) =>
        diagnose(
          'star_import',
          `Other cells cannot use names from \`from ${text} import *\`. Import the names you use: \`from ${text} import name\`.`,
          line,
          text,
        ),
      ),
    ...sourceReads.map(({ text, line }) =>
      diagnose(
        'reads_source',
        `\`${text}\` can give comments and line numbers. A result does not depend on them, so it stays the same after an edit that changes nothing else. Run \`Rerun cell without cache\` on the edited cell after such an edit, then on this one.`,
        line,
        text,
      ),
    ),
    ...subclassReads
      .filter(({ text }) => !isOwnClass(cell, notebook, text))
      .map(({ line }) =>
        diagnose(
          'lists_subclasses',
          `\`__subclasses__\` lists only subclasses that this cell defines or names, not those of other cells. Put the classes into a list, or define them in this cell or in a Python file.`,
          line,
          '__subclasses__',
        ),
      ),
    ...privateNames(cell, notebook),
  ];
};

/** Whether this check reads the names of cells that this cell has no edge to. */
export function readsOtherCells({ analysis }: Pick<CheckedCell, 'analysis'>): boolean {
  const { unseen, privateReferences } = analysis;
  return privateReferences.length + unseen.defines.length + unseen.stars.length > 0;
}

/** Whether the class is this cell's: no cell above can have subclasses of it. */
function isOwnClass({ id, analysis }: Cell, { graph }: Around, written: string): boolean {
  const [name, attribute] = written.split('.');
  if (name === undefined || attribute === undefined) return false;
  return analysis.defines.includes(name) && graph.wiring.get(id)?.has(name) !== true;
}

/** Whether `input` is a name of an earlier cell or of this one, and not the builtin. */
function isOwnInput({ id, analysis }: Cell, { graph }: Around, callee: string): boolean {
  if (callee !== 'input') return false;
  return !analysis.builtinReferences.includes(callee) || graph.wiring.get(id)?.has(callee) === true;
}

function questionWords(callee: string): string {
  return callee === 'input'
    ? '`input()` fails in a cell, because cells run without user input. Assign the value in the cell, or use a widget cell.'
    : `\`${callee}()\` fails in a cell, because cells run without user input. Put the password into a variable of the notebook and read it with \`os.environ\`.`;
}

/** What to do instead of a Jupyter command. */
const INSTEAD: readonly (readonly [command: RegExp, advice: string])[] = [
  [/^%%?(timeit|time|prun)$/, 'Use Python: `import timeit; timeit.timeit(lambda: ..., number=100)`.'],
  [/^[%!](pip|conda|mamba|uv)$/, 'Add the package in the Environment panel.'],
  [/^%(matplotlib|config|load_ext|reload_ext|autoreload|colors)$/, 'Remove the line: it is not needed here.'],
  [/^%(env|set_env)$/, 'Write `# @env KEY=value` at the top of the cell.'],
  [/^%run$/, 'Import the file as a module.'],
  [/^%cd$/, 'Use `os.chdir(...)`.'],
  [/^%%?(writefile|file)$/, 'Use `pathlib.Path(...).write_text(...)`.'],
  [/^%%?sql$/, 'Use a SQL cell.'],
  [/^%%(markdown|html|latex)$/, 'Use a Markdown cell.'],
  [/^(!|%%?(bash|sh|script|cmd|system|sx)$)/, 'Run the program with `subprocess.run(...)`.'],
  [/^\?/, 'Write `help(name)`.'],
];

function magicWords(command: string): string {
  const advice =
    INSTEAD.find(([pattern]) => pattern.test(command))?.[1] ?? 'Remove it, or write it in Python.';
  return `\`${command}\` is a Jupyter command, not Python, so this cell cannot run. ${advice}`;
}

/** Names that `exec` or `globals()` defines; reported only if another cell reads them. */
function hiddenDefines(cell: Cell, { cells }: Around): readonly Diagnostic[] {
  const { defines } = cell.analysis.unseen;
  if (defines.length === 0) return NO_DIAGNOSTICS;
  const others = [...cells.values()].filter((other) => other.id !== cell.id);
  return defines.flatMap(({ text, line }) =>
    others.some(({ analysis }) => analysis.references.includes(text))
      ? [
          diagnose(
            'hidden_define',
            `Other cells do not see \`${text}\`, because it is not assigned in code here. Assign it in code: \`${text} = ...\`.`,
            line,
            text,
          ),
        ]
      : [],
  );
}

function privateNames(cell: Cell, { cells }: Around): readonly Diagnostic[] {
  const { privateReferences } = cell.analysis;
  if (privateReferences.length === 0) return NO_DIAGNOSTICS;
  const owners = new Map<string, string>();
  for (const { id, analysis } of cells.values()) {
    if (id === cell.id) break;
    for (const name of analysis.privateDefines) owners.set(name, id);
  }
  return privateReferences.flatMap((name) => {
    const owner = owners.get(name);
    if (owner === undefined) return [];
    const shared = name.replace(/^_+/, '');
    const fix =
      shared === '' || /^\d/.test(shared)
        ? 'Rename it in both cells.'
        : `Rename it to \`${shared}\` in both cells.`;
    const words = `\`${name}\` is not shared: a name that starts with _ stays in its cell (cell ${owner.slice(0, 8)}). ${fix}`;
    return [diagnose('private_name', words, null, name)];
  });
}
