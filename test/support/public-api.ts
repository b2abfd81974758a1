/**
 * Lists the package's public surface as a compiler sees it: every exported name, and every type
 * reachable from there.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './sources.ts';

/**
 * A defect of the public surface: `path` says how users reach it, `place` is `file:line` of the
 * declaration.
 */
interface Offender {
  readonly kind: 'any' | 'undocumented' | 'unexported';
  readonly path: string;
  readonly place: string;
}

/** An entry of the package: its name, and its source file relative to the root. */
export interface Entry {
  readonly name: string;
  readonly source: string;
}

/** Entries in package.json that export something to import. */
export function publicEntries(): Entry[] {
  return ['client', 'elements', 'server'].flatMap((folder) => {
    const { name: own, exports } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    ) as {
      name: string;
      exports: Record<string, string | { source?: string }>;
    };
    return Object.entries(exports).flatMap(([name, target]) =>
      typeof target === 'string' || !target.source
        ? []
        : [{ name: name.replace(/^\./, own), source: join(folder, target.source) }],
    );
  });
}

/** Compiler settings of the room that contains a source file. */
function settingsOf(source: string): {
  room: string;
  options: ts.CompilerOptions;
  declarations: string[];
} {
  const config = ts.findConfigFile(dirname(join(root, source)), ts.sys.fileExists)!;
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  return {
    room: config,
    options,
    declarations: fileNames.filter((file) => file.endsWith('.d.ts')),
  };
}

/** The entries of a room, compiled together. */
export interface Room {
  readonly members: readonly Entry[];
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
}

/** Parsed files, which the rooms share: most are of packages and of the platform. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles entries, room by room. `texts` replaces files by their paths relative to the root. */
export function compiled(
  entries: readonly Entry[],
  texts: Readonly<Record<string, string>> = {},
): Room[] {
  const rooms = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { room } = settingsOf(entry.source);
    rooms.set(room, [...(rooms.get(room) ?? []), entry]);
  }
  return [...rooms.values()].map((members) => {
    const { options, declarations } = settingsOf(members[0]!.source);
    const host = ts.createCompilerHost(options, true);
    const { getSourceFile, fileExists } = host;
    const textOf = (file: string) => texts[relative(root, file)];
    host.fileExists = (file) => textOf(file) !== undefined || fileExists(file);
    host.getSourceFile = (file, language, ...rest) => {
      const text = textOf(file);
      if (text !== undefined) return ts.createSourceFile(file, text, language, true);
      if (!parsed.has(file)) parsed.set(file, getSourceFile(file, language, ...rest));
      return parsed.get(file);
    };
    const program = ts.createProgram(
      [...members.map(({ source }) => join(root, source)), ...declarations],
      options,
      host,
    );
    return { members, program, checker: program.getTypeChecker() };
  });
}

/**
 * Checks the entries of compiled rooms. Types of packages and of the platform are not opened, but
 * their type arguments are.
 */
export function offendersOf(programs: readonly Room[]): Offender[] {
  // A name may come from any entry: notes of `@tiding/client` consist of objects of
  // `@tiding/client/protocol`.
  const exported = new Set<string>();
  for (const { members, program, checker } of programs) {
    for (const { source } of members)
      for (const symbol of exportsOf(program, checker, source))
        exported.add(identityOf(resolved(checker, symbol)));
  }
  const found = programs.flatMap(({ members, program, checker }) =>
    walk(members, program, checker, exported),
  );
  return [...new Map(found.map((each) => [listing([each]), each])).values()];
}

export const resolved = (checker: ts.TypeChecker, symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

export function exportsOf(
  program: ts.Program,
  checker: ts.TypeChecker,
  source: string,
): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, source))!);
  return module ? checker.getExportsOfModule(module) : [];
}

