// Single keys from a terminal. A paste or an escape sequence arrives in one piece and is not a key: a pasted `y`
// must not approve anything.

export type Keys = {
  /** Calls back for each key until the returned function is called. */
  listen: (onKey: (key: string) => void) => () => void;
};

export const CTRL_C = '\u0003';

export type KeySource = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> & {
  setRawMode?: (raw: boolean) => unknown;
};

export function keysFrom(input: KeySource): Keys {
  return {
    listen: (onKey) => {
      const onData = (chunk: Buffer | string) => {
        const text = chunk.toString();
        if ([...text].length === 1) onKey(text);
        else if (text.includes(CTRL_C)) onKey(CTRL_C);
      };
      input.setRawMode?.(true);
      input.on('data', onData);
      input.resume();
      return () => {
        input.off('data', onData);
        input.setRawMode?.(false);
        input.pause();
      };
    },
  };
}
