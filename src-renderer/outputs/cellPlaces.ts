/** React context through which links in Markdown and outputs go to a cell of the page. */

import { createContext } from 'react';

/** Goes to the cell with this id or name; false if there is none. */
export type GoToCell = (name: string) => boolean;

/** Provided by a page that shows cells; without it, links lead only to headings and footnotes. */
export const CellPlaces = createContext<GoToCell>(() => false);
