/**
 * Parts of the client that are loaded when they are first needed, so that a page that only may need them stays light. Each
 * is loaded once a page; one that could not be loaded is tried again by the next who needs it.
 */
import { TidingError } from './errors.ts';

type Wire = typeof import('./wire.ts');
type Notes = typeof import('./note/index.ts');

let wire: Wire | undefined;
let notes: Notes | undefined;

function once<Module>(
  load: () => Promise<Module>,
  keep: (module: Module) => void,
): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().then(
      (module) => {
        keep(module);
        return module;
      },
      (cause: unknown) => {
        loading = undefined;
        throw new TidingError('network', 'a part of the client could not be loaded', { cause });
      },
    );
    return loading;
  };
}

/** Schemas, decoder and REST. */
export const loadWire = once(
  () => import('./wire.ts'),
  (module) => (wire = module),
);
/** Open notes: their state, drafts and runs. */
export const loadNotes = once(
  () => import('./note/index.ts'),
  (module) => (notes = module),
);

/** Schemas, decoder and REST, by who is only reached after they were loaded. */
export function loadedWire(): Wire {
  if (!wire) throw new TidingError('closed', 'the client has made no call yet');
  return wire;
}

/** Open notes, where one has been opened. */
export const loadedNotes = (): Notes | undefined => notes;
