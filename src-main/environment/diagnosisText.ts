import type { Diagnosis } from '../../src-shared/wire/routes/environmentExtensions.ts';

/** A diagnosis as text, to be pasted where help is asked for. */
export function diagnosisText(sections: Diagnosis['sections']): string {
  return sections
    .map(({ title, rows }) =>
      [title, ...rows.map(({ name, value, problem }) => `${problem ? '! ' : '  '}${name}: ${value}`)].join(
        '\n',
      ),
    )
    .join('\n\n');
}
