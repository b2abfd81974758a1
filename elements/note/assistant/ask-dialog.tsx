import { type AssistantAnswer, isTidingError } from '@tiding/client';
import { magicOf, splitMagic } from '@tiding/client/model';
import type { AssistantPreview, AssistantRequest } from '@tiding/client/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSheets } from '../../runtime/use-sheets.ts';
import { fill } from '../../text/fill.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { LabelledChoice, LabelledField } from '../../ui/fields/labelled.tsx';
import { replaceCode } from '../commands/replace-code.ts';
import { ReadOnlyCode } from '../dialogs/read-only-code.tsx';
import { magicsOfAll, useAvailable } from '../magics.ts';
import diffSheet from '../revisions/diff.css';
import { diffText } from '../revisions/diff.ts';
import { DiffLines } from '../revisions/diff-rows.tsx';
import { useLater } from '../revisions/use-later.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import type { AskPlace } from './assistance.tsx';
import { assistantTexts as t } from './texts.ts';

/** Maximum number of lines of code and of texts that are shown without scrolling. */
const MAX_LINES = 14;
const sheets = [diffSheet];

/** What was asked, and the answer as far as it has come. */
interface Asked {
  readonly request: AssistantRequest;
  readonly text: string;
  readonly state: 'answering' | 'answered' | 'stopped';
  readonly answer?: AssistantAnswer;
  readonly error?: string;
}

const rowsOf = (text: string): number => Math.min(MAX_LINES, text.split('\n').length);

interface AskDialogProps extends AskPlace {
  onClose: () => void;
}

/** Asks the assistant, shows what is sent and the answer, and puts it into the note on request. */
export function AskDialog({ ui, task, paragraphId, chart, onClose }: AskDialogProps) {
  useSheets(sheets);
  const { client, note } = ui;
  const [before] = useState(() => note.paragraph(paragraphId).text);
  const magics = useMagics(before);
  const [question, setQuestion] = useState('');
  const [chosen, setMagic] = useState<string>();
  const magic = chosen ?? magics[0] ?? 'sql';
  const [asked, setAsked] = useState<Asked>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const writes = task === 'write';
  const request = useMemo<AssistantRequest>(
    () => ({
      task,
      paragraphId,
      ...(writes ? { magic, question } : {}),
      ...(chart ? { chart } : {}),
    }),
    [task, paragraphId, writes, magic, question, chart],
  );
  const [preview, readPreview] = usePreview(ui, request);

  const ask = async (): Promise<void> => {
    const stopping = (stop.current = new AbortController());
    const tell = (change: (old: Asked) => Partial<Asked>) =>
      setAsked((old) => (old?.request === request ? { ...old, ...change(old) } : old));
    setAsked({ request, text: '', state: 'answering' });
    try {
      await note.commit();
      const answer = await client.assistant.ask(note.id, request, {
        signal: stopping.signal,
        onText: (piece) => tell(({ text }) => ({ text: text + piece })),
      });
      tell(() => ({ answer, text: answer.answer, state: 'answered' }));
    } catch (error) {
      const isOwn = isTidingError(error, 'aborted');
      tell(() => ({ state: 'stopped', ...(isOwn ? {} : { error: (error as Error).message }) }));
    }
  };
  const after = before.slice(0, splitMagic(before).scriptOffset) + (asked?.answer?.answer ?? '');
  const use = async (): Promise<void> => {
    const writtenBy = preview?.model ?? '';
    const answer = asked!.answer!.answer;
    const own = writes ? `%${magic}\n${answer}` : after;
    if (task === 'fix' || (writes && isBlank(before))) {
      const mark = (code: string) =>
        note.paragraph(paragraphId).configure({ writtenBy: code === own ? writtenBy : '' });
      if (!(await replaceCode(ui, paragraphId, { before, after: own, said: t.fixed }, mark)))
        throw new Error(t.changed);
      return;
    }
    const index = note.paragraph(paragraphId).index + 1;
    const id = await ui.paragraphs.insert(index, writes ? own : `%md\n${answer}`);
    await note.paragraph(id).configure({ writtenBy });
  };
  const isCurrent = asked?.request === request;
  const isAnswering = asked?.state === 'answering';
  const mayChange = useWhyNot(ui, 'writer') === undefined;
  const canUse = mayChange && isCurrent && Boolean(asked.answer?.answer);
  return (
    <FormDialog
      size="wide"
      title={t.titles[task]}
      action={isAnswering ? t.stop : canUse ? (task === 'fix' ? t.accept : t.insert) : t.send}
      disabled={writes && question.trim() === ''}
      focusesAction={!writes}
      onSubmit={() => {
        if (isAnswering) stop.current?.abort();
        else if (canUse) {
          onClose();
          void ui.messages.act(use);
        } else void ask();
      }}
      onClose={onClose}
    >
      {writes && (
        <>
          <LabelledField
            label={t.question}
            hint={t.hint}
            value={question}
            autoFocus
            onValue={setQuestion}
          />
          <LabelledChoice
            label={t.language}
            value={magic}
            options={magics.map((each) => [each, `%${each}`] as const)}
            onValue={setMagic}
          />
        </>
      )}
      <Sent preview={preview} read={readPreview} />
      <Answer asked={asked} before={task === 'fix' ? before : undefined} after={after} />
    </FormDialog>
  );
}

