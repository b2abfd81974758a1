import type { Client } from '@tiding/client';
import { NOTE_FILE_TYPES } from '@tiding/client';
import { nextUntitledName } from '@tiding/client/model';
import { Plus, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DATA_FILE_TYPES } from '../note/files/data-file-types.ts';
import { notePaths } from '../note-list/taken-name.tsx';
import { Button, Icon } from '../ui/button.tsx';
import { type OfferedInterpreter, showInterpreters } from './interpreter-list.ts';
import { homeTexts as t } from './texts.ts';

/** Interpreters for which a new note is offered, in this order, and how many. */
const OFFERED = ['python', 'sql', 'md', 'js', 'sh', 'spark', 'jdbc'];
const OFFERED_COUNT = 4;

interface HomeStartProps {
  client: Client;
  onFiles: (files: readonly File[]) => void;
  /** Creates a note with a default interpreter. */
  onCreate: (path: string, interpreter: string) => void;
}

/** Invites to begin: files to drop or choose, and a new note in a language of the server. */
export function HomeStart({ client, onFiles, onCreate }: HomeStartProps) {
  const field = useRef<HTMLInputElement>(null);
  const [interpreters, setInterpreters] = useState<readonly OfferedInterpreter[]>([]);
  useEffect(() => {
    return showInterpreters(client, setInterpreters);
  }, [client]);
  const offered = OFFERED.flatMap((name) => interpreters.find((each) => each.name === name) ?? []);
  return (
    <section className="home-start" aria-label={t.start}>
      <div className="home-drop">
        <Icon of={Upload} />
        <b>{t.dropTitle}</b>
        <span>{t.dropHint}</span>
        <Button kind="secondary" onClick={() => field.current?.click()}>
          {t.choose}
        </Button>
        <input
          ref={field}
          type="file"
          multiple
          hidden
          aria-label={t.choose}
          accept={[DATA_FILE_TYPES, ...NOTE_FILE_TYPES.map((type) => `.${type}`)].join()}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      {offered.length > 0 ? (
        <div className="home-languages">
          <h2 className="section-head">{t.newNote}</h2>
          {offered.slice(0, OFFERED_COUNT).map(({ id, name }) => (
            <Button
              key={id}
              kind="secondary"
              icon={Plus}
              onClick={() => onCreate(nextUntitledName(notePaths(client)), id)}
            >
              {t.languages[name] ?? name}
            </Button>
          ))}
        </div>
      ) : null}
    </section>
  );
}
