import type { PasskeyAssertion, PasskeyRegistration } from '@gatehouse/contract'
import type { Row } from '../../db/tables.ts'
import type { PasskeyPlace } from './passkey-place.ts'

/** COSE algorithms that are taken, the preferred one first: Ed25519, ES256, RS256. */
export const algorithms = [-8, -7, -257]

/** Whether a challenge was made for what is checked. */
type KnowsChallenge = (challenge: string) => boolean

interface Expected extends PasskeyPlace {
  knowsChallenge: KnowsChallenge
}

type Verified<T> = ({ ok: true } & T) | { ok: false; reason: string }

type Used = Pick<Row<'passkey'>, 'counter' | 'is_synced'>
type Made = Used & Pick<Row<'passkey'>, 'credential_id' | 'public_key'>

/** A quarter of a second and 28 MB: few servers need it, and none at its start. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Checks what a device has answered that made a passkey, with its user verified. */
export async function verifyRegistration(
  credential: PasskeyRegistration,
  { origin, host, knowsChallenge }: Expected,
): Promise<Verified<Made>> {
  return judged<Made>(async () => {
    const { verifyRegistrationResponse } = await library()
    await refuseFrame(credential.response.clientDataJSON)
    const attestationObject = await withoutStatement(credential.response.attestationObject)
    const { verified, registrationInfo: made } = await verifyRegistrationResponse({
      response: {
        ...credential,
        rawId: credential.id,
        clientExtensionResults: {},
        response: { clientDataJSON: credential.response.clientDataJSON, attestationObject },
      },
      expectedChallenge: asked(knowsChallenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return { ok: false, reason: 'The signature is wrong.' }
    const { id, publicKey, counter } = made.credential
    if (id !== credential.id) return { ok: false, reason: 'It names another credential.' }
    return {
      ok: true,
      credential_id: id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      is_synced: made.credentialBackedUp ? 1 : 0,
    }
  })
}

/**
 * Removes what a device says of its make, which nobody asks for: to judge it, the library would parse
 * certificates, and fetch addresses that they name.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await helpers()
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const bare = new Map<string, string | Uint8Array | Map<string, string>>()
    .set('fmt', 'none')
    .set('attStmt', new Map<string, string>())
    .set('authData', authData)
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}

/** Checks the signature of a passkey, made with its user verified. */
export async function verifyAssertion(
  passkey: Row<'passkey'>,
  credential: PasskeyAssertion,
  { origin, host, knowsChallenge }: Expected,
): Promise<Verified<Used>> {
  const { userHandle, ...response } = credential.response
  if (userHandle !== passkey.user_handle)
    return { ok: false, reason: 'The passkey is for another user.' }
  return judged<Used>(async () => {
    const { verifyAuthenticationResponse } = await library()
    await refuseFrame(response.clientDataJSON)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, rawId: credential.id, clientExtensionResults: {}, response },
      expectedChallenge: asked(knowsChallenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        // Judged below, where the signature is known to be right.
        counter: -1,
      },
    })
    if (!verified) return { ok: false, reason: 'The signature is wrong.' }
    const { newCounter: counter, credentialBackedUp } = authenticationInfo
    const counts = counter > 0 || passkey.counter > 0
    if (counts && counter <= passkey.counter)
      return { ok: false, reason: 'The counter went back: the passkey may have been copied.' }
    return { ok: true, counter, is_synced: credentialBackedUp ? 1 : 0 }
  })
}

/** A page of ours is in no frame of another site. The library lets it pass where the browser does not name that site. */
async function refuseFrame(clientDataJSON: string): Promise<void> {
  const { decodeClientDataJSON } = await helpers()
  if (decodeClientDataJSON(clientDataJSON).crossOrigin)
    throw new Error('It was made in a frame of another site.')
}

/** The library would repeat the challenge, which may be any text. */
const asked = (knowsChallenge: KnowsChallenge) => (challenge: string) => {
  if (knowsChallenge(challenge)) return true
  throw new Error('It was not asked for here, or too long ago.')
}

/** The library throws where anything is wrong, and what it says is for administrators alone. */
async function judged<T>(check: () => Promise<Verified<T>>): Promise<Verified<T>> {
  try {
    return await check()
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
