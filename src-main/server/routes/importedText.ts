/** Reads lists of packages that a user imports: requirements, conda environments and dropped files. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { EnvironmentYaml } from '../../environment/imports/environmentYaml.ts';
import { ImportError } from '../../environment/imports/importError.ts';
import { markerFacts } from '../../environment/imports/marker.ts';
import type { PackageList } from '../../environment/imports/packageList.ts';
import { readRequirements } from '../../environment/imports/requirementsText.ts';

/** The requirements of a text. @throws AppError bad_request naming the line that cannot be imported */
export function importedRequirements(text: string): ReturnType<typeof readRequirements> {
  return refusing(() => readRequirements(text));
}

/** The requirements of a conda environment file, with the entries that were left out. */
export async function importedYaml(text: string): Promise<EnvironmentYaml> {
  // Loads a YAML parser, which nothing else needs.
  const { readEnvironmentYaml } = await import('../../environment/imports/environmentYaml.ts');
  return refusing(() => readEnvironmentYaml(text));
}

/** The packages of a file that a user dropped, for a Python `3.12` of this machine. */
export async function importedList(fileName: string, text: string, minor: string): Promise<PackageList> {
  const { readPackageList } = await import('../../environment/imports/packageList.ts');
  return refusing(() => readPackageList(fileName, text, markerFacts(minor)));
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) throw new AppError('bad_request', error.message);
    throw error;
  }
}
