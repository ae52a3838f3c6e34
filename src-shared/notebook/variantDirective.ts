import { spliceDirective } from './spliceDirective.ts';

/** The source with its `variant` directive set; null removes the directive. */
export function withVariant(
  source: string,
  variant: { readonly group: string; readonly name: string } | null,
): string {
  return spliceDirective(source, 'variant', variant === null ? null : `${variant.group} ${variant.name}`);
}
