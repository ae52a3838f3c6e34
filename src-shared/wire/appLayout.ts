/** The wire form of the app view's layout: kind, theme, and the place of each cell. */

import * as z from 'zod';

/** How an app view arranges its cells. */
export const APP_KINDS = ['page', 'grid', 'slides', 'tabs'] as const;
export type AppKind = (typeof APP_KINDS)[number];

export const APP_THEMES = ['system', 'light', 'dark'] as const;
export type AppTheme = (typeof APP_THEMES)[number];

/** Columns of the grid of an app view. */
export const GRID_COLUMNS = 12;
/** The most rows of a cell in the grid, and of the grid above it. */
const MAX_GRID_ROWS = 10_000;
const MAX_TITLE = 200;
const MAX_TAB = 80;
const MAX_TABS = 100;
const MAX_SLIDES = 10_000;
const MAX_ID = 256;

const column = z
  .int()
  .min(0)
  .max(GRID_COLUMNS - 1);
const row = z.int().min(0).max(MAX_GRID_ROWS);
const height = z.int().min(1).max(MAX_GRID_ROWS);
/** Column and row of the upper left corner from 0, then columns wide and rows high. */
export const gridPlace = z
  .tuple([column, row, z.int().min(1).max(GRID_COLUMNS), height])
  .refine(([x, , width]) => x + width <= GRID_COLUMNS);
export type GridPlace = z.infer<typeof gridPlace>;

const title = z.string().max(MAX_TITLE);
const tab = z.string().trim().min(1).max(MAX_TAB);
const tabs = z.array(tab).max(MAX_TABS);
const slides = z.array(z.string().min(1).max(MAX_ID)).max(MAX_SLIDES);

/** The values of one cell, by their keys in notebook.toml. */
export const PLACEMENT_VALUES = {
  /** Whether the cell is in the app; absent: if it shows something. */
  shown: z.boolean(),
  /** Whether its code is shown; absent: the app's setting. */
  code: z.boolean(),
  grid: gridPlace,
  /** `join`: the cell is on the slide of the cell before it, in the order of the slides. */
  slide: z.literal('join'),
  /** The tab of the cell; absent: its section of the notebook. */
  tab,
} as const;

/** The values of the app as a whole. */
export const APP_VALUES = {
  layout: z.enum(APP_KINDS),
  theme: z.enum(APP_THEMES),
  /** Instead of the notebook's name. */
  title,
  code: z.boolean(),
  /** The order of the tabs; others follow in the order of their cells. */
  tabs,
  /** The order of the slides, by ids of cells (`slideOrder`); absent: that of the notebook. */
  slides,
} as const;

const appPlacement = z.object(PLACEMENT_VALUES).partial();
export type AppPlacement = Readonly<z.infer<typeof appPlacement>>;

/** Extension: the layout of the app view in notebook.toml (docs/apps.md). */
export const appLayout = z
  .object(APP_VALUES)
  .partial()
  .extend({
    cells: z.record(z.string(), appPlacement),
    /** Values of notebook.toml that cannot be used; they stay in the file. */
    problems: z.array(z.string()).optional(),
  });
export type AppLayout = Readonly<z.infer<typeof appLayout>>;

const nullable = <T extends Record<string, z.ZodType>>(shape: T) =>
  Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [key, value.nullable().optional()]),
  ) as unknown as { readonly [K in keyof T]: z.ZodOptional<z.ZodNullable<T[K]>> }; // one entry per key

const placementEdit = z.object(nullable(PLACEMENT_VALUES));

/** A change of the layout, value by value: null removes one, an absent one does not change. */
export const appEdit = z.object({
  ...nullable(APP_VALUES),
  cells: z.record(z.string().max(MAX_ID), placementEdit).optional(),
});
export type AppEdit = Readonly<z.infer<typeof appEdit>>;
export type PlacementEdit = Readonly<z.infer<typeof placementEdit>>;
