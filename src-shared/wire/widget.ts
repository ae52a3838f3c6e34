/** The wire form of a widget cell's controls and their values. */

import * as z from 'zod';

/** The values of controls, as JSON. */
export const widgetValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * The controls of a widget cell and the values that were set; the others have their defaults
 * (docs/spec/widgets-and-app-view.md, 1).
 */
export const widget = z.object({
  descriptors: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['slider', 'number', 'dropdown', 'checkbox', 'text']),
      params: z.record(z.string(), z.unknown()),
      default: widgetValue,
    }),
  ),
  values: z.record(z.string(), widgetValue),
});
export type Widget = z.infer<typeof widget>;
