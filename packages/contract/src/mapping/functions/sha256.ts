// FIPS 180-4 §6.2. The same code runs in the browser's preview, where the platform's own is asynchronous.

const primes = firstPrimes(64)
const fractionBits = (root: number) => Math.floor((root % 1) * 2 ** 32)
const startHash = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)))
const constants = Uint32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)))

/** The SHA-256 digest, 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const hash = Uint32Array.from(startHash)
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  const words = new Uint32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(offset + at * 4)
    addBlock(hash, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [at, word] of hash.entries()) digest.setUint32(at * 4, word)
  return new Uint8Array(digest.buffer)
}

/** The message, a 1 bit, zeros, and the length in bits, in blocks of 64 bytes. */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  return padded
}

function addBlock(hash: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at++) {
    const [near = 0, far = 0] = [words[at - 2], words[at - 15]]
    const small = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const large = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    words[at] = (words[at - 16] ?? 0) + small + (words[at - 7] ?? 0) + large
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let at = 0; at < 64; at++) {
    const sumE = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + sumE + choice + (constants[at] ?? 0) + (words[at] ?? 0)) | 0
    const sumA = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sumA + majority) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at] ?? 0) + word
}

const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

function firstPrimes(count: number): number[] {
  const found: number[] = []
  for (let each = 2; found.length < count; each++) {
    if (found.every((prime) => each % prime !== 0)) found.push(each)
  }
  return found
}
