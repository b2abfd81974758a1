/**
 * Returns the shortcut of a key event, such as `Ctrl+Alt+K`: modifiers in a fixed order, then the
 * character that the key produces without modifiers on a US keyboard.
 */
export function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>,
): string {
  const { code, key } = event;
  const plain = /^Key[A-Z]$/.test(code)
    ? code.slice(3)
    : /^Digit\d$/.test(code)
      ? code.slice(5)
      : code === 'Minus'
        ? '-'
        : code === 'Equal'
          ? '='
          : code === 'Period'
            ? '.'
            : key;
  return [
    event.ctrlKey && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
    event.metaKey && 'Meta',
    plain,
  ]
    .filter(Boolean)
    .join('+');
}
