/** Writes JSON in which some values are given as their own text, to the byte: arguments as the model wrote them (C3.6). */
export class RawJson {
  readonly text: string;
  /** @param text valid JSON */
  constructor(text: string) {
    this.text = text;
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((each) => writeJson(each ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${writeJson(each)}`).join(',')}}`;
}
