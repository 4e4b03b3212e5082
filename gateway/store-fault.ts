/** Faults of the store, as refusals that say what to do. */
import { StoreError, type StoreErrorCode } from '../store/errors.ts';
import { ApiFailure } from './failure.ts';

const AGAIN = { headers: { 'retry-after': '1' } };

const FAULTS: Partial<Record<StoreErrorCode, () => ApiFailure>> = {
  StoreUnavailable: () =>
    new ApiFailure(
      503,
      'store_unavailable',
      {
        message: 'The store cannot be used at the moment.',
        hint: 'Check that the disk is not full and the data folder is writable, then try again; running turns wait.',
      },
      AGAIN,
    ),
  SealBroken: () => damaged('A stored row is not as the program left it, so it is not used.'),
  StoreDamaged: () => damaged('Something is missing in the store.'),
  BadCursor: () =>
    new ApiFailure(400, 'invalid_request', {
      message: 'The cursor is not valid.',
      hint: 'Pass `next` of the page before as it is, with the same filter; or leave it out.',
    }),
  TextTooLarge: () =>
    new ApiFailure(413, 'text_too_large', {
      message: 'A text holds at most 1 MiB.',
      hint: 'Put it into a file of the workspace and name the file.',
    }),
};

/** Undefined for an error that is none of the store's. */
export function storeFault(error: unknown): ApiFailure | undefined {
  return error instanceof StoreError ? FAULTS[error.code]?.() : undefined;
}

const damaged = (message: string) =>
  new ApiFailure(503, 'store_damaged', {
    message,
    hint: 'See the log of the gateway and run `everturn doctor`; a backup may have to be restored.',
  });