const isBlank = (text: string): boolean => splitMagic(text).script.trim() === '';

/** The interpreters that code can be written for, first that of the paragraph. */
function useMagics(text: string): readonly string[] {
  const available = useAvailable();
  const own = magicOf(text);
  return useMemo(() => {
    const all = [...magicsOfAll(available)];
    return [...new Set([...(own ? [own] : []), 'sql', 'python', ...all])].filter(
      (each) => each === own || (all.includes(each) && each !== 'md' && each !== 'sh'),
    );
  }, [available, own]);
}

/** What would be sent, and a function that reads it again. Problems are told when asking. */
function usePreview(
  { client, note }: NoteUi,
  request: AssistantRequest,
): [AssistantPreview | undefined, () => void] {
  const [preview, setPreview] = useState<AssistantPreview>();
  const { magic } = request;
  const read = () => {
    void note
      .commit()
      .then(() => client.assistant.preview(note.id, request))
      .then(setPreview, () => {});
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: not for each key of the question
  useEffect(read, [client, note, magic]);
  return [preview, read];
}

function Sent({ preview, read }: { preview: AssistantPreview | undefined; read: () => void }) {
  if (!preview) return null;
  const text = preview.messages.map(({ content }) => content).join('\n\n');
  return (
    <details onToggle={({ newState }) => newState === 'open' && read()}>
      <summary className="hint">
        {fill(t.asks, { model: preview.model, host: preview.host })} {t.sent}
      </summary>
      <ReadOnlyCode code={text} label={t.sent} rows={rowsOf(text)} />
    </details>
  );
}

interface AnswerProps {
  asked: Asked | undefined;
  /** The code that the answer replaces. */
  before: string | undefined;
  after: string;
}

function Answer({ asked, before, after }: AnswerProps) {
  const old = asked?.answer && before;
  const diff = useLater(
    async (signal) => (old === undefined ? undefined : diffText(old, after, signal)),
    [old, after],
  );
  if (!asked) return null;
  const { text, state, error, request } = asked;
  const isCode = request.task === 'write' || request.task === 'fix';
  return (
    <>
      <p className={error === undefined ? 'hint' : 'hint error'} role="status">
        {error ?? t[state]}
      </p>
      {diff ? (
        <DiffLines diff={diff} label={t.change} />
      ) : text === '' ? null : isCode ? (
        <ReadOnlyCode code={text} label={t.code} rows={rowsOf(text)} />
      ) : (
        <p className="dialog-text assistant-answer">{text}</p>
      )}
    </>
  );
}
