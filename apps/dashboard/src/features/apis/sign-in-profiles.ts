import type { NamedValue } from '../../ui/named-values.tsx'
import type { CredentialDraft } from './credential-draft.ts'

interface SignInProfile {
  label: string
  credential: Partial<CredentialDraft> & Pick<CredentialDraft, 'kind'>
  staticHeaders?: NamedValue[]
}

const secretHeaders = (...names: string[]): SignInProfile['credential'] => ({
  kind: 'headers',
  headers: names.map((name) => ({ name, value: '' })),
})

/** What the authorities with a run-settings profile ask for (spec: sign-in). */
export const signInProfiles: Record<string, SignInProfile> = {
  zatca: {
    label: 'Saudi Arabia: ZATCA',
    credential: { kind: 'basic' },
    staticHeaders: [
      { name: 'Accept-Version', value: 'V2' },
      { name: 'Clearance-Status', value: '1' },
    ],
  },
  jofotara: { label: 'Jordan: JoFotara', credential: secretHeaders('Client-Id', 'Secret-Key') },
  myinvois: {
    label: 'Malaysia: MyInvois',
    credential: { kind: 'oauth2_client_credentials', client_authentication: 'body' },
  },
  eta: {
    label: 'Egypt: ETA',
    credential: { kind: 'oauth2_client_credentials', client_authentication: 'basic' },
  },
  oscu: { label: 'Kenya: OSCU', credential: secretHeaders('tin', 'bhfId', 'cmcKey') },
  firs: { label: 'Nigeria: FIRS', credential: secretHeaders('x-api-key', 'x-api-secret') },
  netsuite: {
    label: 'NetSuite',
    credential: {
      kind: 'oauth2_client_credentials',
      client_authentication: 'private_key_jwt',
    },
  },
}
