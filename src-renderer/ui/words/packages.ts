import { bytesText } from '../strings.ts';

/** Words of the packages a notebook asks for. */
export const PACKAGE_WORDS = {
  title: 'Packages',
  none: 'The notebook asks for no packages.',
  name: 'Package',
  nameHint: 'A name, with a version if you like: pandas, or pandas>=2.',
  notOne: 'This is not one package. Add them one by one, or import a file.',
  look: 'Look',
  looking: 'Resolving …',
  addTitle: (name: string): string => `Add ${name}`,
  removeTitle: (name: string): string => `Remove ${name}`,
  pythonTitle: (minor: string): string => `Move to Python ${minor}`,
  remove: (name: string): string => `Remove ${name}`,
  apply: 'Apply',
  applying: 'Starting …',
  nothing: 'Nothing changes: it is there already.',
  changes: 'What changes',
  comes: (version: string): string => `new, ${version}`,
  goes: (version: string): string => `${version} goes`,
  moves: (from: string, to: string): string => `${from} → ${to}`,
  fetch: (bytes: number): string => `At most ${bytesText(bytes)} to fetch.`,
  stays:
    'Until you apply it, nothing of the notebook changes. Cells that may be affected run again; going back later brings their results back.',
  cancel: 'Stop',
  stopping: 'Stopping …',
  undo: (command: string): string => `Go back to before ${command}`,
  undoShort: 'Go back',
  python: 'Python',
  pythonHint: 'Other versions are those of this machine.',
} as const;
