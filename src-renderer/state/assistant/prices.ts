/** The prices of models, from the user's own table: the program contains no prices. */

/** USD per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
}

interface PriceTable {
  readonly byModel: ReadonlyMap<string, Price>;
  /** Entries that cannot be parsed. */
  readonly wrong: readonly string[];
}

const ENTRY = /^(\S+)\s+(\d+(?:\.\d+)?)\s+(\d+(?:\.\d+)?)$/;
const MILLION = 1_000_000;

/** Parses `MODEL INPUT OUTPUT; MODEL INPUT OUTPUT`. */
export function pricesIn(text: string): PriceTable {
  const byModel = new Map<string, Price>();
  const wrong: string[] = [];
  for (const entry of text.split(/[;\n]/)) {
    const trimmed = entry.trim();
    if (trimmed === '') continue;
    const [, model, input, output] = ENTRY.exec(trimmed) ?? [];
    if (model === undefined) wrong.push(trimmed);
    else byModel.set(model, { input: Number(input), output: Number(output) });
  }
  return { byModel, wrong };
}

/** The cost of tokens in USD; null if the table has no price for the model. */
export function costOf(
  { byModel }: PriceTable,
  model: string | null,
  tokens: { readonly input: number; readonly output: number },
): number | null {
  const price = model === null ? undefined : byModel.get(model);
  if (price === undefined) return null;
  return (tokens.input * price.input + tokens.output * price.output) / MILLION;
}
