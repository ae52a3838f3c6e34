/** The line below the answer of a prompt cell: the model, the tokens used, and how often a response was not valid. */

import './prompt.css';
import type { Output } from '../../../src-shared/wire/output.ts';
import { consoleString } from '../../state/consoleText.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import { PROMPT_WORDS } from '../../words/prompts.ts';

type Usage = NonNullable<Output['usage']>;

export function UsageLine({ usage }: { usage: Usage }) {
  const { model, input_tokens, output_tokens, validation_retries } = usage;
  const facts = [
    PROMPT_WORDS.tokens(input_tokens, output_tokens),
    ...(validation_retries === 0 ? [] : [PROMPT_WORDS.retries(validation_retries)]),
  ];
  return (
    <p className="usage" title={PROMPT_WORDS.usage}>
      <bdi>{model}</bdi> · {facts.join(' · ')}
    </p>
  );
}

/** Whether the console of a prompt cell contains only what this line shows. */
export function saysOnlyUsage({ cell, stderr }: CellModel): boolean {
  const usage = cell.display_outputs.at(-1)?.usage;
  if (usage === undefined || cell.error !== null || cell.status === 'running') return false;
  const printed = consoleString(stderr).trimEnd();
  return printed.startsWith(`${usage.model}: `) && !printed.includes('\n');
}
