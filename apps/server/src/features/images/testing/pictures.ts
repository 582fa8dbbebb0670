import { crc32, deflateSync } from 'node:zlib'
import { sharp } from '../image-library.ts'

export const kinds = ['png', 'jpeg', 'webp', 'gif'] as const
type Kind = (typeof kinds)[number]

/** Pixels that differ everywhere, so that a shift or a lost row can't go unseen. */
export function pixels(width: number, height: number, channels = 3): Buffer {
  const bytes = Buffer.alloc(width * height * channels)
  for (let at = 0, seed = 1; at < bytes.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    bytes[at] = ((at * 3) & 0x7f) + (seed >> 25)
  }
  return bytes
}

/** A picture of that kind and size. */
export function picture(kind: Kind, width = 60, height = 40): Promise<Buffer> {
  return sharp(pixels(width, height), { raw: { width, height, channels: 3 } })
    .toFormat(kind)
    .toBuffer()
}

/** A PNG put together from its chunks; `IHDR` and `IEND` are added. */
export function pngOf(width: number, height: number, chunks: [name: string, data: Buffer][]) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[['IHDR', header] as const, ...chunks, ['IEND', Buffer.alloc(0)] as const].map(
      ([name, data]) => chunk(name, data),
    ),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
}

/** Rows of nothing, for a PNG that has to be sound. */
export const blankRows = (width: number, height: number) =>
  deflateSync(Buffer.alloc(height * (1 + width * 3)))

/** Small files of each kind whose headers say that they are huge. */
export async function bombs(): Promise<Record<Kind, Buffer>> {
  const gif = await picture('gif')
  // The screen, and the frame on it.
  const gifFrame = gif.indexOf(Buffer.from('2c000000003c002800', 'hex'))
  for (const at of [6, 8, gifFrame + 5, gifFrame + 7]) gif.writeUInt16LE(50_000, at)
  const jpeg = await picture('jpeg')
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(50_000, frame + 5)
  jpeg.writeUInt16BE(50_000, frame + 7)
  const webp = await picture('webp')
  const keyFrame = webp.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  webp.writeUInt16LE(16_383, keyFrame + 3)
  webp.writeUInt16LE(16_383, keyFrame + 5)
  return { png: pngOf(50_000, 50_000, [['IDAT', blankRows(10, 10)]]), gif, jpeg, webp }
}

/** A sound progressive JPEG that asks the decoder to go over the picture so many times more. */
export async function jpegOfManyScans(times: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 800, height: 800, channels: 3, background: '#777' } })
    .toColourspace('b-w')
    .jpeg({ progressive: true })
    .toBuffer()
  const tableMarker = Buffer.from([0xff, 0xc4])
  // A scan of the coefficients 6 to 63, which is twelve bytes for a grey picture.
  const scan = Buffer.from('ffda0008010100063f02', 'hex')
  const at = jpeg.indexOf(scan)
  const begin = jpeg.lastIndexOf(tableMarker, at)
  const again = Buffer.from(jpeg.subarray(begin, jpeg.indexOf(tableMarker, at)))
  // In full precision: what has that may be sent again at will.
  again[at - begin + scan.length - 1] = 0
  const end = jpeg.length - 2
  return Buffer.concat([
    jpeg.subarray(0, end),
    ...Array.from({ length: times }, () => again),
    jpeg.subarray(end),
  ])
}
