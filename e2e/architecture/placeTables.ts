/**
 * Finds the source files that name the `.svc` folder, and builds the tables of docs/how-to/svc-folder.md from the table
 * of its paths (ownPlaces.ts).
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { OWN_PLACES } from '../../src-main/notebook/folder/ownPlaces.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Files that may name `.svc`, because it is not a notebook's, or because the table is made from it. */
export const NAMES_OWN_FOLDER: Readonly<Record<string, readonly string[]>> = {
  'the name itself': ['lib/guardedFolder/place.ts'],
  'the folder in the home folder of the user, here or on the machine of a worker': [
    'cli/compileCache.ts',
    'cli/serverFile.ts',
    'config/variables/artifacts.ts',
    'config/variables/data.ts',
    'config/variables/notebook.ts',
    'exec/remote/ssh/hostReport.ts',
    'exec/remote/ssh/startRemoteWorker.ts',
    'exec/remote/ssh/workerPack.ts',
    'worker/launched/record.ts',
    'worker/settings.ts',
  ],
};

/** The texts in a source file, outside comments, that name the folder `.svc` or a path in it. */
export function ownFolderTexts(file: string, code: string): readonly string[] {
  if (!code.includes('.svc')) return [];
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node);
    if (isText && /(^|[^\w.])\\?\.svc(?![\w-])/.test(node.text)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.ES2022));
  return texts;
}

/** The rows whose writer does not exist. */
export function placesWithoutWriter(): readonly string[] {
  return Object.values(OWN_PLACES)
    .map(({ writer }) => `src-main/${writer}`)
    .filter((file) => !existsSync(join(ROOT, file)));
}

const DELETABLE = { yes: 'yes', 'loses work': 'with that loss', no: 'no' } as const;

function table(kind: 'file' | 'folder'): string {
  const rows = Object.values(OWN_PLACES)
    .filter((place) => place.kind === kind)
    .map(({ path, holds, writer, without, deletable }) => {
      const label = `${path}${kind === 'folder' && !path.includes('<') ? '/' : ''}`;
      return `| \`${label}\` | ${holds} | \`src-main/${writer}\` | ${without} | ${DELETABLE[deletable]} |`;
    });
  return [
    '| Path | Content | Written by | Without it | May be deleted |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The generated parts of docs/how-to/svc-folder.md, by the name in their markers. */
export const PLACE_TABLES: Readonly<Record<string, string>> = {
  files: table('file'),
  folders: table('folder'),
};
