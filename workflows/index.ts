/** What the workflow bundle offers: the workflow types `turn` and `session` (I5). */
export { session } from './session.ts';
export { turn } from './turn.ts';
