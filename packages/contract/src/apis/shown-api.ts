import type { ApiFields } from './api-fields.ts'
import type { NamedValue } from './sign-in/outgoing-header.ts'
import type { ShownCredential } from './sign-in/stored-credential.ts'
import type { ShownTls } from './sign-in/tls-settings.ts'

/** Never shown: secrets, and what is done with them. */
type HiddenField = 'password' | 'upstream_token' | 'clear_upstream_token'

/** Fields that are shown in another shape, without their secrets. */
interface ShownSignIn {
  credential: ShownCredential | null
  test_credential: ShownCredential | null
  tls: ShownApiTls | null
  static_headers: NamedValue[]
  tags: string[]
}

export interface ShownApiTls extends ShownTls {
  /** The client certificate; null: none. */
  certificate: { subject: string; issuer: string; expires_at: string } | null
}

/** As a form shows a field: a choice that was not made is blank. */
type Shown<T> = null extends T
  ? Exclude<T, null | undefined> extends string
    ? Exclude<T, null | undefined> | ''
    : Exclude<T, undefined>
  : Exclude<T, undefined>

/**
 * `submitted_data`, decoded: what the lists and the form show of an API. Fields of the other protocol
 * are blank. Secrets are never among it: `has_password`, `has_upstream_token` (a credential of the
 * kind `bearer`) and the `has_…` of a credential say that one is stored.
 */
export type SubmittedApi = {
  [F in Exclude<keyof ApiFields, HiddenField | keyof ShownSignIn>]-?: Shown<ApiFields[F]>
} & ShownSignIn & {
    has_password: boolean
    has_upstream_token: boolean
    /** Those whose client certificates it takes; what of them can't be read is left out. */
    client_authorities: { subject: string; expires_at: string }[]
    context: string
  }
