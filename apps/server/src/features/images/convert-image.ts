import { withoutDataUrl } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { sharp } from './image-library.ts'
import { countScans, sniffImage } from './sniff-image.ts'

const pixelsMax = 16_000_000
// Encoders make about ten; more are only found in files that are made to keep a decoder busy.
const scansMax = 100

interface Box {
  width: number | null
  height: number | null
}

/**
 * The PNG of an image that is given as Base64: upright, its first frame if it moves, fitted inside
 * the box with its aspect kept. A blank side of the box is the image's own. Decoding happens off the
 * main thread, and only after the header has been read. Throws a 422 on `base64` for whatever is not
 * a sound PNG, JPEG, WebP or GIF of at most 16 megapixels, or takes longer than `secondsMax`.
 */
export async function convertImage(base64: string, box: Box, secondsMax = 5): Promise<Buffer> {
  const refuse = refusal(secondsMax)
  const bytes = Buffer.from(withoutDataUrl(base64), 'base64')
  const kind = sniffImage(bytes)
  if (!kind) throw wrongImage('Only PNG, JPEG, WebP and GIF images are accepted.')
  if (kind === 'jpeg' && countScans(bytes, scansMax + 1) > scansMax)
    throw wrongImage('This JPEG has too many scans. Save it again, then try once more.')

  const natural = await sizeOf(bytes).catch(refuse)
  const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
    .timeout({ seconds: secondsMax })
    .autoOrient()
  if (box.width !== null || box.height !== null) {
    image.resize({
      width: box.width ?? natural.width,
      height: box.height ?? natural.height,
      fit: 'inside',
    })
  }
  return image.png().toBuffer().catch(refuse)
}

/** Width and height after rotation, read from the header only. */
async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height } = autoOrient
  if (width * height <= pixelsMax) return { width, height }
  throw wrongImage(`The image has ${width} × ${height} pixels; at most 16 megapixels are accepted.`)
}

/** What the decoder can't get through is the input's fault; its own words go to the log. */
const refusal = (secondsMax: number) => (cause: Error) => {
  if (cause instanceof AppError) throw cause
  throw cause.message.startsWith('timeout')
    ? wrongImage(`The image takes longer than ${secondsMax} seconds to process.`, cause)
    : wrongImage('The image is damaged or incomplete.', cause)
}

function wrongImage(message: string, cause?: Error): AppError {
  return new AppError('request.invalid', { fields: { base64: [message] }, cause })
}
