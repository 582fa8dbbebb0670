import { qrMaxBytes } from '@gatehouse/contract'
import { encodeQR } from 'qr'
import { fieldError } from '../../kernel/app-error.ts'
import { sharp } from './image-library.ts'

// ISO/IEC 18004 §5.3.8.
const quietZoneModules = 4
const black = 0
const white = 255

/**
 * The PNG of a QR code, exactly that wide and high. A module is as many whole pixels as fit, since
 * modules of uneven size can't be read; what remains is white all around. Throws a 422 on the field
 * at fault: `base64` for a text that no QR code holds, the sides for a size that is too small.
 */
export async function drawQr(text: string, width: number, height: number): Promise<Buffer> {
  const modules = encode(text)
  const scale = Math.floor(Math.min(width, height) / modules.length)
  if (scale < 1) throw tooSmall(modules.length, { width, height })
  return sharp(paint(modules, scale, width, height), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

/** The module matrix with its quiet zone, true for black: at level M, or at L where M is too small. */
function encode(text: string): boolean[][] {
  const problem = problemOf(text)
  if (problem !== undefined) throw fieldError({ base64: [problem] })
  const options = { border: quietZoneModules, encoding: 'byte' } as const
  try {
    return encodeQR(text, 'raw', { ...options, ecc: 'medium' })
  } catch (error) {
    if (!(error instanceof Error && error.message === 'Capacity overflow')) throw error
    return encodeQR(text, 'raw', { ...options, ecc: 'low' })
  }
}

function problemOf(text: string): string | undefined {
  if (text === '') return 'The text for the QR code is blank.'
  if (!text.isWellFormed()) return 'The text contains half of a character (a lone surrogate).'
  const bytes = Buffer.byteLength(text)
  return bytes > qrMaxBytes
    ? `The text for the QR code is ${bytes} bytes long; at most ${qrMaxBytes} fit.`
    : undefined
}

function tooSmall(smallest: number, sides: { width: number; height: number }) {
  const message = `A QR code of this text needs at least ${smallest} × ${smallest} pixels.`
  const wrong = Object.entries(sides).filter(([, side]) => side < smallest)
  return fieldError(Object.fromEntries(wrong.map(([field]) => [field, [message]])))
}

/** One byte a pixel. */
function paint(modules: boolean[][], scale: number, width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height, white)
  const left = marginOf(width - modules.length * scale, scale)
  const top = marginOf(height - modules.length * scale, scale)
  for (const [row, line] of modules.entries()) {
    const first = (top + row * scale) * width
    for (const [column, isBlack] of line.entries()) {
      const at = first + left + column * scale
      if (isBlack) pixels.fill(black, at, at + scale)
    }
    for (let copy = 1; copy < scale; copy++)
      pixels.copyWithin(first + copy * width, first, first + width)
  }
  return pixels
}

/**
 * The white before the code, half of what is left over. At one pixel a module zbar, and what is
 * built on it, only finds a code that begins at an odd pixel: there it may be one pixel off.
 */
function marginOf(leftOver: number, scale: number): number {
  const half = Math.floor(leftOver / 2)
  return scale === 1 && half % 2 === 0 && half < leftOver ? half + 1 : half
}
