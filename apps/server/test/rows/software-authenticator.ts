import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@gatehouse/contract'

/** What a test has an authenticator, or the browser around it, do otherwise. */
interface Oddities {
  /** Where the browser says that the page is. */
  origin?: string
  /** What the browser says that it was asked for. */
  type?: string
  /** Whether the page is in a frame of another site. */
  crossOrigin?: boolean
  /** Whether the user was verified. */
  isVerified?: boolean
  counter?: number
  isSynced?: boolean
  /** The format of what the device says of its make, and that in CBOR. */
  statement?: [string, Buffer]
}

const userPresent = 0x01
const userVerified = 0x04
const backupEligible = 0x08
const backedUp = 0x10
const hasCredential = 0x40

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** A device with one passkey, and the browser before it (W3C Web Authentication, ES256 and no attestation unless told). */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(32)
  readonly #origin: string
  #userHandle = ''
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Makes a passkey, as `navigator.credentials.create` does. */
  create(options: PasskeyCreationOptions, odd: Oddities = {}): PasskeyRegistration {
    this.#userHandle = options.user.id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const credential = [Buffer.alloc(16), length, this.#id, coseKey(this.#keys.publicKey)]
    const authData = Buffer.concat([
      this.#authData(options.rp.id, hasCredential, odd),
      ...credential,
    ])
    const [format, statement] = odd.statement ?? ['none', Buffer.from([0xa0])]
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText(format),
      cborText('attStmt'),
      statement,
      cborText('authData'),
      Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
      authData,
    ])
    return {
      id: this.#id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, odd),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'made up'],
      },
    }
  }

  /** Signs, as `navigator.credentials.get` does. */
  get(options: PasskeyRequestOptions, odd: Oddities = {}): PasskeyAssertion {
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, odd)
    const authData = this.#authData(options.rpId, 0, odd)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return {
      id: this.#id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: this.#userHandle,
      },
    }
  }

  #clientData(type: string, challenge: string, odd: Oddities): string {
    const { origin = this.#origin, crossOrigin = false } = odd
    const data = { type: odd.type ?? type, challenge, origin, crossOrigin }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }

  #authData(host: string, more: number, odd: Oddities): Buffer {
    const { isVerified = true, isSynced = false, counter = ++this.#counter } = odd
    const flags =
      userPresent |
      (isVerified ? userVerified : 0) |
      (isSynced ? backupEligible | backedUp : 0) |
      more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count])
  }
}

/** RFC 8949 §3: a text of less than 24 bytes. */
const cborText = (text: string) =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** RFC 9053 §7.1.1: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(x),
    Buffer.from([0x22]),
    bytes(y),
  ])
}
