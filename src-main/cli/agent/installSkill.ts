/** Installs instructions about Cellar for coding agents (the skill) in a folder of skills: `svc agent install`. */

import { readFile } from 'node:fs/promises';
import { makeFolderAt } from '../../lib/guardedFolder/names.ts';
import { pathOf, placeIn } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { makeFolders } from '../../lib/makeFolders.ts';

/** Copies the skill for agents into a folder of skills. @returns its new path */
export async function installSkill(from: string, skills: string): Promise<string> {
  const text = await readFile(from, 'utf8');
  makeFolders(skills);
  makeFolderAt(placeIn(skills, 'cellar'));
  const target = placeIn(skills, 'cellar', 'SKILL.md');
  await replaceFile(target, text, { mode: 0o644 });
  return pathOf(target);
}
