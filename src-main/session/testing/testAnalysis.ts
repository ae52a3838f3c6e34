/** A simple analysis of cells for tests of the session's reducers. */

import { createHash } from 'node:crypto';
import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { CellAnalysis } from '../../language/cellAnalysis.ts';
import { NO_UNTRACKED_USES } from '../../language/python/untrackedUses.ts';

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * `a, b = f(c, d)` defines a, b and reads c, d; names in capitals are environment variables, comments are
 * annotations. Enough Python for the reducers.
 */
export function toyAnalysis(language: Language, source: string): CellAnalysis {
  const code = source
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n');
  const defines = new Set<string>();
  const references = new Set<string>();
  for (const line of language === 'python' ? code.split('\n') : []) {
    const [left, right] = line.includes('=') ? line.split('=') : ['', line];
    for (const name of (right ?? '').match(/[a-z]\w*/g) ?? []) if (!defines.has(name)) references.add(name);
    for (const name of (left ?? '').match(/[a-z]\w*/g) ?? []) defines.add(name);
  }
  const annotations = parseAnnotations(source, language);
  const loop = loopOf({ language, annotations });
  if (loop !== null && loop.startFromCell === null) references.add(loop.carry);
  return {
    language,
    defines: [...defines].sort(),
    references: [...references].sort(),
    mutationDefines: [],
    builtinReferences: [],
    maybeReferences: [],
    maybeDefines: [],
    tableNames: [],
    privateReferences: [],
    privateDefines: [],
    sourceHash: sha(code.replaceAll(/\s+/g, ' ') + (loop === null ? '' : JSON.stringify(loop))),
    iterationHash: loop === null ? null : sha(code.replaceAll(/\s+/g, ' ') + loop.carry + loop.untilExpr),
    envKeys: code.match(/\b[A-Z]+\b/g) ?? [],
    imports: [],
    moduleNames: [],
    fileReads: [],
    seedCalls: [],
    importedNames: [],
    sharedCode: null,
    heldNames: new Map(),
    aliases: new Map(),
    unseen: NO_UNTRACKED_USES,
    annotations,
    diagnostics: [],
    widget: null,
    isEmpty: code.trim() === '',
  };
}
