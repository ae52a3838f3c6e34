/** Generates the tables of folders in docs/architecture.md, from layers.ts and folders.ts. */

import { MAIN_ROLES, RENDERER_LEAVES, RENDERER_ROLES } from './folders.ts';
import { MAIN_LAYERS, RENDERER_LAYERS } from './layers.ts';

/** One line per folder, with the number of its row; rows that share a number may not import each other. */
function table(
  layers: readonly (readonly string[])[],
  roles: Readonly<Record<string, string>>,
  leaves: Readonly<Record<string, string>> = {},
): string {
  const inRows = layers.flatMap((row, at) =>
    row.map((folder) => `| ${at + 1} | \`${folder}\` | ${roles[folder] ?? ''} |`),
  );
  const beside = Object.entries(leaves).map(([folder, role]) => `| – | \`${folder}\` | ${role} |`);
  return ['| Row | Folder | Owns |', '|---|---|---|', ...inRows, ...beside].join('\n');
}

/** The generated parts of docs/architecture.md, by the name in their markers. */
export const FOLDER_TABLES: Readonly<Record<string, string>> = {
  'src-main': table(MAIN_LAYERS, MAIN_ROLES),
  'src-renderer': table(RENDERER_LAYERS, RENDERER_ROLES, RENDERER_LEAVES),
};

/**
 * A page with its tables generated from the code. A table is between `<!-- folders: NAME -->` and `<!-- end -->`.
 * @throws Error when a marker is missing
 */
export function withFolderTables(page: string, tables = FOLDER_TABLES): string {
  let text = page;
  for (const [name, rows] of Object.entries(tables)) {
    const from = `<!-- folders: ${name} -->\n`;
    const start = text.indexOf(from);
    const end = start === -1 ? -1 : text.indexOf('<!-- end -->', start);
    if (end === -1) throw new Error(`The page needs the markers ${from.trim()} and <!-- end -->.`);
    text = `${text.slice(0, start)}${from}\n${rows}\n\n${text.slice(end)}`;
  }
  return text;
}
