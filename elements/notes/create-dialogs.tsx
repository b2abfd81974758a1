import type { Client } from '@tiding/client';
import {
  checkNotePath,
  nextUntitledName,
  normalizePath,
  takenNotePath,
} from '@tiding/client/model';
import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { createNoteTexts, importNoteTexts } from '../text/pages/note-dialogs.ts';
import { FormDialog } from '../ui/dialogs.tsx';
import { noteErrorText } from './note-error.ts';
import { notePaths, TakenName } from './taken-name.tsx';

interface DialogProps {
  client: Client;
  /** Called with the id of the new note, or `undefined` if there is none. */
  onClose: (id: string | undefined) => void;
}

/** Asks for the name and default interpreter of a new note. `folder` prefixes the name. */
export function CreateDialog({ client, folder, onClose }: DialogProps & { folder?: string }) {
  const [name, setName] = useState(() => nextUntitledName(notePaths(client), folder));
  const [refused, setRefused] = useState<string[]>([]);
  const [interpreters, setInterpreters] = useState<{ id: string; name: string }[]>([]);
  const [interpreter, setInterpreter] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    client.call('listSettings').then(
      (settings) => {
        setInterpreters(settings);
        setInterpreter((before) => before || (settings[0]?.id ?? ''));
      },
      () => {
        // Users who may not list interpreters get the server's default.
      },
    );
  }, [client]);
  const problem = name.trim() === '' ? undefined : checkNotePath(name.trim());
  const taken = [...notePaths(client), ...refused];
  const isTaken = taken.includes(normalizePath(name.trim()));

  const create = async () => {
    setBusy(true);
    try {
      onClose(
        await client.notes.create({ path: name.trim(), ...(interpreter ? { interpreter } : {}) }),
      );
    } catch (failure) {
      const path = takenNotePath((failure as Error).message);
      if (path === undefined) setError(noteErrorText(failure));
      else setRefused([...refused, path]);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={createNoteTexts.title}
      action={createNoteTexts.action}
      cancel={commonTexts.cancel}
      busy={busy}
      disabled={name.trim() === '' || problem !== undefined || isTaken}
      onSubmit={() => void create()}
      onClose={() => onClose(undefined)}
    >
      <label className="field">
        <span className="label">{createNoteTexts.name}</span>
        <span className={problem || isTaken ? 'input error' : 'input'}>
          <input
            value={name}
            autoFocus
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </span>
        <span
          className={(problem ?? error) ? 'hint error' : 'hint'}
          role={error ? 'alert' : undefined}
        >
          {problem ?? error ?? createNoteTexts.hint}
        </span>
      </label>
      <TakenName name={name} taken={taken} onUse={setName} />
      {interpreters.length > 0 ? (
        <label className="field">
          <span className="label">{createNoteTexts.interpreter}</span>
          <select
            className="select"
            value={interpreter}
            onChange={(event) => setInterpreter(event.target.value)}
          >
            {interpreters.map(({ id, name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ) : null}
    </FormDialog>
  );
}

/** Imports a note from a file or a URL. The browser fetches the URL, without credentials. */
export function ImportDialog({ client, onClose }: DialogProps) {
  const [name, setName] = useState('');
  const [step, setStep] = useState<'choose' | 'url'>('choose');
  const [url, setUrl] = useState('');
  const [error, setError] = useState<string>();
  const [refused, setRefused] = useState<{ path: string; read: () => Promise<string> }>();
  const [busy, setBusy] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const limit = Number(
    client.state.configurations?.['zeppelin.websocket.max.text.message.size'] ?? 10_240_000,
  );

  const take = async (read: () => Promise<string>, as = name.trim()) => {
    setBusy(true);
    setError(undefined);
    setRefused(undefined);
    try {
      onClose(await client.notes.importNote(await read(), as || undefined));
    } catch (failure) {
      const path = takenNotePath((failure as Error).message);
      if (path === undefined) setError(noteErrorText(failure));
      else setRefused({ path, read });
      setBusy(false);
    }
  };
  const fromFile = (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > limit) setError(importNoteTexts.tooLarge);
    // A Jupyter notebook has no name but that of its file.
    else
      void take(
        () => chosen.text(),
        name.trim() || (/^(.+)\.ipynb$/i.exec(chosen.name)?.[1] ?? ''),
      );
  };
  const fromUrl = () => {
    if (url.trim() === '') return setError(importNoteTexts.emptyUrl);
    return void take(async () => {
      try {
        const response = await fetch(url.trim(), {
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
        });
        if (response.ok) return await response.text();
      } catch {
        // The error is shown below.
      }
      throw new Error(importNoteTexts.unreachable);
    });
  };
  return (
    <FormDialog
      title={importNoteTexts.title}
      cancel={commonTexts.cancel}
      busy={busy}
      action={step === 'url' ? importNoteTexts.action : importNoteTexts.file}
      onSubmit={() => (step === 'url' ? fromUrl() : file.current?.click())}
      onClose={() => onClose(undefined)}
    >
      <label className="field">
        <span className="label">{importNoteTexts.as}</span>
        <span className="input">
          <input value={name} autoFocus onChange={(event) => setName(event.target.value)} />
        </span>
        <span className="hint">
          {importNoteTexts.asHint}{' '}
          {fill(importNoteTexts.limit, { mb: Math.round(limit / 1_048_576) })}
        </span>
      </label>
      {step === 'url' ? (
        <label className="field">
          <span className="label">{importNoteTexts.urlField}</span>
          <span className={error ? 'input error' : 'input'}>
            <input value={url} type="url" onChange={(event) => setUrl(event.target.value)} />
          </span>
        </label>
      ) : null}
      <input
        ref={file}
        type="file"
        accept=".json,.zpln,.ipynb,application/json"
        hidden
        onChange={(event) => fromFile(event.target.files?.[0])}
      />
      <p className={error ? 'hint error' : 'hint'} role={error ? 'alert' : undefined}>
        {error ?? ''}
      </p>
      {refused ? (
        <TakenName
          name={refused.path}
          taken={[...notePaths(client), refused.path]}
          onUse={(free) => {
            setName(free);
            void take(refused.read, free);
          }}
        />
      ) : null}
      <button
        type="button"
        className="link"
        onClick={() => {
          setError(undefined);
          setStep(step === 'url' ? 'choose' : 'url');
        }}
      >
        {step === 'url' ? importNoteTexts.back : importNoteTexts.url}
      </button>
    </FormDialog>
  );
}
