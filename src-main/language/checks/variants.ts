/** Reports variants that do not match their group, and `@per_variant` cells without a group to run over. */

import { lineOf } from '../../../src-shared/notebook/annotationDiagnostics.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { CellAnalysis } from '../cellAnalysis.ts';
import { canFanOut } from '../graphCell.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** Reports a variant that does not match its group's entry in notebook.toml or its siblings. */
export const checkVariant: NotebookCheck = (cell, notebook) => {
  const { variant, perVariant } = cell.analysis.annotations;
  if (variant === null) return NO_DIAGNOSTICS;
  const directives = readDirectives(cell.source);
  const line = lineOf(directives, 'variant');
  const diagnostics: Diagnostic[] = [];
  const entry = notebook.file.variantGroups.find(({ group }) => group === variant.group);
  const group = notebook.graph.groups.find(({ group }) => group === variant.group);
  if (entry?.invalidMode !== undefined) {
    const words = `The mode "${entry.invalidMode}" of "${variant.group}" is not valid, so the mode is switch.`;
    diagnostics.push(diagnose('variant_mode_invalid', words, line, variant.group));
  }
  const isMember = group?.members.some(({ name }) => name === entry?.active) ?? true;
  if (entry !== undefined && entry.active !== '' && entry.mode === 'sweep') {
    const words = `All variants of "${variant.group}" run, so the active variant "${entry.active}" has no effect.`;
    diagnostics.push(diagnose('variant_active_redundant', words, line, variant.group));
  } else if (entry !== undefined && entry.active !== '' && !isMember) {
    const words = `"${variant.group}" has no variant "${entry.active}". "${group?.activeName}" is active instead.`;
    diagnostics.push(diagnose('variant_active_unknown', words, line, variant.group));
  }
  const mismatch = mismatchOf(cell, notebook);
  if (mismatch !== null)
    diagnostics.push(diagnose('variant_contract_mismatch', mismatch, line, variant.group));
  if (perVariant !== null) {
    const words = '@per_variant is ignored, because this cell is itself a variant.';
    diagnostics.push(diagnose('per_variant_on_variant_member', words, lineOf(directives, 'per_variant')));
  }
  return diagnostics;
};

const contracts = new WeakMap<CellAnalysis, readonly string[]>();

/** The names that readers of a variant may rely on: those it defines, except imports. */
function contractOf(analysis: CellAnalysis): readonly string[] {
  const cached = contracts.get(analysis);
  if (cached !== undefined) return cached;
  const imported = new Set(analysis.importedNames);
  const contract = analysis.defines.filter((name) => !imported.has(name));
  contracts.set(analysis, contract);
  return contract;
}

/** How a variant differs from the first sibling that defines other names. */
function mismatchOf({ id, analysis }: CheckedCell, { cells, graph }: CheckedNotebook): string | null {
  const { variant } = analysis.annotations;
  const members = graph.groups.find(({ group }) => group === variant?.group)?.members ?? [];
  const own = contractOf(analysis);
  for (const { cellId, name } of members) {
    const other = cellId === id ? undefined : cells.get(cellId);
    if (other === undefined) continue;
    const theirs = contractOf(other.analysis);
    const missing = theirs.filter((one) => !own.includes(one));
    const extra = own.filter((one) => !theirs.includes(one));
    if (missing.length + extra.length === 0) continue;
    const parts = [
      ...(missing.length === 0 ? [] : [`missing ${missing.join(', ')}`]),
      ...(extra.length === 0 ? [] : [`extra ${extra.join(', ')}`]),
    ];
    return `"${variant?.name}" does not define the same names as "${name}": ${parts.join('; ')}.`;
  }
  return null;
}

/** Reports a `@per_variant` without exactly one swept group to run over: the cell then runs once. */
export const checkPerVariant: NotebookCheck = (cell, { graph, cells }) => {
  const { variant, perVariant } = cell.analysis.annotations;
  // Without a graph it is unknown which groups the cell reads.
  if (perVariant === null || variant !== null || (graph.topologicalOrder.length === 0 && cells.size > 0)) {
    return NO_DIAGNOSTICS;
  }
  const line = lineOf(readDirectives(cell.source), 'per_variant');
  const fanOut = graph.fanOuts.get(cell.id);
  if (fanOut !== undefined) {
    const members = graph.groups.find(({ group }) => group === fanOut.group)?.members ?? [];
    if (members.length !== 1) return NO_DIAGNOSTICS;
    const words = `"${fanOut.group}" has only one variant, so the cell runs once.`;
    return [diagnose('per_variant_group_of_one', words, line, fanOut.group)];
  }
  const groups = [
    ...new Set([...(graph.bundles.get(cell.id)?.values() ?? [])].map(({ group }) => group)),
  ].sort();
  if (!canFanOut(cell.analysis)) {
    const words = 'Only Python cells that are not loops can run once per variant, so this cell runs once.';
    return [diagnose('per_variant_no_sweep_source', words, line)];
  }
  if (perVariant.group !== null) {
    const words = `The cell reads nothing from a group "${perVariant.group}" that runs all variants, so it runs once.`;
    return [diagnose('per_variant_unknown_group', words, line, perVariant.group)];
  }
  if (groups.length === 0) {
    const words = 'The cell reads nothing from a group that runs all variants, so it runs once.';
    return [diagnose('per_variant_no_sweep_source', words, line)];
  }
  const words = `The cell reads ${groups.join(' and ')}, so it runs once. Choose one with "@per_variant <group>".`;
  return [diagnose('per_variant_ambiguous_group', words, line)];
};
