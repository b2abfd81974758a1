import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useEffect,
  useRef,
  useState,
} from 'react';

interface TypedText {
  typed: string;
  setTyped: Dispatch<SetStateAction<string>>;
  /** The value that the field received or sent last. */
  told: RefObject<string>;
}

/**
 * The text of a field that sends its value later than it is typed. A new `value` replaces the text
 * unless the field sent it: an answer must not overwrite what was typed after it.
 */
export function useTypedText(value: string): TypedText {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return { typed, setTyped, told };
}
