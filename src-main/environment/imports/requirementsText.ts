import { badVersion, type Requirement, readRequirement } from '../../../src-shared/notebook/requirement.ts';
import { ImportError } from './importError.ts';

/**
 * The requirements of a `requirements.txt` (rest-notebooks 6): blank lines and comments are passed over, a comment
 * at the end of a line is cut.
 * @throws ImportError naming the line: options, markers, URLs, anything that is no requirement, a package named twice
 */
export function readRequirements(text: string): readonly Requirement[] {
  const found = new Map<string, Requirement>();
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const refuse = (why: string): never => {
      throw new ImportError(`Line ${at + 1} of the requirements, \`${shown(line)}\`, ${why}`);
    };
    if (line.startsWith('-')) {
      refuse('is an option. List only packages. Put indexes and constraints into pyproject.toml.');
    }
    if (line.endsWith('\\')) refuse('continues on the next line. Write each requirement on one line.');
    const requirement = readRequirement(line) ?? refuse('is not a valid package requirement.');
    if (requirement.marker !== null) refuse('has a marker (`;`), which cannot be imported.');
    if (requirement.url !== null || /^[a-z+]+:\/\//i.test(line)) {
      refuse('is a URL. Only packages of an index can be imported.');
    }
    const bad = badVersion(requirement.specifier);
    if (bad !== null) refuse(`has the invalid version ${bad}.`);
    const twin = found.get(requirement.key);
    if (twin !== undefined) refuse(`lists ${twin.name} twice.`);
    found.set(requirement.key, requirement);
  }
  return [...found.values()];
}

function shown(line: string): string {
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
