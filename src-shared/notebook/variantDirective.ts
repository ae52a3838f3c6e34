import { spliceDirective } from './spliceDirective.ts';

/** Makes a cell's source another variant; null removes it from its group. */
export function withVariant(
  source: string,
  variant: { readonly group: string; readonly name: string } | null,
): string {
  return spliceDirective(source, 'variant', variant === null ? null : `${variant.group} ${variant.name}`);
}

/** Makes a cell's source run once per variant of a group. */
export function withPerVariant(source: string, group: string): string {
  return spliceDirective(source, 'per_variant', group);
}
