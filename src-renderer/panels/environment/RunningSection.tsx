/** The section of the Environment panel with the settings of how cells run on this machine. */

import { useState } from 'react';
import { callRoute, RestError } from '../../live/rest.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView } from '../../notebook/context.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { RUNNING_WORDS } from '../../words/running.ts';

const AS_SERVER = 'server';
const CHOICES = [1, 2, 4, 8, 16];

/** How the notebook's cells run on this machine. */
export function RunningSection() {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const { value, problem, again } = useAnswer(
    'notebookSettings',
    { params: { sid: sessionId } },
    {
      subject: sessionId,
      key: '',
    },
  );
  const [refused, setRefused] = useState<string | null>(null);
  const choose = async (choice: string): Promise<void> => {
    try {
      const parallel_cells = choice === AS_SERVER ? null : Number(choice);
      await callRoute('setNotebookSettings', { params: { sid: sessionId }, body: { parallel_cells } });
      setRefused(null);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      setRefused(error.message);
    }
    again();
  };
  const words = refused ?? problem;
  if (value === null) return words === null ? null : <Notice tone="error">{words}</Notice>;
  const { own, server } = value.parallel_cells;
  const numbers = own === null || CHOICES.includes(own) ? CHOICES : [...CHOICES, own].sort((a, b) => a - b);
  return (
    <section className="panel-section" aria-label={RUNNING_WORDS.title}>
      <h3>{RUNNING_WORDS.title}</h3>
      {words === null ? null : <Notice tone="error">{words}</Notice>}
      <Select
        label={RUNNING_WORDS.parallel}
        hint={RUNNING_WORDS.parallelHint}
        value={own === null ? AS_SERVER : String(own)}
        options={[
          { value: AS_SERVER, label: RUNNING_WORDS.asServer(server) },
          ...numbers.map((cells) => ({ value: String(cells), label: RUNNING_WORDS.number(cells) })),
        ]}
        onChange={(choice) => void choose(choice)}
        disabled={!live}
      />
    </section>
  );
}
