import { textArea } from '../../text/areas.ts';

/** Texts of the dialog that exports a note. */
export const exportTexts = textArea('export', {
  title: 'Export note',
  format: 'Format',
  action: 'Export',
  print: 'Print…',
  code: 'Include code',
  formats: {
    zeppelin: { name: 'Zeppelin note', hint: 'Everything; can be imported again.' },
    ipynb: { name: 'Jupyter notebook', hint: 'Texts and results; can be imported again.' },
    html: { name: 'HTML page', hint: 'One file to read and to send, with results.' },
    pdf: { name: 'PDF', hint: 'The print dialog of the browser can save a PDF.' },
    py: { name: 'Python script', hint: 'Titles and texts without results and images.' },
    md: { name: 'Markdown', hint: 'Titles and texts without results and images.' },
  },
});
