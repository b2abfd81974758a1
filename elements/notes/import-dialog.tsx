import {
  type Client,
  isNoteFile,
  isTidingError,
  NOTE_FILE_TYPES,
  readNoteFile,
} from '@tiding/client';
import { decodedPart, pathInFolder, takenNotePath } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import { useEffect, useRef, useState } from 'react';
import { pathInDrop } from '../note/files/folder-files.ts';
import { importNoteTexts } from '../note-list/dialog-texts.ts';
import { noteErrorText } from '../note-list/note-error.ts';
import { notePaths, TakenName } from '../note-list/taken-name.tsx';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { FormDialog } from '../ui/dialogs.tsx';
import { ErrorHint } from '../ui/hints.tsx';
import type { NoteDialogProps } from './create-dialog.tsx';

/** Maximum size of a file if the server doesn't say, in bytes. */
const DEFAULT_LIMIT = 10_240_000;

interface NoteSource {
  /** Name of the file, for messages. */
  readonly name: string;
  readonly read: () => Promise<JsonObject>;
  /** Path of the note. Default: the typed name, otherwise the name in the file. */
  readonly path?: string;
  /** Folder of the file in a dropped folder, which its note gets too; `''` if there is none. */
  readonly folder?: string;
}

/** Why a source was not imported. */
interface ImportProblem extends NoteSource {
  readonly reason: string;
  /** The path, if another note has it. */
  readonly taken?: string | undefined;
}

/**
 * Imports notes from files or a URL. The URL is fetched without credentials. `files` are imported
 * at once.
 */
