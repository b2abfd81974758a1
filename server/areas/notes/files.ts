/** Data files of notes and users, and shared ones: uploads, lists, new names and removals. */
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { imageTypeOf, MAX_IMAGE_BYTES } from '@tiding/client/model';
import type { EndpointAnswer } from '@tiding/client/protocol';
import { showsImage } from '../../auth/embed-access.ts';
import { Refusal } from '../../base/errors.ts';
import { checkImage, checkImageSize } from '../../files/images.ts';
import {
  checkDataName,
  keepFile,
  listFiles,
  openFile,
  removeFile,
  renameFile,
  TABLE_FILE_TYPES,
} from '../../files/open-file.ts';
import { addPiece, finishUpload } from '../../files/uploads.ts';
import { fileHeaders } from '../../results/download.ts';
import type { RestHandlers } from '../context.ts';
import { requireRoom } from '../quotas.ts';

/** REST handlers for data files. */
export const filesRest = {
  putFile: async ({ params, body, person }, context) => {
    const { files, notes, permissions, options } = context;
    if (body.noteId !== undefined) notes.get(body.noteId);
    const { folder, prefix } = files.ownedBy(body, person, permissions, 'writer');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body.data))
      throw new Refusal(400, 'The file must be encoded in base64.');
    const bytes = Buffer.from(body.data, 'base64');
    const name = params['name'] ?? '';
    await requireRoom(context, body, person.principal, bytes.length);
    if (!body.more && body.upload === undefined) {
      const kept = await keepFile(folder, name, bytes);
      return { ...kept, path: prefix + kept.path };
    }
    const piece = { bytes, upload: body.upload, at: body.at };
    const { upload, size } = await addPiece(folder, name, piece, options.maxFileBytes);
    const path = body.more ? name : await finishUpload(folder, name, upload);
    return { path: prefix + path, size, ...(body.more ? { upload } : {}) };
  },
  listFiles: async ({ query, person }, { files, notes, permissions }) => {
    const noteId = query.get('noteId') ?? undefined;
    const shared = query.get('shared') === 'true';
    if (noteId !== undefined) notes.get(noteId);
    const { folder, prefix } = files.ownedBy({ noteId, shared }, person, permissions, 'reader');
    return (await listFiles(folder)).map((file) => ({ ...file, path: prefix + file.path }));
  },
  getNoteImage: async ({ params, person }, { files, notes }) => {
    const note = notes.get(params['noteId'] ?? '');
    const name = params['name'] ?? '';
    const type = imageTypeOf(name);
    const isShown = !person.embed || showsImage(note.paragraphs, person.embed, name);
    if (!isShown && person.embed?.paragraphId !== undefined)
      throw new Refusal(403, 'The token of this page is for one paragraph only.', 'forbidden');
    if (type === undefined || !isShown) throw new Refusal(404, `There is no image ${name}.`);
    const { handle, size } = await openFile(files.ofNote(note.id), name);
    try {
      checkImageSize(name, size);
      const bytes = Buffer.alloc(Math.min(size, MAX_IMAGE_BYTES));
      await handle.read(bytes, 0, bytes.length, 0);
      // Code in the note may have written the file.
      checkImage(name, bytes);
      return new Response(bytes, { headers: fileHeaders(name, type) });
    } finally {
      await handle.close();
    }
  },
  renameFile: async ({ body, person }, context) => {
    const { files, permissions } = context;
    const { folder, path } = await files.removable(body.path, person, permissions);
    if (!body.shared) {
      await renameFile(folder, path, body.name);
      const parts = body.path.split('/').filter((part) => part !== '');
      return { path: [...parts.slice(0, -1), body.name].join('/') };
    }
    const { prefix } = files.ownedBy({ shared: true }, person, permissions, 'writer');
    const { handle, size } = await openFile(folder, path);
    await handle.close();
    await requireRoom(context, { shared: true }, person.principal, size);
    await renameFile(folder, path, body.name, files.shared);
    return { path: prefix + body.name };
  },
  readTables: async ({ body, person, signal }, context) => {
    const { files, permissions, tableFiles } = context;
    const { folder, path } = await files.removable(body.path, person, permissions);
    if (!TABLE_FILE_TYPES.includes(checkDataName(basename(path)).extension.toLowerCase()))
      throw new Refusal(
        400,
        `${path} is no CSV, TSV, JSON or Parquet file, Excel workbook or SQLite database.`,
      );
    const { handle, size } = await openFile(folder, path);
    await handle.close();
    const [kind, noteId = ''] = body.path.split('/');
    const owner = { shared: kind === 'shared', ...(kind === 'notes' ? { noteId } : {}) };
    await requireRoom(context, owner, person.principal, size);
    const { choices, preview } = body;
    const read = await tableFiles.read(join(await realpath(folder), path), {
      ...{ choices, preview, signal, asker: person.principal },
    });
    const prefix = body.path.replace(/[^/]*$/, '');
    return {
      ...read,
      tables: read.tables.map((table) => ({ ...table, path: prefix + table.path })),
    } as EndpointAnswer<'readTables'>;
  },
  removeFile: async ({ query, person }, { files, permissions }) => {
    const { folder, path } = await files.removable(query.get('path') ?? '', person, permissions);
    await removeFile(folder, path);
    return undefined;
  },
} satisfies Partial<RestHandlers>;
