// One line of the corpus of command lines.
export type Case = readonly [
  line: string,
  level: 'low' | 'medium' | 'high',
  /** `none`: it only looks. `blocked`: no policy can allow it. */
  expect: 'none' | 'once' | 'blocked',
];
