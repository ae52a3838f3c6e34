/** Warnings about the code of an imported Jupyter notebook, for the import report. */

import { buildGraph, type Graph } from '../../../src-shared/notebook/graph.ts';
import { type CellId, cellId } from '../../../src-shared/notebook/ids.ts';
import { analyzeCell } from '../../language/analyzeCell.ts';
import type { CellAnalysis, CellAnalyzer } from '../../language/cellAnalysis.ts';
import { checkUnseen } from '../../language/checks/unseen.ts';
import { codeLink, graphCell } from '../../language/graphCell.ts';
import type { ConvertedCell } from './convertedNotebook.ts';
import type { Finding } from './findings.ts';
import { settingsIn } from './processSettings.ts';
import { python2In, REMOVED_BUILTINS } from './python2.ts';
import { awaitsAtTop, isUsedAtTop, readsLastOutput } from './topLevel.ts';

interface CheckedCell {
  readonly id: CellId;
  /** The display name: the cell's position from 1. */
  readonly name: string;
  readonly source: string;
  readonly analysis: CellAnalysis;
  readonly isProgram: boolean;
}

interface Notebook {
  readonly cells: ReadonlyMap<CellId, CheckedCell>;
  /** Null if the cells have none. */
  readonly graph: Graph | null;
  readonly setup: string | null;
}

/**
 * Findings about the Python cells of an imported notebook that depend on a kernel: names from later cells,
 * outputs by number, settings of one process for all cells, another Python. None of them prevents the import.
 */
export function cellFindings(
  converted: { readonly cells: readonly ConvertedCell[]; readonly setup: string | null },
  analyzer: CellAnalyzer,
): readonly Finding[] {
  const cells = new Map<CellId, CheckedCell>();
  for (const [at, { id, language, source }] of converted.cells.entries()) {
    const analysis = analyzeCell(analyzer, { language, source });
    const isProgram = language !== 'python' || analyzer.python.analyze(source).parsed;
    cells.set(cellId(id), { id: cellId(id), name: `cell ${at + 1}`, source, analysis, isProgram });
  }
  const built = buildGraph(Array.from(cells.values(), ({ id, analysis }) => graphCell(id, analysis)));
  const notebook = { cells, graph: built.kind === 'graph' ? built.graph : null, setup: converted.setup };
  return [...cells.values()]
    .filter(({ analysis }) => analysis.language === 'python')
    .flatMap((cell) =>
      wordsAbout(cell, notebook).map((text) => ({ cellId: cell.id, kind: 'warnings', text }) as const),
    );
}

function wordsAbout(cell: CheckedCell, notebook: Notebook): readonly string[] {
  const old = python2Words(cell, notebook);
  if (!cell.isProgram && old.length === 0)
    return ['This cell is not valid Python, so it cannot run. Fix it, or change it to a text cell.'];
  return [
    ...old,
    ...nameWords(cell, notebook),
    ...unseenMessage(cell, notebook),
    ...kernelMessage(cell),
    ...settingMessage(cell, notebook),
  ];
}

function python2Words(cell: CheckedCell, notebook: Notebook): readonly string[] {
  const forms = python2In(cell.source).map(({ words, line }) => `${words} (line ${line})`);
  const replacements = unboundNames(cell, notebook)
    .filter((name) => Object.hasOwn(REMOVED_BUILTINS, name))
    .map((name) => `\`${name}\` for \`${REMOVED_BUILTINS[name]}\``);
  const all = [...forms, ...replacements];
  return all.length === 0 ? [] : [`This is Python 2 code: ${all.join(', ')}. Rewrite it for Python 3.`];
}

/** Names the cell reads that neither it, nor Python, nor an earlier cell defines. */
function unboundNames(cell: CheckedCell, { graph }: Notebook): readonly string[] {
  if (graph === null) return [];
  const wired = graph.wiring.get(cell.id);
  const own = new Set([...cell.analysis.defines, ...cell.analysis.builtinReferences]);
  return cell.analysis.references.filter((name) => wired?.has(name) !== true && !own.has(name));
}

/** The names that IPython adds to every namespace. */
const OF_KERNEL: ReadonlySet<string> = new Set(['In', 'Out', 'get_ipython', 'display', 'exit', 'quit']);

