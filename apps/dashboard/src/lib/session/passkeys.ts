import { isPasskeyOrigin } from '@gatehouse/contract/passkey-origin'
import type { CallInput, CallOutput, Routes } from '@gatehouse/contract'
import { messageOf } from '../calls/call-error.ts'

type Registration = CallInput<Routes['POST /api/passkeys']>['body']['credential']
type Assertion = CallInput<Routes['POST /api/login/passkey']>['body']['credential']

/**
 * Why this page can't use passkeys, in a sentence; undefined: it can. `origin` is the one at which they
 * work; null: wherever the dashboard is opened.
 */
export function passkeyTrouble(origin: string | null): string | undefined {
  if (!isPasskeyOrigin(origin ?? location.origin))
    return 'Passkeys need https, or localhost, and a host name instead of an address.'
  if (origin !== null && origin !== location.origin)
    return `Passkeys work at ${origin} alone. Open the dashboard there.`
  // Older browsers have passkeys, but do not read what a server says of them in JSON.
  if (!('PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential))
    return 'This browser can’t use passkeys. Update it, or take another one.'
  return undefined
}

/** Has a device make a passkey; the browser asks its user, until `signal` is aborted. */
export async function makePasskey(
  options: CallOutput<Routes['POST /api/passkeys/begin']>,
  signal: AbortSignal,
): Promise<Registration> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = (await navigator.credentials.create({ publicKey, signal })) as PublicKeyCredential
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      transports: response.getTransports(),
    },
  }
}

/** Has a device sign with a passkey that its user chooses. */
export async function signWithPasskey(
  options: CallOutput<Routes['POST /api/login/passkey/begin']>,
): Promise<Assertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const chosen = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  const response = chosen.response as AuthenticatorAssertionResponse
  return {
    id: chosen.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
      userHandle: response.userHandle && base64url(response.userHandle),
    },
  }
}

/** By hand: with the `toJSON` of a browser, credentials of some password managers can't be written. */
const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A sentence about what went wrong with a passkey, in this browser or on the server. */
export function passkeyMessage(error: unknown): string {
  if (!(error instanceof DOMException)) return messageOf(error)
  switch (error.name) {
    // Browsers do not say which.
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used: you closed the window of the browser, or it waited for too long.'
    case 'InvalidStateError':
      return 'This device has a passkey for you already.'
    default:
      return 'The browser could not use a passkey here.'
  }
}
