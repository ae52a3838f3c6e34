/**
 * The texts of the product, read from its syntax trees: which entries of the words tables no code uses, and which
 * sentences contain a word of the banned list. Also the comments and test names of the folders in PLAIN_FOLDERS, and
 * the documents.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const TABLES = /^src-renderer\/(?:ui\/)?(?:words\/|strings\.ts$)/;
const TEST_SUPPORT = /\.(?:test|property)\.tsx?$|\/testing\//;

/** Words and phrases that no text of the interface contains. */
export const BANNED =
  /\b(?:anew|amid|whom|whoever|somebody|someone else|nobody|mend(?:s|ed)?|of itself|by itself|in words|(?:is|are|was) told|lies|lie at|stands?|let it go|is (?:so|there) already)\b/i;

/** Words and phrases that no comment and no test name contains. */
export const BANNED_IN_COMMENTS =
  /\b(?:anew|amid|whom|whoever|thereof|somebody|nobody|in words|told|stands?|lies|mend(?:s|ed)?|of itself|kept apart|for ever)\b/i;

/** Words and phrases that no document contains. The hyphenated term for a test double is allowed. */
export const BANNED_IN_DOCUMENTS = new RegExp(
  [BANNED, BANNED_IN_COMMENTS, /\bbegun\b/]
    .map(({ source }) => source.replaceAll('stands?', 'stands?\\b(?!-in)'))
    .join('|'),
  'i',
);

/** Folders whose comments and test names are in plain English. */
export const PLAIN_FOLDERS: readonly string[] = ['src-main', 'src-shared', 'src-renderer', 'e2e'];

/** Folders whose Python and R comments are in plain English. */
export const PLAIN_SCRIPTS: readonly string[] = ['harness/python/svc_harness', 'harness/r'];

export interface Source {
  readonly file: string;
  readonly tree: ts.SourceFile;
}

export interface Text {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The product files under `roots`, without tests and test support. */
export function productFiles(roots: readonly string[]): string[] {
  return allFiles(roots).filter((file) => !TEST_SUPPORT.test(file));
}

/** All source files under `roots`, tests included. */
export function allFiles(roots: readonly string[]): string[] {
  return filesIn(roots, /\.tsx?$/);
}

export function sourcesAt(files: readonly string[]): Source[] {
  return files.map(sourceAt);
}

/**
 * The texts that `read` finds in files and that contain a banned word. Parsing every file would take half a minute, so
 * only files that contain such a word anywhere are parsed.
 */
export function bannedTexts(
  files: readonly string[],
  banned: RegExp,
  read: (source: Source) => readonly Text[],
): Text[] {
  return files
    .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }))
    .filter(({ code }) => banned.test(code))
    .flatMap(({ file, code }) => read({ file, tree: treeOf(file, code) }))
    .filter(({ text }) => banned.test(text));
}

/** The lines of the Python files under `roots`, docstrings among them, and the comments of the R files. */
export function scriptLines(roots: readonly string[]): Text[] {
  return filesIn(roots, /\.(?:py|R)$/).flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((text, at) => ({
        file,
        line: at + 1,
        text: file.endsWith('.R') ? text.replace(/^[^#]*/, '') : text,
      })),
  );
}

/** The documents: the pages of the root that people read, and all Markdown files below `docs`. */
export function documents(): string[] {
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesIn(['docs'], /\.md$/)];
}

