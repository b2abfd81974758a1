/** Schemas that REST calls of several subjects share. */
import * as z from 'zod/mini';

/** An answer whose content does not matter. */
export const nothing = z.unknown();
/** A string. */
export const text = z.string();
/** A list of names. */
export const names = z.array(text);
