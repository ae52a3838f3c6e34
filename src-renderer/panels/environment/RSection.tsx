import { useView } from '../../notebook/context.ts';
import { Notice } from '../../ui/Notice.tsx';
import { R_WORDS } from '../../ui/words/r.ts';

/** The R that this notebook's R cells run with, or what to do where there is none; absent without R cells. */
export function RSection() {
  const version = useView((view) => view.model.meta?.r_environment.system_r_version ?? null);
  const missing = useView((view) => view.model.meta?.r_environment.packages_status === 'rscript_missing');
  if (version === null && !missing) return null;
  return (
    <section className="panel-section" data-r={missing ? 'missing' : 'found'}>
      <h3>{R_WORDS.title}</h3>
      {missing ? (
        <Notice tone="warn">{R_WORDS.missing}</Notice>
      ) : (
        <dl className="facts">
          <dt>{R_WORDS.version}</dt>
          <dd>{version}</dd>
        </dl>
      )}
    </section>
  );
}
