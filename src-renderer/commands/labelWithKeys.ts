import { capsOf, IS_MAC } from '../ui/chord.ts';
import { commandOf } from './registry.ts';

/** A tooltip text with the keys of the command it is about: `Files (Ctrl Shift E)`. */
export function labelWithKeys(label: string, commandId: string): string {
  const [chord] = commandOf(commandId)?.keys ?? [];
  if (chord === undefined) return label;
  return `${label} (${capsOf(chord, IS_MAC)
    .map((press) => press.join(' '))
    .join(', ')})`;
}
