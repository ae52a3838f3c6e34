import { bytesText } from '../strings.ts';

/** Words of the mounts: data outside the notebook that cells read and write. */
export const MOUNT_WORDS = {
  title: 'Mounts',
  files: 'In this folder',
  none: 'A mount gives cells a path to data, and runs them again when the data changes.',
  add: 'Add mount',
  addTitle: 'Add a mount',
  editTitle: (name: string): string => `Mount ${name}`,
  edit: (name: string): string => `Change the mount ${name}`,
  remove: (name: string): string => `Remove the mount ${name}`,
  removed: (name: string): string => `Removed the mount ${name}.`,
  name: 'Name',
  nameHint: 'Cells find the path under this name.',
  place: 'Place',
  placeHint: 'file://./data from this folder, file:///abs/path, s3://bucket/prefix, gs:// or az://',
  mode: 'Cells may',
  read: 'Read',
  write: 'Read and write',
  credential: 'Credential',
  credentialHint: 'The name of one the server defines; empty for none.',
  secretOptions: (options: readonly string[]): string =>
    `${options.join(', ')} ${options.length === 1 ? 'is a credential' : 'are credentials'} in notebook.toml, where everybody who has the folder can read ${options.length === 1 ? 'it' : 'them'}.`,
  keepCredential: 'Move to a named credential',
  save: 'Save',
  cancel: 'Cancel',
  badName: 'Letters, digits and _, not beginning with a digit.',
  takenName: (name: string): string => `There is a mount called ${name}.`,
  noPlace: 'Say where the data is.',
  state: {
    ok: '',
    missing: 'missing',
    problem: 'cannot be read',
    unseen: 'not looked at yet',
    pinned: 'pinned',
    writable: 'written to',
  },
  kind: { mount: '', fetch: 'fetched', dataset: 'dataset', table: 'table' },
  size: (files: number, bytes: number): string =>
    files === 1 ? bytesText(bytes) : `${files.toLocaleString('en')} files, ${bytesText(bytes)}`,
  byCells: (count: number): string => (count === 1 ? 'in one cell' : `in ${count} cells`),
} as const;
