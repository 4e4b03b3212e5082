/** The environment of a command (C11.2): cleared to a safe list, plus what the policy passes on. */

const SAFE = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLUMNS', 'TMPDIR'];

export function safeEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  passthrough: readonly string[],
): Record<string, string> {
  const names = [...SAFE, ...passthrough];
  const kept = Object.entries(from).filter(([name]) => names.includes(name) || name.startsWith('LC_'));
  const env = Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...env };
}
