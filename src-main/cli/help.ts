/** Formats the help texts of `svc` and its commands, from the tables of their options. */

import type { Command, Option } from './arguments.ts';
import type { CommandEntry, CommandTable } from './commandTable.ts';

const GAP = 2;
/** Narrower than most terminals. */
const WIDTH = 100;

/** Help of a command: usage, description, and each option of its table. */
export function commandHelp(name: string, { summary, commands }: CommandEntry, command: Command): string {
  const options = Object.entries(command.options).map(
    ([flag, option]) => [optionText(flag, option), optionDescription(option)] as const,
  );
  return [
    `${name} ${command.usage} ${options.length === 0 ? '' : '[options]'}`.replace(/ +/g, ' ').trimEnd(),
    ...wrapped(summary, 2),
    ...(options.length === 0 ? [] : ['', 'Options:', ...columns(options)]),
    ...(commands === undefined ? [] : ['', 'Commands:', ...listing(commands)]),
    '',
  ].join('\n');
}

/** Help of a group of commands, or of the program: one line for each. */
export function listHelp(name: string, { summary, commands = {} }: CommandEntry): string {
  return [
    `${name} COMMAND …`,
    ...wrapped(summary, 2),
    '',
    'Commands:',
    ...listing(commands),
    '',
    `\`${name} COMMAND --help\` lists the options of a command.`,
    'Exit codes: 0 ok, 1 the operation failed, 2 wrong usage or setup.',
    '',
  ].join('\n');
}

function listing(commands: CommandTable): readonly string[] {
  return columns(Object.entries(commands).map(([name, { summary }]) => [name, summary] as const));
}

/** An option's syntax: `-o, --out FILE`. */
export function optionText(flag: string, { short, takes, type }: Option): string {
  const names = short === undefined ? `--${flag}` : `-${short}, --${flag}`;
  return type === 'boolean' ? names : `${names} ${takes ?? 'TEXT'}`;
}

/** An option's description, with its default. */
export function optionDescription({ says, multiple, default: value }: Option): string {
  const more = [
    ...(multiple === true ? ['Can be repeated.'] : []),
    ...(typeof value === 'string' ? [`Default: ${value}.`] : []),
  ];
  return [says, ...more].join(' ');
}

function columns(rows: readonly (readonly [left: string, right: string])[]): readonly string[] {
  const width = 2 + GAP + Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrapped(right, width);
    return [`  ${left}`.padEnd(width) + first.trimStart(), ...more];
  });
}

function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}
