/** Combines the console output of a cell that runs once per variant, with a heading for each variant. */

import type { ConsoleText } from '../exec/executor.ts';

type Stream = ConsoleText['stream'];
type StreamTexts = Readonly<Record<Stream, string>>;

/**
 * Groups the output of a fan-out's runs under `[variant=<n>]`, during and after the runs
 * (docs/spec/analysis-and-graph.md, 3.4).
 */
interface VariantConsole {
  /** New output: sent at once, with the heading of its variant before its first line. */
  live(variant: string, text: ConsoleText): void;
  /** The complete output of a variant's run, to store. A variant without output has no heading. */
  whole(variant: string, printed: StreamTexts): void;
  printed(): { readonly stdout: string; readonly stderr: string };
}

/** Creates the console of one run of a fan-out. @param tell sends output to the clients */
export function createVariantConsole(tell: (text: ConsoleText) => void): VariantConsole {
  const heads: Partial<Record<Stream, string>> = {};
  const endsOpen: Partial<Record<Stream, boolean>> = {};
  const texts: Record<Stream, string> = { stdout: '', stderr: '' };
  return {
    live(variant, { stream, text }) {
      const isFirst = heads[stream] !== variant;
      heads[stream] = variant;
      const output = isFirst ? headed(variant, { text, afterOpenLine: endsOpen[stream] === true }) : text;
      endsOpen[stream] = !text.endsWith('\n');
      tell({ stream, text: output });
    },
    whole(variant, printed) {
      for (const stream of ['stdout', 'stderr'] as const) {
        const text = printed[stream];
        if (text === '') continue;
        const before = texts[stream];
        texts[stream] += headed(variant, { text, afterOpenLine: before !== '' && !before.endsWith('\n') });
      }
    },
    printed: () => ({ ...texts }),
  };
}

function headed(
  variant: string,
  { text, afterOpenLine }: { readonly text: string; readonly afterOpenLine: boolean },
): string {
  return `${afterOpenLine ? '\n' : ''}[variant=${variant}]\n${text}`;
}
