import { outputText } from '@tiding/client';
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import type { DisplayProps } from '../contract.ts';
import { bindOutput, type FrameBinding } from '../frames/frame-binding.ts';
import { Notice } from '../parts/notice.tsx';
import { resultText } from '../texts.ts';
import { FrameQuestion, FrameView } from './frame-view.tsx';
import { useDebounced } from './use-debounced.ts';

/**
 * URL of the frame page with AngularJS, derived from the plain one. With scripts disabled
 * (`/still`), templates are shown as plain HTML.
 */
const angularPage = (url: string): string =>
  url === '' || url.endsWith('/still') ? url : `${url}/angular`;

/** Displays an AngularJS template in a sandboxed frame, bound to the note's shared values. */
export default function AngularDisplay({
  output,
  running,
  frameUrl,
  title,
  context,
  width,
}: DisplayProps) {
  const html = useDebounced(outputText(output), running);
  const url = angularPage(frameUrl);
  const [question, setQuestion] = useState<{ name: string; run: () => void } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const onProblem = useEvent((message: string) => (context?.showError ?? setProblem)(message));
  const { note, paragraph } = context ?? {};
  const binding = useMemo<FrameBinding | undefined>(
    () =>
      note && paragraph && url !== frameUrl
        ? bindOutput(
            { note, paragraph },
            { onProblem, askToRun: (name, run) => setQuestion({ name, run }) },
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
