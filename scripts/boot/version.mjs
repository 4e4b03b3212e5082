// Versions as three numbers.

/** @returns {[number, number, number]} */
export function numbersOf(version) {
  const [major = 0, minor = 0, patch = 0] = version
    .replace(/^v/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
}

export function atLeast(version, wanted) {
  const [have, want] = [numbersOf(version), numbersOf(wanted)];
  const differs = have.findIndex((number, index) => number !== want[index]);
  return differs === -1 || have[differs] > want[differs];
}
