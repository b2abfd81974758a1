/** Parts of a workbook that its sheets refer to: the list of sheets, texts and formats. */
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type DateFormat, dateFormatOf } from './dates.ts';
import { FileProblem } from './problem.ts';
import { readXml } from './xml.ts';

/** Maximum memory of the texts that cells share, in bytes. */
const MAX_SHARED_BYTES = 200 * 2 ** 20;
/** Approximate memory of a text besides its characters, in bytes. */
const TEXT_BYTES = 32;

/** Opens a part by its path; undefined if there is none. */
type OpenPart = (path: string) => Promise<Readable | undefined>;

/** A sheet of a workbook. */
interface SheetPart {
  readonly name: string;
  readonly path: string;
}

/** Replaces the form in which a workbook writes characters that XML does not allow. */
export const plainText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

interface Relation {
  readonly type: string;
  readonly path: string;
}

/** Reads the parts that a part refers to, by id. */
async function relationsOf(open: OpenPart, path: string): Promise<Map<string, Relation>> {
  const folder = posix.dirname(path);
  const relations = new Map<string, Relation>();
  const stream = await open(posix.join(folder, '_rels', `${posix.basename(path)}.rels`));
  if (stream)
    await readXml(stream, {
      open(name, { Id = '', Type = '', Target = '' }) {
        if (name === 'Relationship')
          relations.set(Id, {
            type: posix.basename(Type),
            path: posix.resolve('/', folder, Target).slice(1),
          });
      },
    });
  return relations;
}

export interface WorkbookParts {
  /** The visible sheets come first. */
  readonly sheets: readonly SheetPart[];
  readonly from1904: boolean;
  /** Texts that cells refer to by number. */
  readonly texts: readonly string[];
  /** Formats for dates, by the number of a cell's style. */
  readonly formats: readonly (DateFormat | undefined)[];
}

/** Reads the parts of a workbook besides its sheets. Throws if it is none. */
export async function readWorkbookParts(open: OpenPart): Promise<WorkbookParts> {
  const main = [...(await relationsOf(open, '')).values()].find(
    ({ type }) => type === 'officeDocument',
  )?.path;
  if (main?.endsWith('.bin'))
    throw new FileProblem('is a binary workbook (.xlsb). Save it as an Excel workbook (.xlsx).');
  const workbook = main === undefined ? undefined : await open(main);
  if (main === undefined || !workbook) throw notWorkbook();
  const listed: { name: string; id: string; isHidden: boolean }[] = [];
  let from1904 = false;
  let isWorkbook = false;
  await readXml(workbook, {
    open(name, attributes) {
      if (name === 'workbook') isWorkbook = true;
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name === 'sheet')
        listed.push({
          name: plainText(attributes['name'] ?? ''),
          id: Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '',
          isHidden: (attributes['state'] ?? 'visible') !== 'visible',
        });
    },
  });
  if (!isWorkbook) throw notWorkbook();
  const relations = await relationsOf(open, main);
  const partOf = (wanted: string) =>
    [...relations.values()].find(({ type }) => type === wanted)?.path ?? '';
  const sheets = [false, true].flatMap((isHidden) =>
    listed.flatMap((sheet) => {
      const relation = relations.get(sheet.id);
      return sheet.isHidden === isHidden && relation?.type === 'worksheet'
        ? [{ name: sheet.name, path: relation.path }]
        : [];
    }),
  );
  return {
    sheets,
    from1904,
    texts: await sharedTexts(await open(partOf('sharedStrings'))),
    formats: await dateFormats(await open(partOf('styles'))),
  };
}

const notWorkbook = () => new FileProblem("isn't an Excel workbook.");

async function sharedTexts(stream: Readable | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (!stream) return texts;
  let text = '';
  let bytes = 0;
  let isText = false;
  let isPhonetic = false;
  await readXml(stream, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      bytes += text.length + TEXT_BYTES;
      if (bytes > MAX_SHARED_BYTES)
        throw new FileProblem(
          'has more text than can be read at once. Save the sheets that you need as CSV.',
        );
      texts.push(plainText(text));
    },
  });
  return texts;
}

async function dateFormats(stream: Readable | undefined): Promise<(DateFormat | undefined)[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let inCells = false;
  if (stream)
    await readXml(stream, {
      open(name, attributes) {
        if (name === 'numFmt')
          codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
        if (name === 'cellXfs') inCells = true;
        if (name === 'xf' && inCells) ids.push(Number(attributes['numFmtId'] ?? 0));
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    });
  return ids.map((id) => dateFormatOf(id, codes.get(id)));
}
