import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { type TypedCommand, typedCommand } from '../../../src-shared/notebook/typedCommands.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';

/**
 * Commands of Jupyter in a Python cell, said at their line with what they mean here. Only where they are what keeps the
 * text from being Python: in a text or an expression a line may begin with the same signs.
 */
export function typedCommandFaults(source: string, parses: (text: string) => boolean): readonly Diagnostic[] {
  const lines = source.split('\n');
  const found = lines.flatMap((line, at) => {
    const command = typedCommand(line);
    return command === null ? [] : [{ command, at, text: line.trim() }];
  });
  if (found.length === 0) return [];
  const places = new Map(found.map(({ command, at }) => [at, command.indent]));
  const replaced = lines.map((line, at) => (places.has(at) ? `${places.get(at)}pass` : line)).join('\n');
  if (!parses(replaced)) return [];
  return found.map(({ command, at, text }) =>
    diagnose('jupyter_command', wordsOf(command, text), at + 1, command.packages[0] ?? text),
  );
}

function wordsOf({ packages, isNeedless, sign }: TypedCommand, text: string): string {
  if (packages.length > 0) {
    return `\`${text}\` is a command of Jupyter. Add the package to the notebook's environment instead, where it is locked and every run finds it.`;
  }
  if (isNeedless) return `\`${text}\` is a command of Jupyter that is not needed here. Remove the line.`;
  if (sign === '!') {
    return `\`${text}\` is a command of Jupyter, and no Python. Run programs with subprocess.run.`;
  }
  return `\`${text}\` is a command of Jupyter, which Python does not know. Write what it does in Python, or remove the line.`;
}