export function ImportDialog({
  client,
  files,
  onClose,
}: NoteDialogProps & { files?: readonly File[] | undefined }) {
  const [name, setName] = useState('');
  const [step, setStep] = useState<'choose' | 'url'>('choose');
  const [url, setUrl] = useState('');
  const [problems, setProblems] = useState<readonly ImportProblem[]>([]);
  const [current, setCurrent] = useState<string>();
  const imported = useRef<string[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const limit = Number(
    client.state.configurations?.['zeppelin.websocket.max.text.message.size'] ?? DEFAULT_LIMIT,
  );

  /** Imports sources one after another. Problems of other sources stay. */
  const take = async (sources: readonly NoteSource[], keep: readonly ImportProblem[] = []) => {
    const found = [...keep];
    setProblems(found);
    for (const source of sources) {
      setCurrent(source.name);
      try {
        const note = await source.read();
        const path =
          source.path ?? targetPath(name.trim(), note, sources.length > 1, source.folder);
        imported.current.push(await client.notes.importNote(note, path));
      } catch (failure) {
        const taken = takenNotePath((failure as Error).message);
        found.push({ ...source, reason: noteErrorText(failure), taken });
        setProblems([...found]);
      }
    }
    setCurrent(undefined);
    const [first, ...more] = imported.current;
    if (found.length === 0) onClose(more.length === 0 ? first : undefined);
  };
  const fromFiles = (chosen: readonly File[]) =>
    take(
      chosen.map((file) => ({
        name: pathInDrop(file),
        folder: pathInDrop(file).replace(/\/?[^/]*$/, ''),
        read: async () => {
          if (file.size > limit) throw new Error(importNoteTexts.tooLarge);
          return readNoteFile(file.name, await file.arrayBuffer());
        },
      })),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: each set of files is imported once
  useEffect(() => {
    if (files && files.length > 0) void fromFiles(files);
  }, [files]);
  const fromUrl = () => {
    const address = url.trim();
    const last = /([^/]+)\/?$/.exec(address.replace(/[?#].*$/, ''))?.[1] ?? '';
    const read = async () => {
      if (address === '') throw new Error(importNoteTexts.emptyUrl);
      const text = await fetchText(client, address);
      return readNoteFile(isNoteFile(last) ? decodedPart(last) : '', text);
    };
    return take([{ name: address, read }]);
  };
  const isSingle = problems.length + imported.current.length <= 1;
  return (
    <FormDialog
      title={importNoteTexts.title}
      cancel={imported.current.length > 0 ? commonTexts.close : commonTexts.cancel}
      busy={current !== undefined}
      action={step === 'url' ? importNoteTexts.action : importNoteTexts.file}
      onSubmit={() => (step === 'url' ? void fromUrl() : field.current?.click())}
      onClose={() => onClose(undefined)}
    >
      <label className="field">
        <span className="label">{importNoteTexts.as}</span>
        <span className="input">
          <input value={name} autoFocus onChange={(event) => setName(event.target.value)} />
        </span>
        <span className="hint">{importNoteTexts.asHint}</span>
      </label>
      {step === 'url' ? (
        <label className="field">
          <span className="label">{importNoteTexts.urlField}</span>
          <span className={problems.length > 0 ? 'input error' : 'input'}>
            <input value={url} type="url" onChange={(event) => setUrl(event.target.value)} />
          </span>
        </label>
      ) : null}
      <input
        ref={field}
        type="file"
        multiple
        accept={NOTE_FILE_TYPES.map((type) => `.${type}`).join()}
        hidden
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          // The same file can be chosen again after it was changed.
          target.value = '';
          if (chosen.length > 0) void fromFiles(chosen);
        }}
      />
      <p className="hint" role="status">
        {current !== undefined
          ? fill(importNoteTexts.importing, { name: current })
          : imported.current.length > 0
            ? fill(importNoteTexts.imported, {
                done: imported.current.length,
                all: imported.current.length + problems.length,
              })
            : `${importNoteTexts.types} ` +
              fill(importNoteTexts.limit, { mb: Math.round(limit / 1_048_576) })}
      </p>
      {problems.map((problem, index) => (
        <ImportProblemLine
          key={index}
          problem={problem}
          isNamed={!isSingle}
          taken={[...notePaths(client), ...problems.flatMap((each) => each.taken ?? [])]}
          onUse={(path) =>
            void take(
              [{ ...problem, path }],
              problems.filter((each) => each !== problem),
            )
          }
        />
      ))}
      <button
        type="button"
        className="link"
        onClick={() => {
          setProblems([]);
          setStep(step === 'url' ? 'choose' : 'url');
        }}
      >
        {step === 'url' ? importNoteTexts.back : importNoteTexts.url}
      </button>
    </FormDialog>
  );
}

function ImportProblemLine({
  problem: { name, reason, taken: path },
  isNamed,
  taken,
  onUse,
}: {
  problem: ImportProblem;
  /** Whether the name of the file is shown. */
  isNamed: boolean;
  /** Paths that are not free. */
  taken: readonly string[];
  onUse: (path: string) => void;
}) {
  return (
    <div className="import-problem">
      {isNamed ? <b className="import-file">{name}</b> : null}
      {path === undefined ? (
        <ErrorHint>{reason}</ErrorHint>
      ) : (
        <TakenName name={path} taken={taken} onUse={onUse} />
      )}
    </div>
  );
}

/** Returns the path for a note; `undefined` keeps its own. A typed name is a folder for several. */
function targetPath(
  typed: string,
  note: JsonObject,
  isFolder: boolean,
  folder = '',
): string | undefined {
  if (typed !== '' && !isFolder) return typed;
  const into = [typed, folder].filter(Boolean).join('/');
  return into === '' ? undefined : pathInFolder(into, String(note['path'] || note['name'] || ''));
}

/**
 * Fetches a text through the server, because the policy of a page may allow its own origin only; in
 * the browser from there, or if the server is a Zeppelin.
 */
async function fetchText(client: Client, address: string): Promise<string> {
  try {
    if (new URL(address, location.href).origin !== location.origin)
      return await client.call('fetchNoteFile', { body: { url: address } });
  } catch (error) {
    if (!isTidingError(error) || error.code !== 'unsupported')
      throw new Error(importNoteTexts.unreachable);
  }
  try {
    const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (response.ok) return await response.text();
  } catch {
    // The error is the same below.
  }
  throw new Error(importNoteTexts.unreachable);
}
