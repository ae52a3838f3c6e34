/** Writes the error message of a cell whose process ended without a result. */

import type { RunEnd } from './runningCell.ts';

const SIGNALS: Readonly<Record<string, string>> = {
  SIGKILL:
    'It was killed by the system or another program. Usually this means that the machine ran out of memory.',
  SIGSEGV: 'A library it uses crashed (segmentation fault).',
  SIGABRT: 'A library it uses aborted.',
  SIGBUS: 'It read a memory-mapped file that was truncated, or the memory is faulty (bus error).',
  SIGILL: 'A library it uses is built for another processor (illegal instruction).',
  SIGFPE: 'A library it uses caused an arithmetic error.',
  SIGXCPU: 'It reached its CPU time limit.',
  SIGXFSZ: 'It reached its file size limit.',
};

/** How many lines of stderr to quote. */
const QUOTED_LINES = 5;

/** The error message for a process that ended without a result; quotes the end of its stderr. */
export function explainCrash(end: RunEnd, stderr: string): string {
  const stderrEnd = lastLines(stderr);
  switch (end.kind) {
    case 'lost':
    case 'not_started':
      return end.message;
    case 'signal':
      return `The cell's process was ended by ${end.signal}. ${SIGNALS[end.signal] ?? ''}`.trim() + stderrEnd;
    case 'code':
      return `The cell ended its own process (exit code ${end.code}) before its results were stored, as os._exit(${end.code}) does.${stderrEnd}`;
    default:
      return end satisfies never;
  }
}

function lastLines(stderr: string): string {
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  return lines.length === 0 ? '' : `\n${lines.slice(-QUOTED_LINES).join('\n')}`;
}
