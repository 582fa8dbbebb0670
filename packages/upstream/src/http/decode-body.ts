import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { UpstreamFailure } from '../failures.ts'

/**
 * Undoes one `content-encoding`: gzip, deflate (with or without zlib's frame) or br. We ask for
 * `identity`, so this serves upstreams that compress all the same. Throws an UpstreamFailure:
 * `too_large` once more than `maxBytes` come out (what a decompression bomb meets), `protocol` for
 * other or stacked encodings and for data that does not decode.
 */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity' || body.byteLength === 0) return body
  const decode = decoderOf(name, body)
  if (!decode) {
    throw new UpstreamFailure(
      'protocol',
      'the answer is compressed in a way that was not asked for',
    )
  }
  try {
    return await decode(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) {
      const detail = `the decompressed answer is larger than ${maxBytes} bytes`
      throw new UpstreamFailure('too_large', detail, error)
    }
    throw new UpstreamFailure(
      'protocol',
      `the answer could not be decompressed from ${name}`,
      error,
    )
  }
}

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
])

function decoderOf(name: string, body: Buffer) {
  // RFC 9110 §8.4.1.2: deflate has a zlib frame, and some senders leave it out.
  if (name === 'deflate') return promisify(hasZlibFrame(body) ? inflate : inflateRaw)
  return decoders.get(name)
}

const hasZlibFrame = (body: Buffer) =>
  body.byteLength >= 2 && ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