function nameWords(cell: CheckedCell, notebook: Notebook): readonly string[] {
  const { graph, cells } = notebook;
  if (graph === null) return [];
  const below = graph.below.get(cell.id) ?? new Map<string, CellId>();
  const early = [...below].filter(([name]) => !isReadLater(cell, name));
  const messages = early.map(([name, definer]) => {
    const by = cells.get(definer)?.name ?? definer;
    return `\`${name}\` is used here but first defined below, in ${by}. Cells read names from the cells above them. Move ${by} above this cell, or merge the two cells.`;
  });
  if (bringsUnknownNames(cell, notebook)) return messages;
  const unbound = unboundNames(cell, notebook).filter(
    (name) => !below.has(name) && !OF_KERNEL.has(name) && !Object.hasOwn(REMOVED_BUILTINS, name),
  );
  if (unbound.length === 0) return messages;
  const names = unbound.map((name) => `\`${name}\``).join(', ');
  return [
    ...messages,
    `${names} ${unbound.length === 1 ? 'is' : 'are'} used here but not defined in any cell. In Jupyter, a deleted cell may have defined ${unbound.length === 1 ? 'it' : 'them'}: add the definition.`,
  ];
}

/**
 * Whether only functions of the cell read the name, and the cell calls none of them: their callers bind it.
 */
function isReadLater({ source, analysis }: CheckedCell, name: string): boolean {
  if (!analysis.references.includes(name) || isUsedAtTop(source, name)) return false;
  const readers = [...(codeLink(analysis) ?? [])].filter(([, { late }]) => late.includes(name));
  return readers.length > 0 && readers.every(([reader]) => !isUsedAtTop(source, reader));
}

/** Whether the cell, or an earlier one, has a star import or runs code that cannot be analysed. */
function bringsUnknownNames({ id }: CheckedCell, { cells }: Notebook): boolean {
  for (const { id: other, source, analysis, isProgram } of cells.values()) {
    if (analysis.unseen.stars.length > 0 || !isProgram || /\bexec\(/.test(source)) return true;
    if (other === id) return false;
  }
  return false;
}

function unseenMessage(cell: CheckedCell, { cells, graph }: Notebook): readonly string[] {
  if (graph === null) return [];
  const lines = checkUnseen(cell, { cells, graph });
  return lines.map(({ message, line }) => (line === null ? message : `${message} (line ${line})`));
}

const NUMBERED = /^(?:_{1,3}|_\d+|_i{1,3}|_i\d+|_[io]h|_dh)$/;

function kernelMessage({ source, analysis }: CheckedCell): readonly string[] {
  const messages: string[] = [];
  const { references, privateReferences, imports, defines } = analysis;
  const numbered = [
    ...(readsLastOutput(source) ? ['_'] : []),
    ...privateReferences.filter((name) => name !== '_' && NUMBERED.test(name)),
    ...references.filter((name) => (name === 'Out' || name === 'In') && !defines.includes(name)),
  ];
  if (numbered.length > 0)
    messages.push(
      `${numbered.map((name) => `\`${name}\``).join(', ')} is the history of a Jupyter kernel, which is not available here. Assign the value to a variable in the cell that creates it, and use the variable.`,
    );
  if (/\bget_ipython\b/.test(source) && !defines.includes('get_ipython'))
    messages.push(
      '`get_ipython()` is the Jupyter kernel, which is not available here. Remove the call, or replace it with Python code.',
    );
  if (awaitsAtTop(source))
    messages.push(
      'Top-level `await` runs in an event loop that ends with this cell, together with its tasks and connections. Await them here, or open them again where they are used.',
    );
  if (imports.includes('ipywidgets'))
    messages.push('Controls of `ipywidgets` do not run code here. Use a widget cell for inputs.');
  if (/^\s*(?:from|import)\s+google\.colab\b/m.test(source))
    messages.push('`google.colab` is available only in Colab. Replace it. For files, use a mount or a path.');
  return messages;
}

function settingMessage(cell: CheckedCell, { cells, setup }: Notebook): readonly string[] {
  const { settings, seeds } = settingsIn(cell.source);
  const all = [...settings, ...seeds];
  if (all.length === 0) return [];
  const list = `\`${(all[0] ?? '').slice(0, 80)}\`${all.length === 1 ? '' : ` and ${all.length - 1} more`}`;
  if (cell.id === setup) {
    const restart =
      seeds.length === 0
        ? ''
        : ' Each cell restarts the random sequence. If several cells draw numbers, give each its own seed.';
    return [
      `This is the setup cell (\`# @setup\`). It runs before every cell, so ${list} applies to all of them.${restart}`,
    ];
  }
  const isLast =
    [...cells.values()].findLast(({ analysis }) => analysis.language === 'python')?.id === cell.id;
  if (isLast) return [];
  const advice =
    setup === null
      ? 'Move it to a setup cell: the first code cell, with `# @setup` on its first line.'
      : 'Move it to the setup cell, the first code cell.';
  return [`${list} applies to this cell only, because every cell runs in its own process. ${advice}`];
}
