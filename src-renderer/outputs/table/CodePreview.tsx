/** Code that is about to be inserted. */
export function CodePreview({ label, source }: { label: string; source: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reached by keys
    <section className="code-preview" tabIndex={0} aria-label={label}>
      <pre>{source}</pre>
    </section>
  );
}
