import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { editorTexts } from '../../editor/texts.ts';
import { useSelect } from '../../runtime/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { DATA_FILE_TYPES } from './data-file-types.ts';

/** Asks for data files and uploads them. Only for servers that accept uploads. */
export function UploadButton({ disabledReason }: { disabledReason: string | undefined }) {
  const ui = useNoteUi();
  const accepts = useSelect(ui.client, ({ server }) => server?.tiding !== undefined, false);
  const field = useRef<HTMLInputElement>(null);
  if (!accepts || ui.single) return null;
  return (
    <>
      <Button
        size="sm"
        icon={Upload}
        label={editorTexts.file.upload}
        disabledReason={disabledReason}
        onClick={() => field.current?.click()}
      />
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={DATA_FILE_TYPES}
        onChange={({ target }) => {
          ui.uploads.add([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
