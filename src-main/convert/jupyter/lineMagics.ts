/** Translates the `%magic` and `!command` lines of Jupyter cells to Python, for the import. */

import type { Note } from './findings.ts';
import { readInstall } from './installs.ts';

/** A Jupyter command on its own line, or on the right side of an assignment. */
interface LineCommand {
  /** The indentation. */
  readonly blanks: string;
  /** The target of the assignment; undefined for a command on its own line. */
  readonly target: string | undefined;
}

/** The context of a line. */
export interface LineContext {
  readonly note: Note;
  /** `K=V` for the top of the cell. */
  readonly env: string[];
}

const REMOVED = new Set(
  `matplotlib load_ext reload_ext autoreload config colors rerun capture xmode pdb debug tb who who_ls whos lsmagic
  magic history alias alias_magic`.split(/\s+/),
);

/** Magics that run and measure a statement, with the options that are followed by a value. */
const MEASURES: Readonly<Record<string, string>> = {
  time: '',
  timeit: 'nr',
  prun: 'DlsT',
  lprun: 'fmDTuz',
  memit: 'rtiI',
  mprun: 'fTc',
};

export function isMeasuringMagic(name: string): boolean {
  return Object.hasOwn(MEASURES, name);
}

/** The statement that a measuring magic runs: its argument without the magic's options. */
export function measuredStatement(name: string, argument: string): string {
  const withValue = MEASURES[name] ?? '';
  let rest = argument.trim();
  for (;;) {
    const option = /^-([A-Za-z])(\S*)(?:\s+|$)/.exec(rest);
    if (option === null) return rest;
    const [all, letter = '', more = ''] = option;
    rest = rest.slice(all.length);
    // `-n10` contains its value, `-n 10` has it in the next word.
    if (withValue.includes(letter) && more === '') rest = rest.replace(/^\S+\s*/, '');
  }
}

/** Converts `!command` to a comment, or records the packages it installs. */
export function shellLine(
  { blanks, target, command }: LineCommand & { readonly command: string },
  { note }: LineContext,
): string {
  const install = readInstall(command);
  if (install !== null) return captured({ blanks, original: `!${command}`, install }, note);
  note('dropped_shells', `!${command}`);
  const marker = `${blanks}# svc: not run: !${command}`;
  if (target === undefined) return marker;
  note('warnings', `\`${target} = !${command}\` was not run, so \`${target}\` is an empty list`);
  return `${marker}\n${blanks}${target} = []`;
}

function captured(
  {
    blanks,
    original,
    install,
  }: {
    readonly blanks: string;
    readonly original: string;
    readonly install: NonNullable<ReturnType<typeof readInstall>>;
  },
  note: Note,
): string {
  for (const name of install.packages) note('captured_deps', name);
  for (const rest of install.rest)
    note('warnings', `${original}: \`${rest}\` was not read. Add its packages manually`);
  return `${blanks}# svc: packages of the notebook: ${original}`;
}

/** Converts `%magic argument` to Python; null if nothing remains. */
export function lineMagic(
  command: LineCommand & { readonly name: string; readonly argument: string },
  { note, env }: LineContext,
): string | null {
  const { blanks, target, name, argument } = command;
  const magic = `%${name}${argument === '' ? '' : ` ${argument}`}`;
  if (target === undefined && REMOVED.has(name)) {
    note('translated_magics', `${magic}: removed`);
    return null;
  }
  if (isMeasuringMagic(name)) return measured({ ...command, original: magic }, note);
  if (name === 'pip' || name === 'conda' || name === 'mamba') {
    const install = readInstall(`${name} ${argument}`);
    if (install !== null) return captured({ blanks, original: magic, install }, note);
  }
  if ((name === 'env' || name === 'set_env') && /^[A-Za-z_]\w*\s*=/.test(argument)) {
    environmentLine(argument, { note, env, name });
    return null;
  }
  if (name === 'pylab') {
    note('translated_magics', `${magic}: imports of numpy and matplotlib`);
    note(
      'warnings',
      `\`${magic}\` imported all names of numpy and matplotlib. Here only \`np\` and \`plt\` are imported. Prefix the other names with \`np.\` or \`plt.\`.`,
    );
    return `${blanks}import numpy as np\n${blanks}import matplotlib.pyplot as plt`;
  }
  if (name === 'run' && argument !== '') return runFile({ blanks, original: magic, argument }, note);
  note('dropped_magics', magic);
  if (target === undefined) return `${blanks}# svc: ${magic} is not supported`;
  note('warnings', `\`${target} = ${magic}\` is not supported, so \`${target}\` is None`);
  return `${blanks}# svc: ${magic} is not supported\n${blanks}${target} = None`;
}

function measured(
  {
    blanks,
    target,
    name,
    argument,
    original,
  }: LineCommand & { readonly name: string; readonly argument: string; readonly original: string },
  note: Note,
): string | null {
  const body = measuredStatement(name, argument);
  note('translated_magics', `${original}: the statement stays`);
  if (body === '') return null;
  if (target === undefined) return `${blanks}${body}`;
  // `%time` passes the value on; the others return their measurement.
  if (name !== 'time')
    note('warnings', `\`${target}\` has the value of \`${body}\`, not what %${name} measured`);
  return `${blanks}${target} = ${body}`;
}

function environmentLine(
  argument: string,
  { note, env, name }: LineContext & { readonly name: string },
): void {
  const at = argument.indexOf('=');
  const key = argument.slice(0, at).trim();
  const value = argument.slice(at + 1).trim();
  env.push(`${key}=${value}`);
  note('translated_magics', `%${name} ${key}=…: an @env line`);
  note(
    'warnings',
    `\`%${name} ${key}=…\` became \`# @env\`, which holds in this cell only. For all cells, set ${key} as a variable of the notebook.`,
  );
}

function runFile(
  {
    blanks,
    original,
    argument,
  }: { readonly blanks: string; readonly original: string; readonly argument: string },
  note: Note,
): string {
  const [file = '', ...more] = argument.replace(/^(?:-[a-z]+\s+)*/, '').split(/\s+/);
  note('translated_magics', original);
  if (more.length > 0) note('warnings', `${original}: its arguments were left out`);
  const path = literal(file.replace(/^(["'])(.*)\1$/, '$2'));
  return `${blanks}exec(compile(open(${path}, encoding="utf-8").read(), ${path}, "exec"))`;
}

/** A Python string literal: JSON's form is valid except for lone surrogates, which no cell can contain. */
export function literal(text: string): string {
  return JSON.stringify(text.toWellFormed());
}
