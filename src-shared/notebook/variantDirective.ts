import { spliceDirective } from './spliceDirective.ts';

/** Makes a cell's source another variant; null removes it from its group. */
export function withVariant(
  source: string,
  variant: { readonly group: string; readonly name: string } | null,
): string {
  return spliceDirective(source, 'variant', variant === null ? null : `${variant.group} ${variant.name}`);
}
