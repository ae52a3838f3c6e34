/** Finds the package to install from the error of a cell whose module or R package is missing. */

import { MODULES_WITHOUT_PACKAGE, PACKAGE_OF, WINDOW_PACKAGES } from './importNames.ts';

const MISSING = /No module named '([^']+)'/;
/** R uses the quotes of its locale. */
const MISSING_IN_R = /there is no package called ['‘]([^'’]+)['’]/;

/** The package that provides a missing module or R package, or null for other errors. */
export function suggestInstall(error: string): string | null {
  const inR = MISSING_IN_R.exec(error)?.[1];
  if (inR !== undefined) return inR;
  const module = missingModule(error);
  return module === null ? null : (PACKAGE_OF[module] ?? module);
}

/** A package that a window offers to install. */
interface Installable {
  readonly language: 'python' | 'r';
  /** One requirement for the language's package manager. */
  readonly name: string;
}

/**
 * The same for a window: it knows the packages of more import names, and offers none for a missing part of
 * Python itself. Null if nothing can be installed.
 */
export function packageToInstall(error: string): Installable | null {
  const inR = MISSING_IN_R.exec(error)?.[1];
  if (inR !== undefined) return { language: 'r', name: inR };
  const module = missingModule(error);
  if (module === null || MODULES_WITHOUT_PACKAGE.has(module)) return null;
  return { language: 'python', name: PACKAGE_OF[module] ?? WINDOW_PACKAGES[module] ?? module };
}

/** The top-level module that was not found. */
function missingModule(error: string): string | null {
  return MISSING.exec(error)?.[1]?.split('.')[0] ?? null;
}