function placeOf(node: ts.Node | undefined): string {
  if (!node) return '?';
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(root, file.fileName)}:${line + 1}`;
}

/** A symbol has the same place in the programs of two rooms. */
const identityOf = (symbol: ts.Symbol) => `${placeOf(symbol.declarations?.[0])} ${symbol.name}`;

function isOwnFile(node: ts.Node): boolean {
  const file = relative(root, node.getSourceFile().fileName);
  return !file.startsWith('..') && !file.includes('node_modules/');
}

const isOwn = (symbol: ts.Symbol | undefined) => symbol?.declarations?.some(isOwnFile) ?? false;

const isInternal = (symbol: ts.Symbol) =>
  symbol.getJsDocTags().some(({ name }) => name === 'internal');

export const isHidden = (symbol: ts.Symbol) =>
  isInternal(symbol) ||
  (symbol.declarations ?? []).some(
    (declaration) =>
      ts.isPrivateIdentifier(ts.getNameOfDeclaration(declaration) ?? declaration) ||
      (ts.getCombinedModifierFlags(declaration) &
        (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !==
        0,
  );

function walk(
  entries: readonly Entry[],
  program: ts.Program,
  checker: ts.TypeChecker,
  exported: ReadonlySet<string>,
): Offender[] {
  const found = new Map<string, Offender>();
  const seenTypes = new Set<ts.Type>();
  const seenSymbols = new Set<ts.Symbol>();
  const report = (kind: Offender['kind'], path: string, place: string) => {
    const key = `${kind} ${place} ${path.split('.').at(-1)}`;
    if (!found.has(key)) found.set(key, { kind, path, place });
  };
  const explained = (symbol: ts.Symbol) =>
    symbol.getDocumentationComment(checker).some(({ text }) => text.trim() !== '');

  /** A class, an interface or a named type of this package that a signature refers to. */
  const named = (symbol: ts.Symbol | undefined, path: string) => {
    if (
      !symbol ||
      !isOwn(symbol) ||
      !(
        symbol.flags &
        (ts.SymbolFlags.Class |
          ts.SymbolFlags.Interface |
          ts.SymbolFlags.TypeAlias |
          ts.SymbolFlags.Enum)
      )
    )
      return;
    if (seenSymbols.has(symbol)) return;
    seenSymbols.add(symbol);
    if (!exported.has(identityOf(symbol)))
      report('unexported', `${path} → ${symbol.name}`, placeOf(symbol.declarations?.[0]));
    if (!explained(symbol)) report('undocumented', symbol.name, placeOf(symbol.declarations?.[0]));
  };

  const member = (symbol: ts.Symbol, path: string, wantsDocs: boolean) => {
    if (isHidden(symbol)) return;
    const declaration = symbol.declarations?.[0];
    const here = `${path}.${symbol.name}`;
    const own = isOwn(symbol);
    // A field that comes from a schema is documented by its object.
    if (
      wantsDocs &&
      own &&
      !(declaration && ts.isPropertyAssignment(declaration)) &&
      !explained(symbol)
    )
      report('undocumented', here, placeOf(declaration));
    type(checker.getTypeOfSymbol(symbol), here, own ? declaration : undefined);
  };

  const signature = (each: ts.Signature, path: string, at: ts.Node | undefined) => {
    const place = each.declaration ?? at;
    for (const parameter of each.typeParameters ?? [])
      type(parameter, `${path}<${parameter.symbol.name}>`, place);
    for (const parameter of each.parameters)
      type(checker.getTypeOfSymbol(parameter), `${path}(${parameter.name})`, place);
    type(each.getReturnType(), `${path}()`, place);
  };

  const structure = (each: ts.Type, path: string, at: ts.Node | undefined, wantsDocs: boolean) => {
    for (const property of each.getProperties()) {
      // A class or interface inherits it, for example from the DOM.
      if (wantsDocs && property.declarations && !isOwn(property)) continue;
      if (property.name !== 'prototype') member(property, path, wantsDocs);
    }
    for (const call of each.getCallSignatures()) signature(call, path, at);
    for (const made of each.getConstructSignatures()) {
      if (
        made.declaration &&
        ts.getCombinedModifierFlags(made.declaration as ts.Declaration) & ts.ModifierFlags.Private
      )
        continue;
      if (
        !made.declaration ||
        !ts.getJSDocTags(made.declaration).some(({ tagName }) => tagName.text === 'internal')
      )
        signature(made, `new ${path}`, at);
    }
    for (const index of checker.getIndexInfosOfType(each))
      type(index.type, `${path}[${checker.typeToString(index.keyType)}]`, at);
  };

  function type(each: ts.Type, path: string, at: ts.Node | undefined): void {
    if (each.flags & ts.TypeFlags.Any) return report('any', path, placeOf(at));
    named(each.aliasSymbol, path);
    if (each.aliasSymbol && isInternal(each.aliasSymbol)) return;
    if (seenTypes.has(each)) return;
    seenTypes.add(each);
    for (const argument of each.aliasTypeArguments ?? []) type(argument, `${path}<>`, at);
    // A type that a package names, such as `ReactNode`, belongs to that package.
    if (each.aliasSymbol && !each.aliasTypeArguments && !isOwn(each.aliasSymbol)) return;
    if (each.isUnionOrIntersection()) return each.types.forEach((part) => type(part, path, at));
    if (each.flags & ts.TypeFlags.TypeParameter) {
      const bound = each.getConstraint();
      const standard = each.getDefault();
      if (bound) type(bound, path, at);
      if (standard) type(standard, path, at);
      return;
    }
    if (each.flags & ts.TypeFlags.Conditional) {
      const {
        root: { node },
        checkType,
      } = each as ts.ConditionalType;
      type(checkType, path, at);
      if (!isOwnFile(node)) return;
      type(checker.getTypeFromTypeNode(node.trueType), path, at);
      type(checker.getTypeFromTypeNode(node.falseType), path, at);
      return;
    }
    if (each.flags & ts.TypeFlags.IndexedAccess) {
      const { objectType, indexType } = each as ts.IndexedAccessType;
      type(objectType, path, at);
      type(indexType, path, at);
      return;
    }
    if (each.flags & ts.TypeFlags.Index) return type((each as ts.IndexType).type, path, at);
    if (!(each.flags & ts.TypeFlags.Object)) return;
    const { objectFlags } = each as ts.ObjectType;
    if (objectFlags & ts.ObjectFlags.Reference)
      for (const argument of checker.getTypeArguments(each as ts.TypeReference))
        type(argument, `${path}<>`, at);
    if (objectFlags & ts.ObjectFlags.Reference && (each as ts.TypeReference).target !== each) {
      const { target } = each as ts.TypeReference;
      if (isOwn(each.symbol)) type(target, path, at);
      return;
    }
    const { symbol } = each;
    if (objectFlags & ts.ObjectFlags.ClassOrInterface) {
      if (!isOwn(symbol)) return;
      named(symbol, path);
      if (isInternal(symbol)) return;
      for (const parameter of (each as ts.InterfaceType).typeParameters ?? [])
        type(parameter, `${symbol.name}<${parameter.symbol.name}>`, at);
      for (const base of each.isClassOrInterface() ? checker.getBaseTypes(each) : [])
        type(base, `${symbol.name} extends`, at);
      return structure(each, symbol.name, at, true);
    }
    // A function, class or namespace of a package (`typeof fetch`) belongs to that package.
    if (
      symbol &&
      !isOwn(symbol) &&
      symbol.flags &
        (ts.SymbolFlags.Function |
          ts.SymbolFlags.Class |
          ts.SymbolFlags.Method |
          ts.SymbolFlags.Module)
    )
      return;
    // The static side of a class has members too.
    structure(each, path, at, symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class) !== 0);
  }

  for (const { name, source } of entries) {
    for (const symbol of exportsOf(program, checker, source)) {
      const target = resolved(checker, symbol);
      const path = `${name}: ${symbol.name}`;
      if (!isOwn(target)) continue;
      seenSymbols.add(target);
      const place = target.declarations?.[0];
      if (isInternal(target)) report('unexported', `${path} is internal`, placeOf(place));
      if (!explained(target)) report('undocumented', path, placeOf(place));
      // The constructor of a class exported only as a type can't be called.
      if (
        target.flags & ts.SymbolFlags.Value &&
        !symbol.declarations?.some(ts.isTypeOnlyExportDeclaration)
      )
        type(checker.getTypeOfSymbol(target), path, place);
      if (target.flags & ts.SymbolFlags.Type) {
        const declared = checker.getDeclaredTypeOfSymbol(target);
        if (target.flags & ts.SymbolFlags.TypeAlias) {
          for (const declaration of target.declarations ?? []) {
            if (!ts.isTypeAliasDeclaration(declaration)) continue;
            for (const parameter of declaration.typeParameters ?? [])
              type(checker.getTypeAtLocation(parameter), path, place);
          }
        }
        type(declared, path, place);
      }
    }
  }
  return [...found.values()];
}

/** One line per offender, for the message of a failing test. */
export function listing(offenders: readonly Offender[]): string {
  return offenders
    .map(({ kind, path, place }) => `${place}  ${kind}  ${path}`)
    .sort()
    .join('\n');
}
