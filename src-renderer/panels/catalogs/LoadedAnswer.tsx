import type { ReactNode } from 'react';
import type { Answer } from '../../live/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { CATALOG_WORDS as W } from '../../words/catalogs.ts';

/**
 * Shows the answer of a request to an Iceberg catalog; before it arrives a spinner, and after an error the message with
 * a button that tries again.
 */
export function LoadedAnswer<T>({
  answer,
  children,
}: {
  readonly answer: Answer<T>;
  readonly children: (value: T) => ReactNode;
}) {
  const { value, problem, loading, again } = answer;
  if (value !== null) return children(value);
  if (problem === null || loading) return <Spinner label={W.loading} />;
  return (
    <Notice tone="error" actions={<Button onClick={again}>{W.retry}</Button>}>
      {problem}
    </Notice>
  );
}
