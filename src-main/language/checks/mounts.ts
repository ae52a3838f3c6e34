import { mountOf } from '../../../src-shared/notebook/annotations.ts';
import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** Reports a `@mount` whose name the notebook mounts too: the cell's mount takes precedence, which may be intended. */
export const checkMounts: NotebookCheck = ({ analysis, entry, source }, { file }) => {
  if (analysis.annotations.mounts.length === 0 || file.mounts.length === 0) return NO_DIAGNOSTICS;
  if (!LANGUAGES[entry.language].runsCode) return NO_DIAGNOSTICS;
  const shared = new Set(file.mounts.map(({ name }) => name));
  return readDirectives(source).flatMap(({ key, argument, line }) => {
    const name = key === 'mount' ? mountOf(argument)?.name : undefined;
    if (name === undefined || !shared.has(name)) return NO_DIAGNOSTICS;
    const words = `The notebook also has a mount "${name}". This cell uses its own.`;
    return [diagnose('mount_shadows_notebook', words, line, name)];
  });
};
