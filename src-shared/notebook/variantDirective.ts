import { spliceDirective } from './spliceDirective.ts';

/** A cell's source as another variant; null makes it a cell of no group. */
export function withVariant(
  source: string,
  variant: { readonly group: string; readonly name: string } | null,
): string {
  return spliceDirective(source, 'variant', variant === null ? null : `${variant.group} ${variant.name}`);
}

/** A cell's source as one that runs once per variant of a group. */
export function withPerVariant(source: string, group: string): string {
  return spliceDirective(source, 'per_variant', group);
}
