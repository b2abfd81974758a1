import { textArea } from '../../../text/areas.ts';

/** Texts of Jupyter widgets in outputs. */
export const jupyterWidgetTexts = textArea('jupyterWidget', {
  ended:
    'The kernel that this widget belongs to has ended. Run the paragraph again to use the widget.',
  closed: 'The kernel no longer has this widget. Run the paragraph again to use it.',
  failed: (reason: string) => `The widget can't be used: ${reason}`,
});
