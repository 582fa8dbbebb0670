import { sha256 } from './sha256.ts'

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** RFC 4648 §4, with padding. */
export function base64(bytes: Uint8Array): string {
  const pieces: string[] = []
  // A call takes a bounded number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  }
  return btoa(pieces.join(''))
}

/** A UUID in the form of version 4 (RFC 9562 §5.4) whose bits a hash makes: the same for the same seed. */
export function uuidOf(seed: string): string {
  const bytes = sha256(utf8(seed)).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
