/** Who is calling, and what that token may do (C11.8). */
import type { Scope, Tokens } from '../store/api.ts';
import type { FailedAttempts } from './attempts.ts';
import { ApiFailure } from './failure.ts';
import type { Caller } from './route.ts';

/** What a scope includes beside itself. */
const INCLUDES: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  operate: ['operate', 'read'],
  approve: ['approve', 'read'],
  admin: ['admin', 'approve', 'operate', 'read'],
};

const LONGEST_TOKEN = 512;

/** @throws ApiFailure 401, or 429 after many failures from one address */
export async function authenticate(
  tokens: Tokens,
  attempts: FailedAttempts,
  request: { authorization: string | undefined; address: string },
): Promise<Caller> {
  const given = /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1];
  const known = given && given.length <= LONGEST_TOKEN ? await tokens.verify(given) : undefined;
  if (known) return known;
  const wait = { headers: { 'retry-after': '60' } };
  if (attempts.add(request.address)) throw new ApiFailure(429, 'too_many_attempts', TOO_MANY, wait);
  throw new ApiFailure(401, 'unauthorized', given === undefined ? NO_TOKEN : BAD_TOKEN, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** @throws ApiFailure 403 */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.some((has) => INCLUDES[has].includes(scope))) return;
  throw new ApiFailure(403, 'forbidden', {
    message: `This token may not do that: it needs the scope "${scope}".`,
    hint: `It has: ${caller.scopes.join(', ') || 'none'}. Make another with \`everturn tokens create --scope ${scope}\`.`,
  });
}

const NO_TOKEN = {
  message: 'A token is needed.',
  hint: 'Send the header "Authorization: Bearer TOKEN"; `everturn tokens create` makes one.',
};
const BAD_TOKEN = {
  message: 'This token is unknown or revoked.',
  hint: '`everturn tokens list` shows the tokens of this deployment; `everturn dev` prints its own at the start.',
};
const TOO_MANY = {
  message: 'Too many failed attempts from this address.',
  hint: 'Wait a minute, then send a valid token.',
};
