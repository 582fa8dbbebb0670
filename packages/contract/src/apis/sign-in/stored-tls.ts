import type { SecrecyOf, Shown } from './secret-fields.ts'

/** How an API shows itself over TLS, and whom it trusts (spec: sign-in). Blank: not set. */
export interface StoredTls {
  /** PEM, with the chain behind it. */
  client_certificate: string
  /** PEM. */
  client_key: string
  /** Base64. Certificate and key in one file, instead of the two above. */
  pfx: string
  /** Of the key or of the PFX. */
  passphrase: string
  /** PEM: trusted instead of the authorities that Node knows. */
  ca: string
  /** Allows the renegotiation that OpenSSL 3 refuses (RFC 5746). */
  legacy_renegotiation: boolean
}

/** The one table that says which fields are secret. */
export const tlsFields = {
  client_certificate: 'open',
  client_key: 'secret',
  pfx: 'secret',
  passphrase: 'secret',
  ca: 'open',
  legacy_renegotiation: 'open',
} as const satisfies SecrecyOf<StoredTls>

export type ShownTls = Shown<StoredTls, typeof tlsFields>
