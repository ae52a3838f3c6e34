/**
 * Computes the changes that an answer of the assistant proposes for a cell's text, as hunks that are accepted or
 * rejected one by one. If the user changed the text after asking, the answer is merged with the change if possible.
 */

import { diffArrays } from 'diff';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { CONFLICT_MARKERS, hasMarkers, merge3 } from '../../../src-shared/notebook/merge3.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import { answerParts, cellLanguageOf } from './answerParts.ts';

/** Lines that both texts have (`same`), or lines that differ. */
export type Segment =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | ({ readonly kind: 'hunk' } & Hunk);

export interface Hunk {
  /** Identifies the hunk: the key stays the same while its lines do, even if other lines change. */
  readonly key: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether accepting it would replace a secret with the placeholder for hidden secrets. */
  readonly isHidden: boolean;
}

export interface Review {
  /** `none`: the answer has no code. `cut`: its code did not arrive completely. */
  readonly kind: 'none' | 'cut' | 'same' | 'changes';
  readonly segments: readonly Segment[];
  /** Whether the user and the answer changed the same lines; those of the answer are shown. */
  readonly overlaps: boolean;
  /** The text of the answer around the code. */
  readonly prose: string;
}

/** The placeholder that the server puts in place of a secret. */
const HIDDEN_MARK = '[hidden]';
/** With more differences than this, two texts are shown as one hunk. */
const MAX_EDITS = 1_000;
/** The limit for a text that is still arriving, which is compared in every animation frame. */
const MAX_EDITS_ARRIVING = 150;

/** The code for a cell in an answer, and the text around it. */
export function codeIn(
  answer: string,
  language: Language,
): { readonly code: string | null; readonly isOpen: boolean; readonly prose: string } {
  const parts = answerParts(answer);
  // For prompt and widget cells, models use a fence of another language.
  const isOther = LANGUAGES[language].fence !== language;
  const blocks = parts.flatMap((part) =>
    part.kind === 'code' && (isOther || cellLanguageOf(part.info) === language) ? [part] : [],
  );
  // The prompt asks for one block. If there are several, the longest is used, because examples are shorter.
  const block = blocks.reduce<(typeof blocks)[number] | null>(
    (best, one) => (best === null || one.isOpen || one.text.length > best.text.length ? one : best),
    null,
  );
  const prose = parts.flatMap((part) => {
    if (part === block) return [];
    return part.kind === 'text' ? [part.text.trim()] : [`\`\`\`${part.info}\n${part.text}\n\`\`\``];
  });
  return { code: block?.text ?? null, isOpen: block?.isOpen ?? false, prose: prose.join('\n\n') };
}

/** @param of.base the text when the question was asked; `of.current` the text now */
export function reviewOf(of: {
  readonly base: string;
  readonly current: string;
  readonly answer: string;
  readonly language: Language;
}): Review {
  const { base, current, answer, language } = of;
  const { code, isOpen, prose } = codeIn(answer, language);
  const nothing = { segments: [], overlaps: false, prose };
  if (code === null) return { kind: 'none', ...nothing };
  if (isOpen) return { kind: 'cut', ...nothing };
  const theirs = withEndOf(base, code);
  const merged = merge3({ base, mine: current, theirs });
  const target = merged.kind === 'clean' ? merged.text : theirsOf(merged.marked, [base, current, theirs]);
  const segments = segmentsOf(current, target, MAX_EDITS);
  const kind = segments.some((segment) => segment.kind === 'hunk') ? 'changes' : 'same';
  return { kind, segments, overlaps: merged.kind === 'conflict', prose };
}

/** The merged text with the answer's lines where both sides changed the same lines. */
function theirsOf(marked: string, [base, mine, theirs]: readonly [string, string, string]): string {
  // Texts about merging may themselves contain such lines.
  const isUnclear = (text: string): boolean =>
    hasMarkers(text) || text.split('\n').includes(CONFLICT_MARKERS.middle);
  if ([base, mine, theirs].some(isUnclear)) return theirs;
  let side: 'both' | 'mine' | 'theirs' = 'both';
  const lines = marked.split('\n').filter((line) => {
    const before = side;
    if (line === CONFLICT_MARKERS.mine) side = 'mine';
    else if (line === CONFLICT_MARKERS.middle && side === 'mine') side = 'theirs';
    else if (line === CONFLICT_MARKERS.theirs && side === 'theirs') side = 'both';
    return before === side && side !== 'mine';
  });
  return lines.join('\n');
}

/** Compares a text that is still arriving with the current one: missing text is not shown as removed. */
export function arrivingSegments(current: string, answer: string, language: Language): readonly Segment[] {
  const { code } = codeIn(answer, language);
  if (code === null) return [];
  const segments = [...segmentsOf(current, code, MAX_EDITS_ARRIVING)];
  const last = segments.at(-1);
  if (last?.kind === 'hunk') segments[segments.length - 1] = { ...last, before: [] };
  return segments;
}

/** The text with the hunks that are accepted. */
export function textOf(segments: readonly Segment[], isAccepted: (hunk: Hunk) => boolean): string {
  return segments
    .flatMap((segment) => {
      if (segment.kind === 'same') return segment.lines;
      return isAccepted(segment) ? segment.after : segment.before;
    })
    .join('\n');
}

export function hunksOf(segments: readonly Segment[]): readonly Hunk[] {
  return segments.flatMap((segment) => (segment.kind === 'hunk' ? [segment] : []));
}

function segmentsOf(before: string, after: string, maxEditLength: number): readonly Segment[] {
  // An empty cell has no lines that could be removed.
  const [a, b] = [before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n')];
  const parts = diffArrays(a, b, { maxEditLength });
  const segments: Segment[] = [];
  const occurrences = new Map<string, number>();
  const addHunk = (removed: readonly string[], added: readonly string[]): void => {
    const lines = JSON.stringify([removed, added]);
    const times = occurrences.get(lines) ?? 0;
    occurrences.set(lines, times + 1);
    const isHidden = count(added, HIDDEN_MARK) > count(removed, HIDDEN_MARK);
    segments.push({ kind: 'hunk', key: `${times} ${lines}`, before: removed, after: added, isHidden });
  };
  if (parts === undefined) {
    addHunk(a, b);
    return segments;
  }
  let removed: readonly string[] = [];
  let added: readonly string[] = [];
  const end = (): void => {
    if (removed.length + added.length > 0) addHunk(removed, added);
    removed = [];
    added = [];
  };
  for (const part of parts) {
    if (part.removed) removed = [...removed, ...part.value];
    else if (part.added) added = [...added, ...part.value];
    else {
      end();
      segments.push({ kind: 'same', lines: part.value });
    }
  }
  end();
  return segments;
}

/** The code with the line break at the end of `base`, because a code block has none. */
function withEndOf(base: string, code: string): string {
  const ends = /\n*$/.exec(base)?.[0] ?? '';
  return code.replace(/\n+$/, '') + (base.trim() === '' ? '' : ends);
}

function count(lines: readonly string[], mark: string): number {
  return lines.join('\n').split(mark).length - 1;
}
