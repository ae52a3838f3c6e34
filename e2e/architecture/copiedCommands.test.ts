/**
 * Checks the commands that documents and the panel of workers show for copying: `svc`, npm or node would accept them,
 * and none contains a token. Also that the scripts check the Node version first.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OptionTable, parseArguments } from '../../src-main/cli/arguments.ts';
import { relayCommand } from '../../src-renderer/panels/workers/workerDraft.ts';
import { WORKER_COMMANDS } from '../../src-renderer/words/workers.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  bin: Record<string, string>;
};

/** A command meant for copying, and where it is shown. */
interface Command {
  readonly from: string;
  readonly line: string;
}

/** The lines in code blocks of a page that start `svc`, npm or node. */
function commandsOf(page: string): readonly Command[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```/gm);
  return Array.from(blocks, ([, text = '']) => text.split('\n'))
    .flat()
    .map((line) => line.replace(/(?:^|\s{2,})#.*$/, '').trim())
    .filter((line) => /(?:^|[\s(])(?:svc|npx|npm|node) /.test(line))
    .map((line) => ({ from: page, line }));
}

const PANEL: WorkerFields = {
  way: 'relay',
  name: 'gpu',
  url: '',
  relay: 'https://relay.example',
  target: '',
  pickles: true,
  connectToken: 'the-connect-token',
  token: 'the-worker-token',
  transport: 'direct',
  serverUrl: '',
};
type WorkerFields = Parameters<typeof relayCommand>[0];

const PAGES = ['README.md', 'CONTRIBUTING.md'].concat(
  readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);
const commands: readonly Command[] = [
  ...PAGES.flatMap(commandsOf),
  { from: 'the panel, by address', line: WORKER_COMMANDS.direct },
  { from: 'the panel, by a relay', line: relayCommand(PANEL) },
];

/** The programs of a line with their arguments, without variables in front of them. */
function programsOf(line: string): readonly (readonly string[])[] {
  return line
    .replace(/\$\([^)]*\)/g, 'VALUE')
    .split(/&&|\|\||[;|()]/)
    .map((part) => part.replace(/>\s*\S+/g, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [])
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}

const optionsJson = execFileSync(process.execPath, [join(ROOT, 'e2e/support/printOptions.ts')], {
  encoding: 'utf8',
});
/** Full name of a command → the table that parses its arguments. */
const OPTIONS = JSON.parse(optionsJson) as Readonly<Record<string, OptionTable>>; // the output of that script

/** Throws if `svc` would refuse these arguments. */
function checkSvc(args: readonly string[]): void {
  const words = args.filter((arg) => arg !== '--help');
  const nameOf = (count: number): string => ['svc', ...words.slice(0, count)].join(' ');
  // The longest name that is a command, so `cell test` before `cell`.
  let count = words.length;
  while (count > 0 && OPTIONS[nameOf(count)] === undefined) count -= 1;
  const options = OPTIONS[nameOf(count)];
  if (options === undefined) throw new Error(`svc has no command ${words.join(' ')}`);
  parseArguments(words.slice(count), options);
}

/** Throws if a program is unknown or would refuse its arguments. */
function check([program, ...args]: readonly string[]): void {
  if (program === 'svc') checkSvc(args);
  if (program === 'npx') {
    const [name = '', ...rest] = args;
    const isKnown = bin[name] !== undefined || existsSync(join(ROOT, 'node_modules/.bin', name));
    if (name === 'svc') checkSvc(rest);
    else if (!isKnown) throw new Error(`npx has no ${name} here`);
  }
  if (program === 'node' && !existsSync(join(ROOT, args[0] ?? ''))) throw new Error(`there is no ${args[0]}`);
  if (program !== 'npm') return;
  const own = args.findIndex((arg) => arg !== '-s' && arg !== 'run');
  const [script = '', dashes, ...rest] = args.slice(own);
  if (script === 'ci' || script === 'install') return;
  if (scripts[script] === undefined) throw new Error(`package.json has no script ${script}`);
  if (dashes !== undefined && dashes !== '--') throw new Error(`npm would take ${dashes} for itself`);
  if (script === 'svc') checkSvc(rest);
}

describe('[CL-64] commands to copy', () => {
  it('occur in documents and in the panel', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.map(({ from }) => from)).toEqual(
      expect.arrayContaining(['README.md', 'docs/worker.md', 'docs/relay.md']),
    );
  });

  it.each(commands)('$from: $line', ({ line }) => {
    expect(line).not.toMatch(/…|\.\.\./);
    for (const words of programsOf(line)) check(words);
  });

  it.each(commands)('have no token in the arguments of a program: $from: $line', ({ line }) => {
    // `printf` is a part of every shell, so its arguments are in no process list.
    for (const words of programsOf(line).filter(([program]) => program !== 'printf')) {
      expect(words.join(' ')).not.toMatch(/the-(?:worker|connect)-token|--token[ =](?!-)\S|TOKEN=\S/);
    }
  });

  it.each([
    'svc worker --tokn x',
    'npx nothing',
    'npm run nothing',
    'npm run svc run DIR',
    'svc cell nothing',
    'svc cell test DIR --nothing',
    'svc nothing',
  ])('would be refused: %s', (line) => {
    expect(() => programsOf(line).forEach(check)).toThrow();
  });
});

describe('[CL-65] scripts on an older Node', () => {
  const names = readdirSync(join(ROOT, 'scripts')).filter(
    (name) => name.endsWith('.mjs') && name !== 'desktopHooks.mjs',
  );

  /** What a module imports statically, directly and through others: paths and packages. */
  function importsOf(path: string, seen = new Set<string>()): ReadonlySet<string> {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, from = ''] of text.matchAll(
      /^(?:import|export)\b[^;]*?from '([^']+)';|^import '([^']+)';/gm,
    )) {
      const target = from.startsWith('.') ? join(path, '..', from) : from;
      if (seen.has(target)) continue;
      seen.add(target);
      if (from.startsWith('.')) importsOf(target, seen);
    }
    return seen;
  }

  it.each(names)('%s checks the Node version before it loads anything that needs a newer one', (name) => {
    const path = `scripts/${name}`;
    expect(readFileSync(join(ROOT, path), 'utf8')).toContain('await underNode()');
    const foreign = [...importsOf(path)].filter(
      (from) => !from.startsWith('node:') && !from.startsWith('scripts'),
    );
    expect(foreign).toEqual([]);
  });
});
