import type { TrafficPolicy } from '@gatehouse/contract/gateway'

type Settings = NonNullable<TrafficPolicy['cors']>

/** Fields of an upstream's answer that the policy replaces: browsers reject two of one name. */
export const isCorsField = (lowerName: string): boolean =>
  lowerName.startsWith('access-control-') && lowerName !== 'access-control-request-method'

/** The rules of one API, made ready once (Fetch standard, "CORS protocol"). */
export class CorsRules {
  readonly #isAnyOrigin: boolean
  readonly #origins: ReadonlySet<string>
  readonly #hasCredentials: boolean
  readonly #headers: string
  readonly #exposed: string
  readonly #maxAge: string

  constructor(settings: Settings) {
    this.#isAnyOrigin = settings.origins.includes('*')
    this.#origins = new Set(settings.origins)
    // Never with any origin: every site could then act for the user who is signed in.
    this.#hasCredentials = settings.allow_credentials && !this.#isAnyOrigin
    this.#headers = settings.headers.join(', ')
    this.#exposed = settings.exposed_headers.join(', ')
    this.#maxAge = String(settings.max_age_seconds)
  }

  /** The answer depends on the origin: `Vary` has to say so, with or without one in the request. */
  get variesByOrigin(): boolean {
    return !this.#isAnyOrigin
  }

  /** Fields for any answer to this origin, as name, value, name, value; `Vary` is the caller's. */
  answerFields(origin: string | undefined): string[] {
    const allowed = this.#allowed(origin)
    if (allowed.length > 0 && this.#exposed !== '') {
      allowed.push('Access-Control-Expose-Headers', this.#exposed)
    }
    return allowed
  }

  /** Fields for the answer to a preflight; to an origin that is not allowed none but `Vary`. */
  preflightFields(origin: string, methods: readonly string[]): string[] {
    const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
    const allowed = this.#allowed(origin)
    if (allowed.length > 0) {
      allowed.push('Access-Control-Allow-Methods', methods.join(', '))
      if (this.#headers !== '') allowed.push('Access-Control-Allow-Headers', this.#headers)
      allowed.push('Access-Control-Max-Age', this.#maxAge)
    }
    return ['Vary', vary, ...allowed]
  }

  #allowed(origin: string | undefined): string[] {
    if (origin === undefined) return []
    if (this.#isAnyOrigin) return ['Access-Control-Allow-Origin', '*']
    if (!this.#origins.has(origin)) return []
    const fields = ['Access-Control-Allow-Origin', origin]
    if (this.#hasCredentials) fields.push('Access-Control-Allow-Credentials', 'true')
    return fields
  }
}

/** `Vary` of an upstream's answer, with `Origin` in it. */
export function withVaryOrigin(vary: string | undefined): string {
  if (vary === undefined || vary.trim() === '') return 'Origin'
  const names = new Set(vary.split(',').map((name) => name.trim().toLowerCase()))
  return names.has('*') || names.has('origin') ? vary : `${vary}, Origin`
}
