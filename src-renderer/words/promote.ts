import { bytesText, countText } from './strings.ts';

/** UI texts of the dialog that copies a result into a shared artifact store. */
export const PROMOTE_WORDS = {
  command: 'Promote result…',
  open: 'Promote…',
  needsResult:
    'The cell has no stored variable. Read one of its variables in another cell, then run this cell.',
  title: (cell: string): string => `Promote a result of ${cell}`,
  text: (store: string): string =>
    store === 'local'
      ? 'Copies the result to the artifact store of this server, where other notebooks read it by name.'
      : `Copies the result to the shared store ${store}, where others read it by name.`,
  variable: 'Variable',
  name: 'Name',
  nameHint: 'Slashes group names, as in team/sales. Other notebooks read it with # @dataset.',
  alias: 'Alias (optional)',
  tags: 'Tags (optional)',
  tagsHint: 'As key=value, separated by commas.',
  exposes: 'What others can read there',
  exposed: (what: string, bytes: number): string => `${what}, ${bytesText(bytes)}`,
  withSource: 'with the source of its cell',
  secret: 'contains a secret',
  refused: 'A value or its source contains a secret. Remove it from the cell and run it again.',
  looking: 'Checking what will be copied…',
  go: 'Promote',
  going: 'Promoting…',
  done: (name: string, copied: number): string =>
    `Promoted as ${name}: ${countText(copied)} ${copied === 1 ? 'version' : 'versions'} copied.`,
  pending: 'The alias is protected, so the change must be approved first.',
} as const;
