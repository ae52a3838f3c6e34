/**
 * Visits the Python statements that run only some of their parts (if, loops, try, match), for names.ts. Each visit
 * follows the parts in source order and records in the flow which names are certainly bound.
 */

import { NO_BINDINGS, type Path } from './flow.ts';
import { visitPattern } from './pattern.ts';
import type { Scope } from './scope.ts';
import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';
import { bindTarget, type Visit, visit, visitAll, visitField, type Walk } from './walk.ts';

const visitIf: Visit = (walk, node, scope) => {
  const condition = fieldOf(node, 'condition');
  if (condition !== undefined) visit(walk, condition, scope);
  const alternatives = node.children.filter(({ field }) => field === 'alternative');
  const isCertain = condition !== undefined && isAlwaysTrue(walk.source, condition);
  walk.module.flow.fork([
    () => visitField(walk, node, 'consequence', scope),
    () => {
      if (isCertain) walk.module.flow.end();
      visitAlternatives(walk, alternatives, scope);
    },
  ]);
};

function visitAlternatives(walk: Walk, alternatives: readonly Syntax[], scope: Scope): void {
  const [first, ...others] = alternatives;
  if (first === undefined) return;
  if (first.type !== 'elif_clause') {
    visitAll(walk, first.children, scope);
    return;
  }
  visitField(walk, first, 'condition', scope);
  walk.module.flow.fork([
    () => visitField(walk, first, 'consequence', scope),
    () => visitAlternatives(walk, others, scope),
  ]);
}

