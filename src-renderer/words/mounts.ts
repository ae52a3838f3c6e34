import { bytesText } from './strings.ts';

/** UI texts of the mounts: data outside the notebook that cells read and write. */
export const MOUNT_WORDS = {
  title: 'Mounts',
  none: 'A mount gives cells a path to external data. When the data changes, those cells become stale.',
  add: 'Add mount',
  addTitle: 'Add a mount',
  editTitle: (name: string): string => `Mount ${name}`,
  edit: (name: string): string => `Edit mount ${name}`,
  remove: (name: string): string => `Remove mount ${name}`,
  name: 'Name',
  nameHint: 'The variable that holds the path in cells.',
  place: 'Location',
  placeHint:
    'file://./data (in the notebook folder), file:///absolute/path, s3://bucket/prefix, gs://… or az://…',
  mode: 'Access',
  read: 'Read only',
  write: 'Read and write',
  credential: 'Credential',
  credentialHint: 'Name of a credential defined on the server. Optional.',
  secretOptions: (options: readonly string[]): string =>
    `${options.join(', ')} ${options.length === 1 ? 'is a credential' : 'are credentials'} in notebook.toml. Everyone with access to the folder can read ${options.length === 1 ? 'it' : 'them'}.`,
  keepCredential: 'Move to named credential',
  save: 'Save',
  cancel: 'Cancel',
  badName: 'Use letters, digits and _. Don’t start with a digit.',
  takenName: (name: string): string => `A mount named ${name} already exists.`,
  noPlace: 'Enter a location.',
  state: {
    ok: '',
    missing: 'missing',
    problem: 'not readable',
    unseen: 'not checked yet',
    pinned: 'pinned',
    writable: 'writable',
  },
  kind: { mount: '', fetch: 'fetched', dataset: 'dataset', table: 'table' },
  size: (files: number, bytes: number): string =>
    files === 1 ? bytesText(bytes) : `${files.toLocaleString('en')} files, ${bytesText(bytes)}`,
  byCells: (count: number): string => (count === 1 ? 'in 1 cell' : `in ${count} cells`),
} as const;
