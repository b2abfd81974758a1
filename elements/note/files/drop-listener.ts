/** Files dragged from the desktop and dropped on an element. */
import type { LeftOutFiles } from './folder-files.ts';

/** Time after the last `dragover` at which files are no longer over the element, in ms. */
const OVER_MS = 500;

/** Where files were dropped or pasted. */
export interface DropPlace {
  /** The elements around it, innermost first. */
  readonly path: readonly EventTarget[];
  /** Position in the window; absent if the files were pasted. */
  readonly point?: { readonly x: number; readonly y: number };
}

/** Callbacks of {@link listenForFiles}. */
interface FileDropListener {
  /** Whether files may be dropped now. */
  readonly accepts: () => boolean;
  /** Loads whether a file in a dropped folder is taken, by its name. */
  readonly takes: () => Promise<(name: string) => boolean>;
  /** `leftOut`: the other files of dropped folders. */
  readonly onFiles: (files: readonly File[], place: DropPlace, leftOut?: LeftOutFiles) => void;
  /** Called with whether files are over the element. */
  readonly onOver: (isOver: boolean) => void;
}

/**
 * Returns the files of a drop or paste. Empty if it also contains text, because then the text is
 * meant (for example a spreadsheet cell). A copied image comes with the HTML that shows it.
 */
function filesOf(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return [];
  const files = [...data.files];
  return data.types.includes('text/html')
    ? files.filter(({ type }) => type.startsWith('image/'))
    : files;
}

/**
 * Listens for files dropped on or pasted into an element, before an editor in it inserts their
 * bytes as text. Returns a function that stops listening.
 */
export function listenForFiles(
  host: HTMLElement,
  { accepts, takes, onFiles, onOver }: FileDropListener,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = (): void => {
    clearTimeout(timer);
    onOver(false);
  };
  const take = (event: DragEvent | ClipboardEvent, data: DataTransfer | null): void => {
    leave();
    const files = filesOf(data);
    if (files.length === 0 || !accepts()) return;
    event.preventDefault();
    event.stopPropagation();
    // The items and the path are gone after the event.
    const entries = [...data!.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
    const place = {
      path: event.composedPath(),
      ...(event instanceof DragEvent && { point: { x: event.clientX, y: event.clientY } }),
    };
    if (!entries.some(({ isDirectory }) => isDirectory)) return onFiles(files, place);
    void Promise.all([import('./folder-files.ts'), takes()])
      .then(([{ readDropped }, taken]) => readDropped(entries, taken))
      .then(({ files: found, ...leftOut }) => onFiles(found, place, leftOut));
  };
  const onDrop = (event: DragEvent) => take(event, event.dataTransfer);
  const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
  // Browsers repeat this event while the pointer rests.
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files') || !accepts()) return;
    event.preventDefault();
    onOver(true);
    clearTimeout(timer);
    timer = setTimeout(leave, OVER_MS);
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  host.addEventListener('drop', onDrop, options);
  host.addEventListener('dragover', onDragOver, options);
  host.addEventListener('paste', onPaste, options);
  return () => {
    leave();
    listening.abort();
  };
}
