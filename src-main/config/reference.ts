import { row, VARIABLE_NAMES, type VariableName } from './variables.ts';
import { NOTHING_TO_SET, WITHOUT_EFFECT } from './withoutEffect.ts';

/** The table of all variables as Markdown: the content of the configuration reference. */
export function configReference(): string {
  const lines = VARIABLE_NAMES.map((name) => `| ${cells(name).map(escapeCell).join(' | ')} |`);
  return [
    '# Configuration',
    '',
    'Every variable the program reads. Order: defaults, the nearest `pyproject.toml` upward (table `[tool.svc]`, the',
    'name without `SVC_` in lower case), the environment, the arguments of the program. A variable that holds an',
    'object also takes `SVC_NAME__KEY=value`.',
    '',
    `${WITHOUT_EFFECT.length} of the ${VARIABLE_NAMES.length} variables belong to features that are not implemented yet; they are marked **No effect yet**.`,
    `${Object.keys(NOTHING_TO_SET).length} have **No effect**, with the reason beside them. The server checks the values of all of these, and warns once at its`,
    'start of each that is set.',
    '',
    '| Variable | Default | Allowed | Meaning |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function cells(name: VariableName): readonly string[] {
  const { codec, default: common, serviceDefault, meaning, fallback, projectKey, readBy } = row(name);
  const notes = [
    fallback === undefined ? [] : `Unset: \`${fallback}\`.`,
    projectKey === undefined ? [] : `Also \`[tool.svc.${projectKey}]\`.`,
    readBy === undefined ? [] : 'Read by workers.',
    WITHOUT_EFFECT.includes(name) ? '**No effect yet.**' : [],
    NOTHING_TO_SET[name] === undefined ? [] : `**No effect**: ${NOTHING_TO_SET[name]}.`,
  ].flat();
  const defaults = `${shown(codec.print(common))}${serviceDefault === undefined ? '' : '; in service mode unset'}`;
  return [`\`${name}\``, defaults, codec.type, [meaning, ...notes].join(' ')];
}

function shown(text: string): string {
  return text === '' ? 'unset' : `\`${text}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
