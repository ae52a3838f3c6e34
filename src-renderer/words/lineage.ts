import { countText } from './strings.ts';

/** UI texts of the lineage graph on the Artifacts page. */
export const LINEAGE_WORDS = {
  title: 'Lineage',
  open: 'Lineage…',
  back: 'Back to the list',
  look: 'Show as',
  asGraph: 'Graph',
  asList: 'List',
  loading: 'Loading the lineage…',
  graphLabel: 'Lineage graph. Move with the arrow keys; Enter shows more inputs and dependents.',
  keys: 'Click a version or move with the arrow keys. Enter shows its other inputs and dependents.',
  expand: (more: number): string => (more === 0 ? 'Show more' : `Show ${countText(more)} more`),
  moreInputs: (count: number): string =>
    `${countText(count)} more ${count === 1 ? 'input' : 'inputs'}, not shown yet`,
  moreDependents: (count: number): string =>
    `${countText(count)} more ${count === 1 ? 'dependent' : 'dependents'}, not shown yet`,
  counts: (inputs: number, dependents: number): string =>
    `${countText(inputs)} ${inputs === 1 ? 'input' : 'inputs'}, ${countText(dependents)} ${dependents === 1 ? 'dependent' : 'dependents'}`,
  cut: 'There are too many versions to show all of them. Select a version to show what is connected to it.',
  inputs: 'Inputs',
  noInputs: 'It has no stored inputs.',
  here: 'This version',
  dependents: 'Dependents',
  noDependents: 'No stored result uses it.',
  outside: { artifact: 'Not available', table: 'Table outside the store', fetch: 'File from the web' },
  openNotebook: (name: string): string => `Open ${name}`,
} as const;