/** True also for `__name__ == "__main__"`: a cell is the main module of its process. */
function isAlwaysTrue(source: string, condition: Syntax): boolean {
  if (condition.type === 'true') return true;
  const text = textOf(source, condition);
  return /^[1-9]\d*$/.test(text) || /^__name__\s*==\s*(['"])__main__\1$/.test(text);
}

const visitWhile: Visit = (walk, node, scope) => {
  const { flow } = walk.module;
  const condition = fieldOf(node, 'condition');
  if (condition !== undefined) visit(walk, condition, scope);
  const body = () => visitField(walk, node, 'body', scope);
  const isEndless = condition !== undefined && isAlwaysTrue(walk.source, condition);
  if (isEndless) flow.loopForever(body);
  else flow.loop(body);
  visitLoopElse(walk, node, scope);
};

const visitFor: Visit = (walk, node, scope) => {
  visitField(walk, node, 'right', scope);
  walk.module.flow.loop(() => {
    const left = fieldOf(node, 'left');
    if (left !== undefined) bindTarget(walk, left, scope);
    visitField(walk, node, 'body', scope);
  });
  visitLoopElse(walk, node, scope);
};

/** A `break` skips the `else` of its loop. */
function visitLoopElse(walk: Walk, node: Syntax, scope: Scope): void {
  const alternative = fieldOf(node, 'alternative');
  if (alternative === undefined) return;
  const body = fieldOf(node, 'body');
  const run = () => visit(walk, alternative, scope);
  if (body !== undefined && hasBreak(body)) walk.module.flow.maybe(run);
  else run();
}

/** Whether a `break` in `node` leaves the surrounding loop. One in the `else` of an inner loop does. */
function hasBreak(node: Syntax): boolean {
  if (node.type === 'break_statement') return true;
  if (node.type === 'function_definition' || node.type === 'class_definition') return false;
  const isLoop = node.type === 'for_statement' || node.type === 'while_statement';
  const parts = isLoop ? node.children.filter(({ field }) => field === 'alternative') : partsOf(node);
  return parts.some(hasBreak);
}

/** A handler may start after any part of the body, so no name that the body binds is certain in the handler. */
const visitTry: Visit = (walk, node, scope) => {
  const { flow } = walk.module;
  const body = flow.follow(() => visitField(walk, node, 'body', scope));
  let success: Path = body;
  const handlers: Path[] = [];
  let finallyClause: Syntax | undefined;
  for (const clause of partsOf(node)) {
    if (clause.type === 'except_clause' || clause.type === 'except_group_clause') {
      const path = flow.follow(() => visitAll(walk, clause.children, scope));
      const errorName = caughtName(walk.source, clause);
      handlers.push({ ...path, names: path.names.filter((name) => name !== errorName) });
    } else if (clause.type === 'else_clause') {
      success = flow.follow(() => visitAll(walk, clause.children, scope), body);
    } else if (clause.type === 'finally_clause') finallyClause = clause;
  }
  flow.join([success, ...handlers]);
  if (finallyClause !== undefined) visitAll(walk, finallyClause.children, scope);
};

/** The name of `except E as name`, which Python deletes when the handler ends. */
function caughtName(source: string, clause: Syntax): string | null {
  const pattern = partsOf(clause).find(({ type }) => type === 'as_pattern');
  const target = pattern === undefined ? undefined : fieldOf(pattern, 'alias');
  const name = target === undefined ? undefined : (partsOf(target)[0] ?? target);
  return name === undefined ? null : nameOf(source, name);
}

/** Context managers that propagate every exception. Any other may end the body early, as `suppress` does. */
const PROPAGATES = new RegExp(
  `(^|\\.)(${[
    ...['open', 'fdopen', 'urlopen', 'connect', 'begin', 'cursor', 'closing', 'aclosing', 'nullcontext'],
    ...['no_grad', 'inference_mode', 'autocast', 'option_context', 'errstate', 'printoptions', 'context'],
    ...['catch_warnings', 'localcontext', 'rc_context', 'redirect_stdout', 'redirect_stderr', 'chdir'],
    ...['tqdm', 'Popen', 'TemporaryDirectory', 'NamedTemporaryFile', 'TemporaryFile', 'ZipFile', 'GzipFile'],
    ...['ThreadPoolExecutor', 'ProcessPoolExecutor', 'Pool', 'ThreadPool', 'Lock', 'RLock', 'Session'],
    ...[
      'ClientSession',
      'AsyncClient',
      'File',
      'ExcelWriter',
      'ExcelFile',
      'HDFStore',
      'StringIO',
      'BytesIO',
    ],
    ...['scandir', 'Parallel', 'TaskGroup', 'timeout', 'StringCache'],
  ].join('|')})$`,
);

const visitWith: Visit = (walk, node, scope) => {
  const body = fieldOf(node, 'body');
  const items = partsOf(node).filter((part) => part !== body);
  visitAll(walk, items, scope);
  if (body === undefined) return;
  const run = () => visit(walk, body, scope);
  const managers = items.flatMap((clause) => partsOf(clause));
  if (managers.every((item) => propagates(walk.source, item))) run();
  else walk.module.flow.maybe(run);
};

function propagates(source: string, item: Syntax): boolean {
  let manager: Syntax | undefined = fieldOf(item, 'value') ?? item;
  if (manager.type === 'as_pattern') manager = partsOf(manager)[0];
  const callee = manager?.type === 'call' ? fieldOf(manager, 'function') : undefined;
  return callee !== undefined && PROPAGATES.test(textOf(source, callee));
}

const visitMatch: Visit = (walk, node, scope) => {
  const { flow } = walk.module;
  const body = fieldOf(node, 'body');
  for (const part of partsOf(node)) if (part !== body) visit(walk, part, scope);
  const cases = body === undefined ? [] : partsOf(body);
  const paths = cases.map((clause) => flow.follow(() => visit(walk, clause, scope)));
  const isComplete = cases.some((clause) => matchesAll(clause));
  flow.join(isComplete ? paths : [...paths, NO_BINDINGS]);
};

/** `case _:` or `case name:`. */
function matchesAll(clause: Syntax): boolean {
  const parts = partsOf(clause);
  const patterns = parts.filter(({ type }) => type === 'case_pattern');
  const [pattern] = patterns;
  if (pattern === undefined || patterns.length > 1 || parts.some(({ type }) => type === 'if_clause'))
    return false;
  const [inner, ...more] = partsOf(pattern);
  if (inner === undefined) return pattern.end - pattern.start === 1;
  return more.length === 0 && inner.type === 'dotted_name' && partsOf(inner).length === 1;
}

const visitCase: Visit = (walk, node, scope) => {
  for (const part of partsOf(node)) {
    if (part.type === 'case_pattern') visitPattern(walk, part, scope);
    else visit(walk, part, scope);
  }
};

const visitConditional: Visit = (walk, node, scope) => {
  const [value, test, otherwise] = partsOf(node);
  if (test !== undefined) visit(walk, test, scope);
  walk.module.flow.fork(
    [value, otherwise].map((part) => () => {
      if (part !== undefined) visit(walk, part, scope);
    }),
  );
};

const visitRaise: Visit = (walk, node, scope) => {
  visitAll(walk, node.children, scope);
  if (/^raise\s+SystemExit\b/.test(textOf(walk.source, node))) walk.module.flow.exit();
  walk.module.flow.end();
};

export const BRANCH_VISITS: Readonly<Record<string, Visit | undefined>> = {
  if_statement: visitIf,
  while_statement: visitWhile,
  for_statement: visitFor,
  try_statement: visitTry,
  with_statement: visitWith,
  match_statement: visitMatch,
  case_clause: visitCase,
  conditional_expression: visitConditional,
  raise_statement: visitRaise,
  break_statement: (walk) => walk.module.flow.leaveLoop(),
  continue_statement: (walk) => walk.module.flow.end(),
};
