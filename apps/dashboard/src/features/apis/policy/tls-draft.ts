import type { ShownApiTls, TlsInput } from '@gatehouse/contract'

export interface TlsDraft {
  /** How the client certificate is given. */
  mode: 'none' | 'pem' | 'pfx'
  client_certificate: string
  client_key: string
  pfx: string
  passphrase: string
  ca: string
  legacy_renegotiation: boolean
  storedSecrets: string[]
  /** The client certificate that is stored. */
  certificate: ShownApiTls['certificate']
}

export const noTls: TlsDraft = {
  mode: 'none',
  client_certificate: '',
  client_key: '',
  pfx: '',
  passphrase: '',
  ca: '',
  legacy_renegotiation: false,
  storedSecrets: [],
  certificate: null,
}

export function toTlsDraft(shown: ShownApiTls | null): TlsDraft {
  if (shown === null) return noTls
  const { client_certificate, ca, legacy_renegotiation } = shown
  const stored = { client_key: shown.has_client_key, pfx: shown.has_pfx }
  const secrets = { ...stored, passphrase: shown.has_passphrase }
  return {
    ...noTls,
    mode: shown.has_pfx ? 'pfx' : client_certificate === '' ? 'none' : 'pem',
    client_certificate,
    ca,
    legacy_renegotiation,
    certificate: shown.certificate,
    storedSecrets: Object.entries(secrets).flatMap(([field, isStored]) =>
      isStored ? [field] : [],
    ),
  }
}

/** What the call takes: null where nothing is set. */
export function toTlsInput(draft: TlsDraft): TlsInput | null {
  const { mode, ca, legacy_renegotiation, passphrase } = draft
  if (mode === 'none' && ca.trim() === '' && !legacy_renegotiation) return null
  return {
    client_certificate: mode === 'pem' ? draft.client_certificate : '',
    client_key: mode === 'pem' ? draft.client_key : '',
    pfx: mode === 'pfx' ? draft.pfx : null,
    passphrase: mode === 'none' ? '' : passphrase,
    ca,
    legacy_renegotiation,
  }
}

export const tlsModes = [
  { value: 'none', label: 'None' },
  { value: 'pem', label: 'Certificate and key (PEM)' },
  { value: 'pfx', label: 'PFX file' },
]
