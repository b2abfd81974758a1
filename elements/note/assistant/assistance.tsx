import type { AssistantRequest } from '@tiding/client/protocol';
import type { ResultContext } from '../../result/index.ts';
import { isEmbedded } from '../../runtime/note-right.ts';
import { isOnTiding } from '../commands/command.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** What the dialog of the assistant is opened for. */
export interface AskPlace {
  readonly ui: NoteUi;
  readonly task: AssistantRequest['task'];
  /** The paragraph concerned, or the one below which code is written. */
  readonly paragraphId: string;
  /** Title and values of the chart to describe. */
  readonly chart?: string;
}

/** Whether the server has an assistant that this page may use; not with an embed token. */
export const hasAssistant = (ui: NoteUi): boolean =>
  isOnTiding({ ui, note: ui.note }) &&
  ui.client.state.server?.assistant === true &&
  !isEmbedded(ui.client);

/** Loads the dialog of the assistant and opens it. */
export async function openAsk(place: AskPlace): Promise<void> {
  const { AskDialog } = await import('./ask-dialog.tsx');
  place.ui.dialogs.open((onClose) => <AskDialog {...place} onClose={onClose} />);
}

/** What the results of a paragraph offer with an assistant. */
export function assistance(
  ui: NoteUi,
  paragraphId: string,
  mayChange: boolean,
): Pick<ResultContext, 'onExplain' | 'onFix' | 'onDescribe'> {
  const open = (task: AskPlace['task'], chart?: string) =>
    void ui.messages.act(() => openAsk({ ui, task, paragraphId, ...(chart ? { chart } : {}) }));
  return {
    onExplain: () => open('explain'),
    onFix: mayChange ? () => open('fix') : undefined,
    onDescribe: (chart) => open('describe', chart),
  };
}
