import type { SignInPlaceName, TokenCredential } from '@gatehouse/contract'
import { renewAt, type ObtainedToken } from '@gatehouse/upstream'
import type { RowChange } from '../../db/tables.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { fingerprintsOf, readFingerprints, SignInSecrets } from './credential-seal.ts'
import type { IssuedToken } from './sign-in-target.ts'
import type { SignInPlace, SignInRow, SignInStore } from './sign-in-store.ts'

export type RowFinder = (apiId: number, credential: TokenCredential) => SignInRow | undefined

/** The rows of tokens with their secrets: what they hold, and which credential they are for. */
export class TokenRows {
  readonly #store: SignInStore
  readonly #secrets: SignInSecrets
  readonly #clock: Clock

  constructor({ store, secrets, clock }: { store: SignInStore; secrets: SecretBox; clock: Clock }) {
    this.#store = store
    this.#secrets = new SignInSecrets(secrets)
    this.#clock = clock
  }

  /** The row of a credential, emptied where it was for another one. */
  async current(place: SignInPlace, credential: TokenCredential): Promise<SignInRow> {
    const fingerprints = fingerprintsOf(credential)
    for (;;) {
      const row = await this.#store.findOrInsert(place)
      const before = this.#fingerprints(row)
      if (before?.token === fingerprints.token) return row
      await this.#store.reset(place, row.version, {
        credential_seal: this.#secrets.seal(place, 'credential_seal', JSON.stringify(fingerprints)),
        // A rotated refresh token outlives a change of the scope.
        ...(before?.refresh === fingerprints.refresh ? keptRefreshToken(row) : {}),
      })
    }
  }

  /** The row if it is for this credential. */
  async find(place: SignInPlace, credential: TokenCredential): Promise<SignInRow | undefined> {
    return this.#ifFor(credential, await this.#store.find(place))
  }

  /** Reads the rows of all APIs at once, and gives that of one API if it is for this credential. */
  async readAll(which: SignInPlaceName): Promise<RowFinder> {
    const rows = new Map((await this.#store.list(which)).map((row) => [row.api_id, row]))
    return (apiId, credential) => this.#ifFor(credential, rows.get(apiId))
  }

  #ifFor(credential: TokenCredential, row: SignInRow | undefined): SignInRow | undefined {
    const isForIt = row && this.#fingerprints(row)?.token === fingerprintsOf(credential).token
    return isForIt ? row : undefined
  }

  /** The token of the row, while it lives. */
  living(row: SignInRow): IssuedToken | undefined {
    if (row.obtained_at === null || row.expires_at === null) return undefined
    const expiresAt = new Date(row.expires_at)
    if (expiresAt <= this.#clock.now()) return undefined
    const token = this.#secrets.open(row, 'token_encrypted')
    if (token === undefined) return undefined
    return issuedToken(token, row.version, new Date(row.obtained_at), expiresAt, row.scope)
  }

  /** The credential with the refresh token that is valid now. */
  withRefreshToken(credential: TokenCredential, row: SignInRow): TokenCredential {
    const rotated = this.#secrets.open(row, 'refresh_token_encrypted')
    return credential.kind === 'oauth2_refresh_token' && rotated !== undefined
      ? { ...credential, refresh_token: rotated }
      : credential
  }

  /** The columns of a token that was obtained. A refresh token that was not replaced is kept. */
  columnsOf(row: SignInRow, got: ObtainedToken, obtainedAt: Date): RowChange<'sign_in_token'> {
    const place = { apiId: row.api_id, which: row.which }
    const { token, refreshToken, scope, expiresAt } = got
    const seal = (field: 'token_encrypted' | 'refresh_token_encrypted', plain: string) => ({
      [field]: this.#secrets.seal(place, field, plain),
    })
    return {
      ...seal('token_encrypted', token),
      ...(refreshToken === undefined ? {} : seal('refresh_token_encrypted', refreshToken)),
      ...refreshEnd(row, got, obtainedAt),
      scope,
      obtained_at: obtainedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }
  }

  #fingerprints(row: SignInRow) {
    return readFingerprints(this.#secrets.open(row, 'credential_seal'))
  }
}

const keptRefreshToken = ({
  refresh_token_encrypted,
  refresh_expires_at,
  refresh_since,
}: SignInRow): RowChange<'sign_in_token'> => ({
  refresh_token_encrypted,
  refresh_expires_at,
  refresh_since,
})

/** Lifetimes are whole seconds, and answers take a while: ends that are closer than this are the same. */
const sameEndMs = 60_000

/** What the answer says of the end of the refresh token. A new one without an end may have any. */
function refreshEnd(
  row: SignInRow,
  { refreshToken, refreshExpiresAt: end }: ObtainedToken,
  obtainedAt: Date,
): RowChange<'sign_in_token'> {
  if (end === undefined)
    return refreshToken === undefined ? {} : { refresh_expires_at: null, refresh_since: null }
  const knownMs = Date.parse(row.refresh_expires_at ?? '')
  const isSame = Math.abs(end.getTime() - knownMs) < sameEndMs
  const refresh_since = isSame ? row.refresh_since : obtainedAt.toISOString()
  return { refresh_expires_at: end.toISOString(), refresh_since }
}

export const issuedToken = (
  token: string,
  version: number,
  obtainedAt: Date,
  expiresAt: Date,
  scope: string,
): IssuedToken => ({
  token,
  version,
  obtainedAt,
  expiresAt,
  renewAt: renewAt(obtainedAt, expiresAt),
  scope,
})
