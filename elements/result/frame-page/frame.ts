/* The page inside frames of plain HTML. */
import { start } from './page.ts';

start();
