import jsqr from 'jsqr'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { drawQr } from './draw-qr.ts'
import { sharp } from './image-library.ts'
import { foreignTexts, lengths, taxQrCases, textOf } from './testing/qr-texts.ts'

async function readBack(png: Buffer) {
  const { data, info } = await sharp(png)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)
}

async function fieldsRefused(text: string, width: number, height: number) {
  const error: unknown = await drawQr(text, width, height).catch((error: unknown) => error)
  if (!(error instanceof AppError)) throw new Error('It was not refused', { cause: error })
  expect(error.status).toBe(422)
  return error.details.fields ?? {}
}

/** Sizes, and how many of the lengths fit into each. */
const room = [
  [100, 7],
  [137, 8],
  [200, 12],
  [300, 12],
  [512, 12],
  [1000, 12],
] as const

describe('is read back verbatim by another decoder', () => {
  it.each(room)('at %i pixels: %i lengths that fit', async (size, fitting) => {
    for (const text of lengths.slice(0, fitting).map(textOf)) {
      const code = await readBack(await drawQr(text, size, size))
      expect(code?.data).toBe(text)
    }
    for (const text of lengths.slice(fitting).map(textOf))
      expect(Object.keys(await fieldsRefused(text, size, size))).toEqual(['width', 'height'])
  })

  it.each(foreignTexts)('%j', async (text) => {
    const code = await readBack(await drawQr(text, 300, 300))
    expect(Buffer.from(code?.binaryData ?? []).toString('utf8')).toBe(text)
    expect(code?.data).toBe(text)
  })

  it.each(taxQrCases)('the tax QR $id, in the version that is due', async ({ base64, vM }) => {
    for (const [size] of room) {
      const code = await readBack(await drawQr(base64, size, size))
      expect(code).toMatchObject({ data: base64, version: vM })
    }
  })
})

describe('the level of error correction', () => {
  it('is M as long as that holds the text, and L above', async () => {
    const versionOf = async (length: number) =>
      (await readBack(await drawQr(textOf(length), 200, 200)))?.version
    expect(await versionOf(2331)).toBe(40)
    // 2332 bytes fit into version 36 at level L (ISO/IEC 18004, table 7).
    expect(await versionOf(2332)).toBe(36)
    expect(await versionOf(2953)).toBe(40)
  })
})

describe('the picture', () => {
  it.each([
    [300, 300],
    [300, 170],
    [101, 1000],
    [45, 45],
    [4096, 4096],
  ])(
    'of %i × %i is exactly that size, and each module the same number of pixels',
    async (width, height) => {
      const base64 = taxQrCases[0]?.base64 ?? ''
      const { data, info } = await sharp(await drawQr(base64, width, height))
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(info).toMatchObject({ width, height, channels: 1 })
      const modules = 45 // version 5 is 37 wide, and 4 more on each side
      const scale = Math.floor(Math.min(width, height) / modules)
      const left = Math.floor((width - modules * scale) / 2)
      const top = Math.floor((height - modules * scale) / 2)
      const moduleAt = (x: number, y: number) => {
        const [column, row] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)]
        const isInside = [column, row].every((at) => at >= 4 && at < modules - 4)
        return isInside ? data[(top + row * scale) * width + left + column * scale] : 255
      }
      let wrong = 0
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) if (data[y * width + x] !== moduleAt(x, y)) wrong++
      expect(wrong).toBe(0)
    },
  )
})

describe('422', () => {
  const text = taxQrCases[0]?.base64 ?? ''
  const needs = ['A QR code of this text needs at least 45 × 45 pixels.']
  it.each([
    [44, 300, { width: needs }],
    [300, 44, { height: needs }],
    [1, 1, { width: needs, height: needs }],
  ])(
    'on the side that is too small, naming the smallest: %i × %i',
    async (width, height, fields) => {
      expect(await fieldsRefused(text, width, height)).toEqual(fields)
      expect((await readBack(await drawQr(text, 45, 45)))?.data).toBe(text)
    },
  )

  it.each([
    ['one byte too many', 'x'.repeat(2954), '2954 bytes long; at most 2953 fit.'],
    ['many more', '1'.repeat(1_000_000), '1000000 bytes long; at most 2953 fit.'],
    ['characters of several bytes', 'ض'.repeat(1477), '2954 bytes long; at most 2953 fit.'],
    ['nothing', '', 'The text for the QR code is blank.'],
    ['half of an emoji', 'a\ud83d', 'half of a character'],
  ])('on base64 for %s', async (_name, text, message) => {
    const fields = await fieldsRefused(text, 4096, 4096)
    expect(Object.keys(fields)).toEqual(['base64'])
    expect(fields['base64']?.[0]).toContain(message)
  })
})
