/** What an element shows before React has loaded. */
import { afterFailure } from '../runtime/code-failure.ts';
import { commonTexts } from '../text/common.ts';
import { pageTexts } from './page-texts.ts';

const placeholders = new WeakMap<ShadowRoot, HTMLElement>();

/** Removes the placeholder of an element. */
export const removePlaceholder = (root: ShadowRoot): void => placeholders.get(root)?.remove();

/** Loads the code of an element's view, and shows a placeholder until {@link removePlaceholder}. */
export function whileLoading(
  root: ShadowRoot,
  code: { hasSlot: boolean; load(): Promise<unknown>; loaded(): void },
): void {
  removePlaceholder(root);
  const box = document.createElement(code.hasSlot ? 'slot' : 'div');
  placeholders.set(root, box);
  if (!code.hasSlot) {
    box.className = 'element-loading';
    box.role = 'status';
    box.ariaBusy = 'true';
    box.ariaLabel = commonTexts.loading;
  }
  // A snapshot takes its place.
  if (!root.firstChild) root.append(box);
  const isCurrent = () => placeholders.get(root) === box;
  code.load().then(
    () => isCurrent() && code.loaded(),
    (error: unknown) =>
      isCurrent() &&
      showFailure(
        root,
        afterFailure(error, () => whileLoading(root, code)),
      ),
  );
}

function showFailure(root: ShadowRoot, { label, act }: ReturnType<typeof afterFailure>): void {
  removePlaceholder(root);
  const message = document.createElement('div');
  placeholders.set(root, message);
  message.className = 'element-message';
  message.role = 'alert';
  const button = document.createElement('button');
  button.className = 'button secondary';
  button.textContent = label;
  button.onclick = act;
  message.append(pageTexts.notLoaded, button);
  root.append(message);
}
