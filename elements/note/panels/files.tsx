import type { EndpointAnswer } from '@tiding/client/protocol';
import { Download, FileInput, RefreshCw, Share2, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { formatBytes } from '../../result/parts/numbers.ts';
import { readDownload, saveFile } from '../../result/parts/save-file.ts';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { useEditInPlace } from '../../ui/edit-in-place.ts';
import { runHere } from '../commands/run-one.ts';
import { hasTables, isDataFile, paragraphFor } from '../files/data-files.ts';
import { UploadButton } from '../files/upload-button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { fileTexts as t, variableTexts } from './texts.ts';
import { ListState, useListed } from './use-listed.tsx';

type DataFile = EndpointAnswer<'listFiles'>[number];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Data files of the note, and those that all users share. */
export default function FilesPanel() {
  const ui = useNoteUi();
  const { client, note, uploads } = ui;
  const uploading = useViewStore(uploads.state, ({ name }) => name);
  const list = useCallback(
    async () =>
      Promise.all([client.files.list({ noteId: note.id }), client.files.list({ shared: true })]),
    [client, note],
  );
  const { value, error, read } = useListed(list, uploading);
  const mayNotChange = useWhyNot(ui, 'writer');
  const groups = [
    { title: t.ofNote, files: value?.[0] ?? [], mayNotChange, owner: `notes/${note.id}/` },
    { title: t.shared, files: value?.[1] ?? [], mayNotChange: undefined, owner: '' },
  ].filter(({ files }) => files.length > 0);
  return (
    <div className="panel-body">
      <div className="panel-actions">
        <UploadButton disabledReason={mayNotChange} />
        <Button size="sm" icon={RefreshCw} onClick={() => void read()}>
          {variableTexts.refresh}
        </Button>
      </div>
      <ListState of={{ value, error }} />
      {value && groups.length === 0 && <p className="hint">{t.none}</p>}
      {groups.map(({ title, files, owner, ...rights }) => (
        <section key={title} className="listed files">
          <h3>{title}</h3>
          <ul>
            {files.map((file) => (
              <FileRow
                key={file.path}
                file={file}
                // Code names files of its note by their place in the folder of the note.
                inCode={file.path.slice(owner.length)}
                mayNotChange={rights.mayNotChange}
                mayNotAdd={mayNotChange}
                isShared={owner === ''}
                read={read}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function FileRow({
  file: { path, size, modified },
  inCode,
  mayNotChange,
  mayNotAdd,
  isShared,
  read,
}: {
  file: DataFile;
  inCode: string;
  mayNotChange: string | undefined;
  mayNotAdd: string | undefined;
  isShared: boolean;
  read: () => Promise<void>;
}) {
  const ui = useNoteUi();
  const { client, messages } = ui;
  const name = nameOf(path);
  const change = (work: () => Promise<unknown>): void =>
    void messages.act(async () => {
      await work();
      await read();
    });
  const edit = useEditInPlace(name, (typed) => {
    const wanted = typed.trim();
    if (wanted !== '' && wanted !== name) change(() => client.files.rename(path, wanted));
  });
  const preview = async (): Promise<string | undefined> => {
    const [{ previewTables }, { readFileTables }] = await Promise.all([
      import('../files/import-preview.tsx'),
      import('../files/table-files.ts'),
    ]);
    const chosen = await previewTables(ui.dialogs, inCode, (how) =>
      readFileTables(client, path, path.slice(0, -inCode.length), how),
    );
    return chosen?.text;
  };
  const insert = async (): Promise<void> => {
    const text = hasTables(name) ? await preview() : paragraphFor(inCode);
    if (text === undefined) return;
    const id = await ui.paragraphs.insert(undefined, text);
    ui.focus.scrollTo(id);
    await runHere(ui, ui.note.paragraph(id));
    if (hasTables(name)) await read();
  };
  const download = async (): Promise<void> =>
    saveFile(await readDownload(await client.files.download(path)));
  const remove = (): void => {
    const title = fill(t.removeTitle, { name });
    const question = { title, text: t.removeText, action: t.remove, danger: true };
    void ui.dialogs.confirm(question, async () => {
      await client.files.remove(path);
      await read();
    });
  };
  return (
    <li>
      <div>
        {edit.field ? (
          <input {...edit.field} className="file-name bare" aria-label={fill(t.rename, { name })} />
        ) : (
          <button
            type="button"
            className="file-name bare"
            title={mayNotChange ?? fill(t.rename, { name })}
            disabled={mayNotChange !== undefined}
            onClick={edit.begin}
          >
            {inCode}
          </button>
        )}
        <small>
          {formatBytes(size)} · {new Date(modified).toLocaleString()}
        </small>
      </div>
      {isDataFile(name) && (
        <Button
          size="sm"
          icon={FileInput}
          label={fill(t.insert, { name })}
          disabledReason={mayNotAdd}
          onClick={() => void messages.act(insert)}
        />
      )}
      <Button
        size="sm"
        icon={Download}
        label={fill(t.download, { name })}
        onClick={() => void messages.act(download)}
      />
      {!isShared && (
        <Button
          size="sm"
          icon={Share2}
          label={fill(t.share, { name })}
          disabledReason={mayNotChange}
          onClick={() => change(() => client.files.share(path))}
        />
      )}
      <Button
        size="sm"
        icon={Trash2}
        label={fill(t.removeFile, { name })}
        disabledReason={mayNotChange}
        onClick={remove}
      />
    </li>
  );
}
