import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  privateDecrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

const types = { changeCipher: 20, alert: 21, handshake: 22, data: 23 } as const
const messages = { clientHello: 1, clientKeyExchange: 16, finished: 20 } as const
const version = Buffer.from([3, 3])
/** TLS_RSA_WITH_AES_128_GCM_SHA256 (RFC 5288): the whole key exchange is one decryption. */
const cipherSuite = Buffer.from([0, 0x9c])

/**
 * Speaks TLS 1.2 (RFC 5246) without `renegotiation_info` (RFC 5746), as servers of before 2010 do, and
 * answers any request with 200 and `{"old": 1}`. OpenSSL can't be made to do so. `pem` is a
 * certificate and its RSA key.
 */
export function createLegacyTlsServer(pem: string): Server {
  return createServer((socket) => {
    const connection = new LegacyConnection(socket, pem)
    socket.on('data', (bytes: Buffer) => connection.read(bytes))
    socket.on('error', () => socket.destroy())
  })
}

class LegacyConnection {
  readonly #socket: Socket
  readonly #pem: string
  readonly #transcript = createHash('sha256')
  readonly #serverRandom = randomBytes(32)
  #clientRandom: Buffer = Buffer.alloc(0)
  #master: Buffer = Buffer.alloc(0)
  #unread: Buffer = Buffer.alloc(0)
  #incoming: RecordKeys | null = null
  #outgoing: RecordKeys | null = null
  #isClientProtected = false

  constructor(socket: Socket, pem: string) {
    this.#socket = socket
    this.#pem = pem
  }

  read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes])
    while (this.#unread.length >= 5 && this.#unread.length >= 5 + this.#unread.readUInt16BE(3)) {
      const type = this.#unread[0] ?? 0
      const end = 5 + this.#unread.readUInt16BE(3)
      const fragment = this.#unread.subarray(5, end)
      this.#unread = this.#unread.subarray(end)
      const isProtected = this.#isClientProtected && this.#incoming !== null
      this.#take(type, isProtected ? this.#incoming!.open(type, fragment) : fragment)
    }
  }

  #take(type: number, fragment: Buffer): void {
    if (type === types.changeCipher) this.#isClientProtected = true
    else if (type === types.alert) this.#socket.destroy()
    else if (type === types.data) this.#answer()
    else {
      for (let at = 0; at < fragment.length;) {
        const end = at + 4 + fragment.readUIntBE(at + 1, 3)
        this.#shake(fragment.subarray(at, end))
        at = end
      }
    }
  }

  #shake(message: Buffer): void {
    this.#transcript.update(message)
    const body = message.subarray(4)
    if (message[0] === messages.clientHello) this.#greet(body)
    else if (message[0] === messages.clientKeyExchange) this.#agree(body.subarray(2))
    else if (message[0] === messages.finished) this.#finish()
  }

  /** ServerHello, without any extension, Certificate and ServerHelloDone. */
  #greet(hello: Buffer): void {
    this.#clientRandom = Buffer.from(hello.subarray(2, 34))
    const none = Buffer.from([0])
    const certificate = new X509Certificate(this.#pem).raw
    const hellos = [
      handshake(2, Buffer.concat([version, this.#serverRandom, none, cipherSuite, none])),
      handshake(11, sized(sized(certificate))),
      handshake(14, Buffer.alloc(0)),
    ]
    for (const each of hellos) {
      this.#transcript.update(each)
      this.#write(types.handshake, each)
    }
  }

  #agree(encrypted: Buffer): void {
    const padding = constants.RSA_PKCS1_PADDING
    const premaster = privateDecrypt({ key: createPrivateKey(this.#pem), padding }, encrypted)
    const randoms = [this.#clientRandom, this.#serverRandom]
    this.#master = expand(premaster, 'master secret', Buffer.concat(randoms), 48)
    const keys = expand(this.#master, 'key expansion', Buffer.concat(randoms.toReversed()), 40)
    this.#incoming = new RecordKeys(keys.subarray(0, 16), keys.subarray(32, 36))
    this.#outgoing = new RecordKeys(keys.subarray(16, 32), keys.subarray(36, 40))
  }

  #finish(): void {
    this.#write(types.changeCipher, Buffer.from([1]))
    const proof = expand(this.#master, 'server finished', this.#transcript.copy().digest(), 12)
    this.#writeProtected(types.handshake, handshake(messages.finished, proof))
  }

  #answer(): void {
    const head = 'Content-Type: application/json\r\nContent-Length: 10\r\nConnection: close'
    this.#writeProtected(types.data, Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n{"old": 1}`))
    this.#socket.end()
  }

  #write(type: number, fragment: Buffer): void {
    this.#socket.write(Buffer.concat([Buffer.from([type]), version, sized(fragment, 2)]))
  }

  #writeProtected(type: number, fragment: Buffer): void {
    if (this.#outgoing === null) throw new Error('No keys are agreed on.')
    this.#write(type, this.#outgoing.seal(type, fragment))
  }
}

/** One direction of AES-128-GCM (RFC 5288 §3). */
class RecordKeys {
  readonly #key: Buffer
  readonly #salt: Buffer
  #count = 0n

  constructor(key: Buffer, salt: Buffer) {
    this.#key = key
    this.#salt = salt
  }

  seal(type: number, plain: Buffer): Buffer {
    const explicit = bigEndian(this.#count)
    const cipher = createCipheriv(
      'aes-128-gcm',
      this.#key,
      Buffer.concat([this.#salt, explicit]),
    ).setAAD(this.#additional(type, plain.length))
    return Buffer.concat([explicit, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  open(type: number, sealed: Buffer): Buffer {
    const nonce = Buffer.concat([this.#salt, sealed.subarray(0, 8)])
    const cipher = createDecipheriv('aes-128-gcm', this.#key, nonce)
      .setAAD(this.#additional(type, sealed.length - 24))
      .setAuthTag(sealed.subarray(-16))
    return Buffer.concat([cipher.update(sealed.subarray(8, -16)), cipher.final()])
  }

  #additional(type: number, length: number): Buffer {
    const head = Buffer.from([type, ...version, length >> 8, length & 255])
    return Buffer.concat([bigEndian(this.#count++), head])
  }
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** The bytes after their length. */
function sized(bytes: Buffer, lengthBytes = 3): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(bytes.length, 0, lengthBytes)
  return Buffer.concat([length, bytes])
}

const handshake = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type]), sized(body)])

/** The pseudorandom function of RFC 5246 §5. */
function expand(secret: Buffer, label: string, seed: Buffer, length: number): Buffer {
  const mac = (data: Buffer) => createHmac('sha256', secret).update(data).digest()
  const labelled = Buffer.concat([Buffer.from(label), seed])
  const parts: Buffer[] = []
  for (let chain = mac(labelled); parts.length * 32 < length; chain = mac(chain)) {
    parts.push(mac(Buffer.concat([chain, labelled])))
  }
  return Buffer.concat(parts).subarray(0, length)
}
