import * as z from 'zod';

/** What a control may hold, as JSON has it. */
export const widgetValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The controls of a widget cell and the values that were set; the others are at their default (widgets-and-app-view). */
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
