/**
 * Seals: what the store is to believe later is signed with the deployment key (HMAC-SHA256), so that whoever can merely
 * write to the database, or to the task queue, cannot make it say something else. Retired keys still verify.
 */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { DecisionBody } from '../core/question.ts';
import type { SignedDecision } from './api.ts';

/** `id` is `keyIdOf(key)`. */
export type SealKey = { id: string; key: Buffer };
export type SealKeys = { current: SealKey; retired: SealKey[] };
export type Seal = { keyId: string; signature: string };
export type DecisionTexts = { text?: string; note?: string; newArguments?: string };

export interface Sealer {
  /** Signs with the current key. `kind` keeps a seal of one sort from passing as one of another. */
  sign(kind: string, text: string): Seal;
  /** Constant time; false for an unknown key id. */
  verify(kind: string, text: string, seal: Seal): boolean;
  /** The hashes of text and note are filled in, so that they are signed too. */
  signDecision(body: DecisionBody, texts?: DecisionTexts): SignedDecision;
  /** Signature, and that text and note are those that were signed. `newArguments` is checked by whoever knows the tool. */
  verifyDecision(signed: SignedDecision): boolean;
}

const VERSION = 'everturn-seal-v1';
const DECISION = 'decision';

/** The first 8 hex digits of the key's sha256. */
export function keyIdOf(key: Buffer): string {
  return hash('sha256', key, 'hex').slice(0, 8);
}

/** sha256 hex of the UTF-8 bytes: the key of a blob, and how decisions refer to texts. */
export function textRefOf(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The bytes of a decision that are signed: canonical, absent members left out. */
export function decisionText(body: DecisionBody): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  return canonicalJson(Object.fromEntries(members) as JsonObject);
}

export function createSealer(keys: SealKeys): Sealer {
  const known = new Map<string, KeyObject>();
  for (const { id, key } of [...keys.retired, keys.current]) known.set(id, createSecretKey(key));

  function digest(key: KeyObject, kind: string, text: string): Buffer {
    const hmac = createHmac('sha256', key);
    for (const field of [VERSION, kind, text]) hmac.update(`${Buffer.byteLength(field)}:`).update(field);
    return hmac.digest();
  }

  const sealer: Sealer = {
    sign(kind, text) {
      const key = known.get(keys.current.id) as KeyObject;
      return { keyId: keys.current.id, signature: digest(key, kind, text).toString('base64url') };
    },
    verify(kind, text, { keyId, signature }) {
      const key = known.get(keyId);
      if (!key) return false;
      const wanted = digest(key, kind, text);
      const given = Buffer.from(signature, 'base64url');
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
    signDecision(body, texts = {}) {
      const whole: DecisionBody = {
        ...body,
        ...(texts.text === undefined ? {} : { textRef: textRefOf(texts.text) }),
        ...(texts.note === undefined ? {} : { noteRef: textRefOf(texts.note) }),
      };
      return { body: whole, ...sealer.sign(DECISION, decisionText(whole)), ...texts };
    },
    verifyDecision(signed) {
      const { body, text, note } = signed;
      if (text !== undefined && body.textRef !== textRefOf(text)) return false;
      if (note !== undefined && body.noteRef !== textRefOf(note)) return false;
      return sealer.verify(DECISION, decisionText(body), signed);
    },
  };
  return sealer;
}

/** As a method of the sealer, for those who read better that way. */
export function signDecision(body: DecisionBody, sealer: Sealer, texts?: DecisionTexts): SignedDecision {
  return sealer.signDecision(body, texts);
}

export function verifyDecision(signed: SignedDecision, sealer: Sealer): boolean {
  return sealer.verifyDecision(signed);
}
