/** Reads and analyses a notebook folder for `svc validate`. */

import { basename } from 'node:path';
import { buildGraph, NO_GRAPH } from '../../../src-shared/notebook/graph.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { loadConfig } from '../../config/loadConfig.ts';
import { serverEnvironment } from '../../config/serverEnvironment.ts';
import { analyzeCell, createAnalyzer } from '../../language/analyzeCell.ts';
import { diagnosticsOf } from '../../language/checks/checks.ts';
import { graphCell } from '../../language/graphCell.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readNotebook } from '../../notebook/notebookFiles.ts';
import { NotebookFileError } from '../../notebook/toml/notebookFileError.ts';
import { createRLanguage } from '../../run/r/rLanguage.ts';
import { harnessFolder } from '../harnessFolder.ts';

interface Problem {
  readonly code: 'parse_failed' | 'dag_build_failed';
  readonly message: string;
}

/** What is wrong with a notebook, and what its cells define and read. Runs nothing. */
export async function inspectFolder(dir: NotebookFolder) {
  const errors: Problem[] = [];
  const { file, cells } = await readCells(dir, errors);
  const graph = buildGraph(
    cells.map(({ id, analysis }) => graphCell(id, analysis)),
    file?.variantGroups,
  );
  if (graph.kind !== 'graph') errors.push({ code: 'dag_build_failed', message: graph.message });
  const linked = graph.kind === 'graph' ? graph.graph : { ...NO_GRAPH, ...graph.variants };
  const notebook =
    file === null ? null : { file, cells: new Map(cells.map((cell) => [cell.id, cell])), graph: linked };
  const report = cells.map(({ problem, ...cell }) => ({
    id: cell.id,
    language: cell.entry.language,
    defines: cell.analysis.defines,
    references: cell.analysis.references,
    diagnostics: [
      ...(notebook === null ? [] : diagnosticsOf(cell, notebook)),
      ...(problem === null
        ? []
        : [{ severity: 'error' as const, code: 'cell_file_unreadable', message: problem, line: null }]),
    ],
  }));
  const diagnostics = report.flatMap((cell) => cell.diagnostics);
  const inCells = diagnostics.filter((entry) => entry.severity === 'error').length;
  return {
    notebook: basename(dir),
    valid: errors.length === 0 && inCells === 0,
    errors,
    cells: report,
    summary: {
      cells: report.length,
      errors: errors.length + inCells,
      warnings: diagnostics.filter((entry) => entry.severity === 'warn').length,
    },
  };
}

async function readCells(dir: NotebookFolder, errors: Problem[]) {
  try {
    const { file, sources } = await readNotebook(dir);
    const analyzer = await analyzerOf(
      file.cells.map(({ id, language }) => ({ language, source: sources.get(id)?.source ?? '' })),
    );
    const cells = file.cells.map((entry) => {
      const { source = '', problem = null } = sources.get(entry.id) ?? {};
      const analysis = analyzeCell(analyzer, { language: entry.language, source });
      return { id: entry.id, entry, source, problem, analysis };
    });
    return { file, cells };
  } catch (error) {
    if (!(error instanceof NotebookFileError)) throw error;
    errors.push({ code: 'parse_failed', message: error.message });
    return { file: null, cells: [] };
  }
}

/** Uses R to find what its cells define and read, if there are any. */
async function analyzerOf(texts: readonly { readonly language: Language; readonly source: string }[]) {
  const { rscript, cacheDir, notebookHarnessEnvAllowlist, notebookRNamesTimeoutSeconds } = loadConfig({
    cwd: process.cwd(),
    env: serverEnvironment(),
  });
  const r = createRLanguage({
    harnessDir: harnessFolder(),
    rscript,
    cacheDir,
    envAllowlist: notebookHarnessEnvAllowlist,
    poolSize: 0,
    namesTimeoutSeconds: notebookRNamesTimeoutSeconds,
  });
  try {
    await r.learn(texts);
    return await createAnalyzer(r.names);
  } finally {
    await r.close();
  }
}

/** The report of `svc validate`. */
export type FolderReport = Awaited<ReturnType<typeof inspectFolder>>;
