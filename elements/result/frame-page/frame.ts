/* Page inside frames of plain HTML outputs. */
import { startFramePage } from './frame-page.ts';

startFramePage();
