import { createContext } from 'react';

/** Goes to the cell a text names by its id or its name; false where there is none. */
export type GoToCell = (name: string) => boolean;

/** Given by the page that shows cells; elsewhere links lead to headings and footnotes alone. */
export const CellPlaces = createContext<GoToCell>(() => false);
