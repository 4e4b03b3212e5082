// Durations as people read them.

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`. */
export function elapsed(ms: number): string {
  if (ms < 0) return '0s';
  if (ms < 950) return `${Math.round(ms / 100) / 10}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours}h ${String(minutes % 60).padStart(2, '0')}m`
    : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** For screen readers: `2 seconds`, `3 minutes 5 seconds`. */
export function elapsedWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return plural(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes < 60)
    return rest === 0 ? plural(minutes, 'minute') : `${plural(minutes, 'minute')} ${plural(rest, 'second')}`;
  return `${plural(Math.floor(minutes / 60), 'hour')} ${plural(minutes % 60, 'minute')}`;
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
