import { randomUUID } from 'node:crypto'

/** What the authority does with the next sign-ins. */
export type AuthorityMode =
  /** Gives a token. */
  | 'issue'
  /** 400 `invalid_grant` or 401. */
  | 'refuse'
  /** 200, with an error where the token would be. */
  | 'error_inside'
  /** Gives a token, counts it, and breaks the connection instead of answering. */
  | 'drop'
  /** Never answers. */
  | 'silent'
  | 'html'
  /** To the address of a cloud's metadata. */
  | 'redirect'
  /** 64 MiB. */
  | 'huge'
  /** `status` with the text of `raw`, and `retryAfter` where it is set. */
  | 'raw'

export interface AuthoritySettings {
  mode: AuthorityMode
  raw: string
  status: number
  retryAfter: string
  /** As `expires_in` of the answer; null leaves it out. */
  expiresIn: unknown
  /** How long tokens really live, in ms. */
  lifeMs: number
  /** A refresh gives a new refresh token, and the old one is refused. */
  rotates: boolean
  /** Holds each sign-in back for so long. */
  delayMs: number
  clientId: string
  clientSecret: string
  /** PEM: client assertions are checked with it. */
  publicKey: string
  /** Accepted in the body of a login. */
  password: string
}

export interface AuthorityCounts {
  /** Tokens given, those included whose answer was dropped. */
  logins: number
  /** Sign-ins that were refused. */
  refusals: number
  /** Calls of the API with a token that lives. */
  calls: number
  /** Calls of the API without one. */
  refusedCalls: number
  /** How often a refresh token was shown that had been replaced. */
  reuses: number
  /** The most sign-ins at the same moment. */
  sameTimeMax: number
}

export const firstRefreshToken = 'refresh-token-0'

/** What the authority remembers. */
export class AuthorityState {
  settings: AuthoritySettings = {
    mode: 'issue',
    raw: '',
    status: 200,
    retryAfter: '',
    expiresIn: 3600,
    lifeMs: 3_600_000,
    rotates: false,
    delayMs: 0,
    clientId: 'client-1',
    clientSecret: 'client-secret-of-test',
    publicKey: '',
    password: 'login-password-of-test',
  }
  readonly counts: AuthorityCounts = {
    logins: 0,
    refusals: 0,
    calls: 0,
    refusedCalls: 0,
    reuses: 0,
    sameTimeMax: 0,
  }
  readonly #endsAt = new Map<string, number>()
  #refreshToken = firstRefreshToken
  #underWay = 0

  issue(): string {
    this.counts.logins += 1
    const token = `token-${this.counts.logins}-${randomUUID()}`
    this.#endsAt.set(token, Date.now() + this.settings.lifeMs)
    return token
  }

  lives(token: string): boolean {
    return (this.#endsAt.get(token) ?? 0) > Date.now()
  }

  /** Every token given so far ends. */
  revokeAll(): void {
    this.#endsAt.clear()
  }

  /** The refresh token that is valid from now on; undefined where this one is refused. */
  refresh(shown: string): string | undefined {
    if (shown !== this.#refreshToken) {
      this.counts.reuses += 1
      return undefined
    }
    if (this.settings.rotates) this.#refreshToken = `refresh-token-${randomUUID()}`
    return this.#refreshToken
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    this.counts.sameTimeMax = Math.max(this.counts.sameTimeMax, this.#underWay)
    try {
      return await work()
    } finally {
      this.#underWay -= 1
    }
  }
}
