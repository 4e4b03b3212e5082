/** What can go wrong with the store itself. Each message says what, where and what to do; none shows stored content. */

export type StoreErrorCode =
  | 'StoreUnavailable'
  | 'StoreNewer'
  | 'StoreForeign'
  | 'StoreNotBuilt'
  | 'StoreDamaged'
  | 'SealBroken'
  | 'TextTooLarge'
  | 'BadCursor';

/** The class of every error that the store throws on purpose; tell them apart by `code` (or `name`, which is the same). */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = code;
    this.code = code;
  }
}

/** The database cannot be used for the moment (full disk, read-only, damaged, locked); later calls may work again. */
export class StoreUnavailable extends StoreError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('StoreUnavailable', message, options);
  }
}

/** The file was written by a newer version of the program. */
export class StoreNewer extends StoreError {
  constructor(where: string, found: number, known: number) {
    super(
      'StoreNewer',
      `The store ${where} has schema version ${found}, but this version of Everturn knows only ${known}. ` +
        'Nothing was changed. Start it with the newer version, or point `store.url` to another file.',
    );
  }
}

/** A row says something that the deployment key did not seal: it was changed by somebody else, or the key is another one. */
export class SealBroken extends StoreError {
  constructor(what: string) {
    super(
      'SealBroken',
      `The seal of ${what} is not valid: the row was changed outside Everturn, or it was sealed with a deployment key ` +
        'that is neither the current one nor a retired one. It is not used. Restore the row or the key, or start the turn again.',
    );
  }
}

/** Something that the store itself wrote is gone. */
export class StoreDamaged extends StoreError {
  constructor(what: string) {
    super('StoreDamaged', `The store lacks ${what}. Restore it from a backup, or start the turn again.`);
  }
}
