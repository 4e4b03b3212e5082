/** A decision as the store has it. One whose row is not as it was sealed is a fact to report, not a reason to try again. */
import type { SignedDecision } from '../../store/api.ts';
import { StoreError } from '../../store/errors.ts';
import type { EngineDeps } from '../deps.ts';

export type StoredDecision = { kind: 'found'; signed: SignedDecision } | { kind: 'none' | 'tampered' };

export async function storedDecision(
  { store }: Pick<EngineDeps, 'store'>,
  decisionId: string,
): Promise<StoredDecision> {
  try {
    const signed = await store.questions.decision(decisionId);
    return signed ? { kind: 'found', signed } : { kind: 'none' };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'SealBroken') return { kind: 'tampered' };
    throw error;
  }
}
