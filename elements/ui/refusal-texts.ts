import { textArea } from '../text/areas.ts';

/** Texts of dialogs about refused operations. */
export const refusedTexts = textArea('refused', { login: 'Login', details: 'Details' });
