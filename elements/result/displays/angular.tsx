import { Play } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { outputText } from 'tiding/client';
import type { DisplayProps, ResultPlace } from '../contract.ts';
import { bindOutput, type FrameBinding } from '../frame-binding.ts';
import { Notice } from '../notice.tsx';
import { resultText } from '../text.ts';
import { FrameQuestion, FrameView } from './frame-view.tsx';
import { useSettled } from './use-settled.ts';

/** The page of templates beside that of plain HTML; where scripts are off, a template is markup as any other. */
const angularPage = (url: string): string =>
  url === '' || url.endsWith('/still') ? url : `${url}/angular`;

/** A template: AngularJS in a frame of its own, bound to the values of the note. */
export function AngularDisplay({ output, running, frameUrl, title, place, width }: DisplayProps) {
  const html = useSettled(outputText(output), running);
  const url = angularPage(frameUrl);
  const [question, setQuestion] = useState<{ name: string; run: () => void } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const tell = useRef<ResultPlace['tell']>(undefined);
  tell.current = place?.tell;
  const onProblem = useCallback(
    (message: string) => (tell.current ? tell.current(message) : setProblem(message)),
    [],
  );
  const { note, paragraph } = place ?? {};
  const binding = useMemo<FrameBinding | undefined>(
    () =>
      note && paragraph && url !== frameUrl
        ? bindOutput(
            { note, paragraph },
            { tell: onProblem, ask: (name, run) => setQuestion({ name, run }) },
          )
        : undefined,
    [note, paragraph, url, frameUrl, onProblem],
  );
  if (html.trim() === '') return null;
  return (
    <FrameView html={html} url={url} title={title} output={output} binding={binding} width={width}>
      {problem !== null && <Notice kind="danger">{problem}</Notice>}
      {question && (
        <FrameQuestion
          icon={Play}
          question={resultText.html.run(question.name)}
          stay={resultText.html.notNow}
          go={resultText.html.runIt}
          onGo={() => (setQuestion(null), question.run())}
          onDone={() => setQuestion(null)}
        />
      )}
    </FrameView>
  );
}
