import type { SignInPlaceName } from '@gatehouse/contract'
import type { Db } from '../../db/connect.ts'
import type { Row, RowChange } from '../../db/tables.ts'
import { isUnheldOrOwn, leaseColumns, noLease } from '../../kernel/leases/leased-rows.ts'
import type { LeaseWish } from '../../kernel/leases/lease-time.ts'

export type SignInStore = ReturnType<typeof signInStore>
export type SignInRow = Row<'sign_in_token'>

/** Which credential a token belongs to. */
export interface SignInPlace {
  apiId: number
  which: SignInPlaceName
}

/** Everything that belongs to one credential, as it is before the first sign-in. */
const blankSignIn = {
  credential_seal: null,
  token_encrypted: null,
  refresh_token_encrypted: null,
  scope: '',
  obtained_at: null,
  expires_at: null,
  is_refused: 0,
  message: '',
  is_answer_lost: 0,
  failures: 0,
  next_attempt_at: null,
  refused_tokens: 0,
  refused_token_at: null,
  refresh_expires_at: null,
  refresh_since: null,
} as const satisfies RowChange<'sign_in_token'>

/** Each change is one statement that names the version it has seen, so that of two servers one wins. */
export function signInStore(db: Db) {
  const update = (place: SignInPlace, version: number) =>
    db
      .updateTable('sign_in_token')
      .where('api_id', '=', place.apiId)
      .where('which', '=', place.which)
      .where('version', '=', version)

  const find = ({ apiId, which }: SignInPlace) =>
    db
      .selectFrom('sign_in_token')
      .selectAll()
      .where('api_id', '=', apiId)
      .where('which', '=', which)
      .executeTakeFirst()

  return {
    find,
    list: (which: SignInPlaceName) =>
      db.selectFrom('sign_in_token').selectAll().where('which', '=', which).execute(),
    /** Adds the row of a credential that has none. */
    findOrInsert: async (place: SignInPlace): Promise<SignInRow> => {
      const known = await find(place)
      if (known) return known
      await db
        .insertInto('sign_in_token')
        .values({ api_id: place.apiId, which: place.which })
        .onConflict((conflict) => conflict.columns(['api_id', 'which']).doNothing())
        .execute()
      return (await find(place))!
    },
    /** False where another server holds the lease, or has changed the row. */
    takeLease: async (place: SignInPlace, version: number, wish: LeaseWish): Promise<boolean> => {
      const { numUpdatedRows } = await update(place, version)
        .set(leaseColumns(wish))
        .where(isUnheldOrOwn(wish))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** Ends the lease with its outcome. False where the lease was lost. */
    finish: async (
      place: SignInPlace,
      version: number,
      owner: string,
      change: RowChange<'sign_in_token'>,
    ): Promise<boolean> => {
      const { numUpdatedRows } = await update(place, version)
        .set({ ...change, ...noLease })
        .where('lease_owner', '=', owner)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    /** For another credential than the row was for. A sign-in under way counts no more. */
    reset: async (
      place: SignInPlace,
      version: number,
      kept: RowChange<'sign_in_token'>,
    ): Promise<void> => {
      await update(place, version)
        .set({
          ...blankSignIn,
          ...kept,
          version: version + 1,
          ...noLease,
        })
        .execute()
    },
  }
}