/** The paragraphs, table rows and list items of documents, without code. */
export function documentTexts(files: readonly string[]): Text[] {
  return files.flatMap((file) => paragraphsOf(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** The paragraphs, headings, table rows and list items of a document, each on one line, without code. */
export function paragraphsOf(file: string, markdown: string): Text[] {
  const onlyLineEnds = (code: string) => code.replaceAll(/[^\n]/g, '');
  const prose = markdown
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, onlyLineEnds)
    .replaceAll(/(`+)(?!`)(?:(?!\n\n)[\s\S])*?[^`]\1(?!`)/g, onlyLineEnds);
  const texts: { file: string; line: number; text: string }[] = [];
  let isOpen = false;
  for (const [at, line] of prose.split('\n').entries()) {
    const text = line.trim();
    const last = texts.at(-1);
    if (isOpen && last && text !== '' && !/^(?:[|#>]|[-*] |\d+\. )/.test(text)) last.text += ` ${text}`;
    else if (text !== '') texts.push({ file, line: at + 1, text });
    isOpen = text !== '';
  }
  return texts;
}

export function filesIn(roots: readonly string[], pattern: RegExp): string[] {
  return roots.flatMap((root) =>
    readdirSync(join(ROOT, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}

function sourceAt(file: string): Source {
  return { file, tree: treeOf(file, readFileSync(join(ROOT, file), 'utf8')) };
}

export function treeOf(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

/** Entries of the words tables, as `TABLE.key.key`, that no product file reads. */
export function unusedEntries(sources: readonly Source[]): string[] {
  const entries = sources.filter(({ file }) => TABLES.test(file)).flatMap(({ tree }) => entriesOf(tree));
  const tables = new Set(entries.map((entry) => entry.split('.')[0] ?? ''));
  const reads = sources.flatMap(({ tree }) => readsOf(tree, tables));
  const shown = new Set(reads);
  const longer = new Set(reads.flatMap(prefixesOf));
  return entries.filter(
    (entry) => !longer.has(entry) && !prefixesOf(entry).some((prefix) => shown.has(prefix)),
  );
}

/** `A.b.c` → `A`, `A.b`, `A.b.c`. A read of any of them may show the entry `A.b.c`. */
function prefixesOf(entry: string): string[] {
  const parts = entry.split('.');
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'));
}

/** The leaves of every `export const X = {…}`; a function or a text is a leaf. */
function entriesOf(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return [];
    if (!statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) return [];
    return statement.declarationList.declarations.flatMap((declaration) => {
      const value = plain(declaration.initializer);
      return value && ts.isObjectLiteralExpression(value) ? leavesOf(value, declaration.name.getText()) : [];
    });
  });
}

function leavesOf(table: ts.ObjectLiteralExpression, path: string): string[] {
  return table.properties.flatMap((property) => {
    const at = `${path}.${property.name?.getText().replaceAll(/['"]/g, '') ?? ''}`;
    const value = ts.isPropertyAssignment(property) ? plain(property.initializer) : undefined;
    return value && ts.isObjectLiteralExpression(value) ? leavesOf(value, at) : [at];
  });
}

function plain(node: ts.Expression | undefined): ts.Expression | undefined {
  return node && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) ? plain(node.expression) : node;
}

/** The longest path of every access to a table, by the table's own name. */
function readsOf(tree: ts.SourceFile, tables: ReadonlySet<string>): string[] {
  const names = new Map([...tables].map((table) => [table, table]));
  const reads: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node)) {
      const imported = node.propertyName?.getText() ?? node.name.getText();
      if (tables.has(imported)) names.set(node.name.getText(), imported);
      return;
    }
    if (ts.isTypeQueryNode(node) || ts.isExportSpecifier(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text) && isRead(node)) {
      reads.push(accessFrom(node, names.get(node.text) ?? ''));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return reads;
}

function isRead({ parent }: ts.Identifier): boolean {
  return !(
    ts.isVariableDeclaration(parent) &&
    parent.initializer &&
    ts.isObjectLiteralExpression(plain(parent.initializer) ?? parent.initializer)
  );
}

function accessFrom(node: ts.Node, path: string): string {
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.expression === node
    ? accessFrom(parent, `${path}.${parent.name.text}`)
    : path;
}

/** The texts of a file that read like a phrase: more than one word, with small letters. */
export function phrasesOf({ file, tree }: Source): Text[] {
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOfNode(node);
    if (text !== null && /[a-z]{2,}.*\s.*[a-z]|[a-z].*\s.*[a-z]{2,}/s.test(text)) {
      texts.push({ file, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}

function textOfNode(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim();
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('…');
}

const TEST_CALL = /^(?:it|test|describe)\b/;

/** The comments of a file, and the names of its tests. */
export function commentsOf({ file, tree }: Source): Text[] {
  const texts = new Map<number, Text>();
  const add = (start: number, text: string): void => {
    texts.set(start, { file, line: tree.getLineAndCharacterOfPosition(start).line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(tree.text, node.pos) ?? []) {
      add(pos, tree.text.slice(pos, end));
    }
    for (const { pos, end } of ts.getTrailingCommentRanges(tree.text, node.end) ?? []) {
      add(pos, tree.text.slice(pos, end));
    }
    if (ts.isCallExpression(node) && TEST_CALL.test(node.expression.getText(tree))) {
      const [name] = node.arguments;
      const text = name === undefined ? null : textOfNode(name);
      if (name !== undefined && text !== null) add(name.getStart(tree), text);
    }
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  return [...texts.values()];
}
