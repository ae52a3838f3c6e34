import {
  invalidVersionPart,
  type Requirement,
  readRequirement,
} from '../../../src-shared/notebook/requirement.ts';
import { ImportError } from './importError.ts';

/**
 * The requirements in a `requirements.txt` that is imported by the API (docs/spec/rest-notebooks.md, 6); ignores blank
 * lines and comments.
 * @throws ImportError that names the line: options, markers, URLs, invalid requirements, a package listed twice
 */
export function readRequirements(text: string): readonly Requirement[] {
  const requirements = new Map<string, Requirement>();
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const refuse = (why: string): never => {
      throw new ImportError(`Line ${at + 1} of the requirements, \`${shorten(line)}\`, ${why}`);
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
    const bad = invalidVersionPart(requirement.specifier);
    if (bad !== null) refuse(`has the invalid version ${bad}.`);
    const duplicate = requirements.get(requirement.key);
    if (duplicate !== undefined) refuse(`lists ${duplicate.name} twice.`);
    requirements.set(requirement.key, requirement);
  }
  return [...requirements.values()];
}

function shorten(line: string): string {
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
