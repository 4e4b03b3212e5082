// How many terminal columns a text takes; a good guess, since terminals differ.

const WIDE =
  /[\p{Extended_Pictographic}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const NARROW_PICTURE = /[\u0023-\u00ae\u2122-\u2199\u25aa-\u25fe\u2600-\u2613\u2690-\u27bf]/u;
const NONE = /\p{Mark}|\u200d|\ufe0f/u;

export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += columnsOfChar(char);
  return columns;
}

/** The text, cut with an ellipsis so that it takes at most `columns`. */
export function fitColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let used = 1;
  let kept = '';
  for (const char of text) {
    used += columnsOfChar(char);
    if (used > columns) break;
    kept += char;
  }
  return `${kept}…`;
}

function columnsOfChar(char: string): number {
  if (NONE.test(char)) return 0;
  if (char === '✅' || char === '❌') return 2;
  return WIDE.test(char) && !NARROW_PICTURE.test(char) ? 2 : 1;
}
