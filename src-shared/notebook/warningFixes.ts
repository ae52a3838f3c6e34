/** Makes quick fixes for warnings about values that a cell changed in place. */

import type { MutationWarning } from '../wire/output.ts';
import { readDirectives } from './directives.ts';
import type { Fix } from './fixes.ts';
import { spliceDirective, withLineAfter } from './spliceDirective.ts';

/**
 * The fix for a warning about a change that other cells do not see; null if there is none, or it is applied.
 */
export function warningFix(source: string, { var_name: name, fix }: MutationWarning): Fix | null {
  if (fix === 'keep') return keepChange(source, name);
  if (fix === 'setup') return makeSetup(source);
  return null;
}

/**
 * `model = model`: a cell provides the names it assigns. Placed before the code, so that a value on the last
 * line is still shown.
 */
function keepChange(source: string, name: string): Fix | null {
  const line = `${name} = ${name}`;
  const lines = source.split(/\r\n|\r|\n/);
  if (lines.some((text) => text.trimEnd() === line)) return null;
  const first = lines.findIndex(
    (text) => !/^\s*(#.*)?$|^from\s+__future__\s/.test(text.replace(/^\uFEFF/, '')),
  );
  return { title: 'Keep the change', source: withLineAfter(source, Math.max(first, 0), line) };
}

function makeSetup(source: string): Fix | null {
  if (readDirectives(source).some(({ key }) => key === 'setup')) return null;
  return { title: 'Make this a setup cell', source: spliceDirective(source, 'setup', '') };
}
