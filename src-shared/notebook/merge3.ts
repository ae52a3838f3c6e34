/** Merges two changed versions of a text line by line, or marks their conflicts. */

import { diffArrays } from 'diff';

/** Two texts with a common base. */
interface ThreeTexts {
  /** The last text both sides had. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** `conflict`: both changed the same lines; `marked` is the text with both, between markers. */
type MergeResult =
  | { readonly kind: 'clean'; readonly text: string }
  | { readonly kind: 'conflict'; readonly marked: string };

const MINE_MARK = '<<<<<<< mine';
const MIDDLE_MARK = '=======';
const THEIRS_MARK = '>>>>>>> theirs';
/** The lines around both sides of a conflict. */
export const CONFLICT_MARKERS = { mine: MINE_MARK, middle: MIDDLE_MARK, theirs: THEIRS_MARK } as const;

/** If more lines differ, the texts are not merged by line: the user chooses between them. */
const MAX_EDITS = 2_000;

/**
 * Merges both sides' changes, line by line (diff3). Changes of the same or adjacent lines are a conflict,
 * unless both sides made the same one. A clean text has every change of both.
 */
export function merge3({ base, mine, theirs }: ThreeTexts): MergeResult {
  if (mine === theirs || theirs === base) return { kind: 'clean', text: mine };
  if (mine === base) return { kind: 'clean', text: theirs };
  const [o, a, b] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const end = endsWithBreak(mine) === endsWithBreak(base) ? endsWithBreak(theirs) : endsWithBreak(mine);
  const [ours, others] = [changesOf(o, a), changesOf(o, b)];
  if (ours === null || others === null) return { kind: 'conflict', marked: bothOf(a, b).join('\n') };
  const lines: string[] = [];
  let hasConflict = false;
  let at = 0;
  for (const region of regionsOf(ours, others)) {
    lines.push(...o.slice(at, region.from));
    at = region.to;
    const [left, right] = [textIn(o, region, region.mine), textIn(o, region, region.theirs)];
    if (region.theirs.length === 0 || isSame(left, right)) lines.push(...left);
    else if (region.mine.length === 0) lines.push(...right);
    else {
      hasConflict = true;
      lines.push(...bothOf(left, right));
    }
  }
  lines.push(...o.slice(at));
  const text = lines.join('\n') + (end ? '\n' : '');
  return hasConflict ? { kind: 'conflict', marked: text } : { kind: 'clean', text };
}

/** Lines `from` to `to` of the base became these. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

interface Region {
  readonly from: number;
  readonly to: number;
  readonly mine: readonly Change[];
  readonly theirs: readonly Change[];
}

/** The line break at the end is a separate unit, because editors add one to files and typed text often has none. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (endsWithBreak(text) ? text.slice(0, -1) : text).split('\n');
}

function endsWithBreak(text: string): boolean {
  return text.endsWith('\n');
}

/** Null if the texts have too little in common to be compared at a reasonable cost. */
function changesOf(base: readonly string[], other: readonly string[]): readonly Change[] | null {
  const parts = diffArrays([...base], [...other], { maxEditLength: MAX_EDITS });
  if (parts === undefined) return null;
  const changes: Change[] = [];
  let at = 0;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      continue;
    }
    const last = changes.at(-1);
    const goesOn = last !== undefined && last.to === at;
    const from = goesOn ? last.from : at;
    if (removed) at += value.length;
    const lines = [...(goesOn ? last.lines : []), ...(added ? value : [])];
    if (goesOn) changes.pop();
    changes.push({ from, to: at, lines });
  }
  return changes;
}

/** The changes of both sides, with touching ones combined. */
function regionsOf(mine: readonly Change[], theirs: readonly Change[]): readonly Region[] {
  const all = [
    ...mine.map((change) => ({ change, isMine: true })),
    ...theirs.map((change) => ({ change, isMine: false })),
  ].sort((a, b) => a.change.from - b.change.from || a.change.to - b.change.to);
  const regions: Region[] = [];
  for (const { change, isMine } of all) {
    const last = regions.at(-1);
    const touches = last !== undefined && change.from <= last.to;
    const before = touches ? last : { from: change.from, to: change.to, mine: [], theirs: [] };
    if (touches) regions.pop();
    regions.push({
      from: before.from,
      to: Math.max(before.to, change.to),
      mine: isMine ? [...before.mine, change] : before.mine,
      theirs: isMine ? before.theirs : [...before.theirs, change],
    });
  }
  return regions;
}

/** One side's text of a region. */
function textIn(
  base: readonly string[],
  { from, to }: Region,
  changes: readonly Change[],
): readonly string[] {
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    lines.push(...base.slice(at, change.from), ...change.lines);
    at = change.to;
  }
  return [...lines, ...base.slice(at, to)];
}

function bothOf(mine: readonly string[], theirs: readonly string[]): readonly string[] {
  return [MINE_MARK, ...mine, MIDDLE_MARK, ...theirs, THEIRS_MARK];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** Whether a text still has marker lines of a conflict in it. */
export function hasMarkers(text: string): boolean {
  const lines = text.split('\n');
  return lines.includes(MINE_MARK) || lines.includes(THEIRS_MARK);
}
