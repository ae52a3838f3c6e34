import { partsOf, textOf } from './syntax.ts';
import { bind, type Visit, visit } from './walk.ts';

/**
 * Visits a pattern of a `case` in a cell's syntax tree, for names.ts: bare names are bound; dotted names and class
 * names are read.
 */
export const visitPattern: Visit = (walk, node, scope) => {
  switch (node.type) {
    case 'dotted_name': {
      const [first, ...rest] = partsOf(node);
      if (first === undefined) return;
      if (rest.length > 0) visit(walk, first, scope);
      else if (textOf(walk.source, first) !== '_') bind(walk, first, scope);
      return;
    }
    case 'class_pattern': {
      const [type, ...inner] = partsOf(node);
      const name = type === undefined ? undefined : partsOf(type)[0];
      if (name !== undefined) visit(walk, name, scope);
      for (const part of inner) visitPattern(walk, part, scope);
      return;
    }
    case 'keyword_pattern':
      for (const part of partsOf(node).slice(1)) visitPattern(walk, part, scope);
      return;
    case 'identifier':
      if (textOf(walk.source, node) !== '_') bind(walk, node, scope);
      return;
    case 'string':
    case 'concatenated_string':
      visit(walk, node, scope);
      return;
    default:
      for (const part of partsOf(node)) visitPattern(walk, part, scope);
  }
};
