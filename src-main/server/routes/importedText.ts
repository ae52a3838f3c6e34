import { AppError } from '../../../src-shared/wire/errors.ts';
import { type EnvironmentYaml, readEnvironmentYaml } from '../../environment/imports/environmentYaml.ts';
import { ImportError } from '../../environment/imports/importError.ts';
import { markerFacts } from '../../environment/imports/marker.ts';
import { type PackageList, readPackageList } from '../../environment/imports/packageList.ts';
import { readRequirements } from '../../environment/imports/requirementsText.ts';

/** The requirements of a text. @throws AppError bad_request naming the line that cannot be imported */
export function importedRequirements(text: string): ReturnType<typeof readRequirements> {
  return refusing(() => readRequirements(text));
}

/** The same for a conda environment file, with the entries that were left out. */
export function importedYaml(text: string): EnvironmentYaml {
  return refusing(() => readEnvironmentYaml(text));
}

/** The packages of a file that a user dropped, for a Python `3.12` of this machine. */
export function importedList(fileName: string, text: string, minor: string): PackageList {
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
