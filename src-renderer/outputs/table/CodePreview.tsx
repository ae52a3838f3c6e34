/** Shows the code of the cell that a dialog of a table is about to insert. */
export function CodePreview({ label, source }: { label: string; source: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable to scroll by keyboard
    <section className="code-preview" tabIndex={0} aria-label={label}>
      <pre>{source}</pre>
    </section>
  );
}
