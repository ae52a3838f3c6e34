/** Shows formulas and diagrams of Markdown that could not be drawn as their source text, with the reason. */

/** Shows a formula that failed as its text, followed by the reason. */
export function showFormulaError(place: HTMLElement, words: string): void {
  place.classList.add('math-wrong');
  const note = document.createElement('span');
  note.className = 'math-why';
  note.textContent = words;
  place.append(note);
}

/** Shows a diagram that failed as its text, below the reason. */
export function showDiagramError(place: HTMLElement, text: string, words: string): void {
  const note = document.createElement('p');
  note.className = 'diagram-why';
  note.setAttribute('role', 'note');
  note.textContent = words;
  const source = document.createElement('pre');
  source.textContent = text;
  place.replaceChildren(note, source);
}
