import xtermSheet from '@xterm/xterm/css/xterm.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useEvent } from '../../../runtime/hooks.ts';
import { useSheets } from '../../../runtime/use-sheets.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { useResultHeight } from '../../parts/resize-handle.tsx';
import { useThemeChange } from '../../parts/use-theme-change.ts';
import sheet from './terminal.css';
import { TerminalScreen } from './terminal-screen.ts';
import { terminalTexts } from './texts.ts';

const sheets = [xtermSheet, sheet];
/** Time without a further change after which the program learns the new size, in ms. */
const sizePause = 100;

/** TERMINAL output: the screen of a terminal, into which users type while it runs. */
export default function TerminalDisplay({
  output,
  status,
  graph,
  onGraph,
  title,
  bare,
  width,
  context,
}: DisplayProps) {
  useSheets(sheets);
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen>(null);
  const [height, handle] = useResultHeight({ graph, onGraph, width });
  const [readsAloud, setReadsAloud] = useState(false);
  const isOn = status === 'RUNNING' && context !== undefined;
  const canType = isOn && context.mayNotType === undefined;
  const theme = useThemeChange(box);

  const onType = useEvent((text: string) => {
    if (canType) context.paragraph.typeInTerminal(text);
  });
  const tellSize = useEvent(() => {
    if (canType && screen.current) context.paragraph.resizeTerminal(...screen.current.size);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const made = new TerminalScreen(box.current!, {
      onType,
      onSize: () => {
        clearTimeout(timer);
        timer = setTimeout(tellSize, sizePause);
      },
    });
    screen.current = made;
    const observer = new ResizeObserver(() => made.fit());
    observer.observe(box.current!);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      made.dispose();
    };
  }, [onType, tellSize]);
  useEffect(() => {
    screen.current!.canType = canType;
    screen.current!.fit();
    if (canType) tellSize();
  }, [canType, tellSize]);
  useEffect(() => {
    screen.current!.show(output.chunks, output.count);
  }, [output]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme has changed
  useEffect(() => {
    screen.current!.recolor(box.current!);
  }, [theme]);
  useEffect(() => {
    screen.current!.screenReader = readsAloud;
  }, [readsAloud]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (screen.current?.hasFocus) {
      // Shortcuts of the note don't apply to what is typed.
      if (event.key !== 'Tab') event.stopPropagation();
    } else if (event.key === 'Enter' && canType) {
      event.preventDefault();
      screen.current?.focus();
    }
  };
  return (
    <div className="terminal-output">
      <div
        className="terminal-box"
        style={{ height }}
        tabIndex={0}
        role="region"
        aria-label={terminalTexts.label(title)}
        onKeyDown={onKeyDown}
      >
        <div ref={box} className="terminal-view" />
      </div>
      {isOn && (
        <div className="terminal-note in-row small-text dim">
          <span>{context.mayNotType ?? terminalTexts.keys}</span>
          <Button size="sm" aria-pressed={readsAloud} onClick={() => setReadsAloud(!readsAloud)}>
            {terminalTexts.screenReader}
          </Button>
        </div>
      )}
      {!bare && handle}
    </div>
  );
}
