import type { ReactNode } from 'react';

/** One component of the gallery page under its name. */
export function Sample({
  name,
  children,
  wide = false,
}: {
  name: string;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <section className={wide ? 'sample sample-wide' : 'sample'} aria-label={name}>
      <h3>{name}</h3>
      <div className="sample-body">{children}</div>
    </section>
  );
}

export function Samples({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="samples" aria-label={title}>
      <h2>{title}</h2>
      <div className="samples-grid">{children}</div>
    </section>
  );
}
