import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { convertImage } from './convert-image.ts'
import { sharp } from './image-library.ts'
import { sniffImage } from './sniff-image.ts'
import {
  blankRows,
  bombs,
  jpegOfManyScans,
  kinds,
  picture,
  pixels,
  pngOf,
} from './testing/pictures.ts'

const natural = { width: null, height: null }
const convert = (bytes: Buffer | string, box: { width: number | null; height: number | null }) =>
  // On a busy machine 16 megapixels take longer than a caller would wait.
  convertImage(typeof bytes === 'string' ? bytes : bytes.toString('base64'), box, 600)

async function refusalOf(bytes: Buffer | string): Promise<string> {
  const error: unknown = await convert(bytes, natural).catch((error: unknown) => error)
  if (!(error instanceof AppError)) throw new Error('It was not refused', { cause: error })
  expect(error.status).toBe(422)
  expect(Object.keys(error.details.fields ?? {})).toEqual(['base64'])
  return error.details.fields?.['base64']?.[0] ?? ''
}

describe.each(kinds)('a %s', (kind) => {
  it('becomes the PNG that the library itself makes of it', async () => {
    const bytes = await picture(kind)
    const made = await convert(bytes, natural)
    expect(made.equals(await sharp(bytes).png().toBuffer())).toBe(true)
    expect(await sharp(made).metadata()).toMatchObject({ format: 'png', width: 60, height: 40 })
  })

  it.each([
    ['smaller', 30, 30, 30, 20],
    ['larger', 600, 600, 600, 400],
    ['as wide', 120, 4096, 120, 80],
    ['as high', 4096, 10, 15, 10],
    ['one pixel', 1, 1, 1, 1],
    ['with the width alone', 30, null, 30, 20],
    ['with the height alone', null, 10, 15, 10],
  ])(
    'is fitted into a box, its aspect kept: %s',
    async (_name, width, height, madeWidth, madeHeight) => {
      const bytes = await picture(kind)
      const made = await convert(bytes, { width, height })
      const expected = await sharp(bytes)
        .resize(width ?? 60, height ?? 40, { fit: 'inside' })
        .png()
        .toBuffer()
      expect(made.equals(expected)).toBe(true)
      expect(await sharp(made).metadata()).toMatchObject({ width: madeWidth, height: madeHeight })
    },
  )

  it('is refused when it was cut off, wherever', async () => {
    const bytes = await picture(kind)
    for (let tenth = 1; tenth < 10; tenth++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * tenth) / 10))
      expect(await refusalOf(cut)).toBe('The image is damaged or incomplete.')
    }
  })

  it('is refused by its header when it says that it is huge', async () => {
    expect(await refusalOf((await bombs())[kind])).toMatch(
      /^The image has \d{5} × \d{5} pixels; at most 16 megapixels are accepted\.$/,
    )
  })

  it('that is damaged anywhere is made or refused, and nothing else', async () => {
    const bytes = await picture(kind)
    for (let round = 0; round < 100; round++) {
      const damaged = Buffer.from(bytes)
      for (let bit = 0; bit < 4; bit++) {
        const at = (round * 7919 + bit * 104_729) % damaged.length
        damaged[at] = (damaged[at] ?? 0) ^ (1 << ((round + bit) % 8))
      }
      const outcome = await convert(damaged, natural).catch((error: unknown) => error)
      const isMade = Buffer.isBuffer(outcome) && sniffImage(outcome) === 'png'
      const isRefused = outcome instanceof AppError && outcome.code === 'request.invalid'
      expect(isMade || isRefused).toBe(true)
    }
  })
})

describe('accepted ways to write it', () => {
  it.each([
    ['a data URL', (text: string) => `data:image/png;base64,${text}`],
    ['a data URL of another type', (text: string) => `data:image/svg+xml;base64,${text}`],
    ['line breaks', (text: string) => text.replace(/.{76}/g, '$&\r\n')],
    ['the URL-safe alphabet', (text: string) => text.replace(/\+/g, '-').replace(/\//g, '_')],
    ['no padding', (text: string) => text.replace(/=+$/, '')],
  ])('%s', async (_name, written) => {
    const bytes = await picture('png', 7, 5)
    const text = written(bytes.toString('base64'))
    const made = await convert(text, natural)
    expect(made.equals(await sharp(bytes).png().toBuffer())).toBe(true)
  })
})

describe('what a picture may hold', () => {
  it('a photo taken sideways is turned upright, and fitted as it is seen', async () => {
    const bytes = await sharp(await picture('jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const made = await convert(bytes, natural)
    expect(await sharp(made).metadata()).toMatchObject({ width: 40, height: 60 })
    expect(made.equals(await sharp(bytes).autoOrient().png().toBuffer())).toBe(true)
    const fitted = await convert(bytes, { width: 20, height: null })
    expect(await sharp(fitted).metadata()).toMatchObject({ width: 20, height: 30 })
  })

  it.each(['gif', 'webp'] as const)('of an animated %s the first frame counts', async (kind) => {
    const frames = [10, 120, 240].map((shade) => Buffer.alloc(20 * 10 * 3, shade))
    const moving = await sharp(Buffer.concat(frames), {
      raw: { width: 20, height: 30, channels: 3, pageHeight: 10 },
    })
      .toFormat(kind)
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(3)
    const made = await convert(moving, natural)
    const { data, info } = await sharp(made).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 20, height: 10 })
    expect(Math.abs((data[0] ?? 0) - 10)).toBeLessThan(4)
  })

  it('transparency stays', async () => {
    const bytes = await sharp(pixels(8, 8, 4), { raw: { width: 8, height: 8, channels: 4 } })
      .png()
      .toBuffer()
    const made = await sharp(await convert(bytes, natural))
      .raw()
      .toBuffer()
    expect(made.equals(pixels(8, 8, 4))).toBe(true)
  })

  it('a text inside a PNG that looks like an SVG changes nothing', async () => {
    const bytes = pngOf(3, 2, [
      ['tEXt', Buffer.from('Comment\0<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['IDAT', blankRows(3, 2)],
    ])
    const made = await convert(bytes, natural)
    expect(await sharp(made).metadata()).toMatchObject({ width: 3, height: 2 })
  })

  it('a small one may grow to the greatest size', async () => {
    const made = await convert(await picture('gif'), { width: 4096, height: 4096 })
    expect(await sharp(made).metadata()).toMatchObject({ width: 4096, height: 2731 })
  })

  it('16 megapixels are accepted, one row more is not', async () => {
    const flat = (height: number) =>
      sharp({ create: { width: 4000, height, channels: 3, background: '#345' } })
        .png()
        .toBuffer()
    const made = await convert(await flat(4000), { width: 10, height: 10 })
    expect(await sharp(made).metadata()).toMatchObject({ width: 10, height: 10 })
    expect(await refusalOf(await flat(4001))).toContain('4000 × 4001')
  })
})

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'

describe('refused by its first bytes:', () => {
  const sample = (format: 'tiff' | 'avif') =>
    sharp(pixels(20, 20), { raw: { width: 20, height: 20, channels: 3 } })
      .toFormat(format)
      .toBuffer()

  it.each([
    ['an SVG', () => Buffer.from(svg)],
    ['an SVG with a declaration', () => Buffer.from(`<?xml version="1.0"?>\n${svg}`)],
    ['an SVG behind a byte order mark', () => Buffer.from(`\ufeff${svg}`)],
    ['an SVG in UTF-16', () => Buffer.from(`\ufeff${svg}`, 'utf16le')],
    ['a compressed SVG', () => gzipSync(svg)],
    ['an SVG that calls itself a PNG', () => `data:image/png;base64,${btoa(svg)}`],
    ['a page', () => Buffer.from('<!doctype html><img src=x>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['a TIFF', () => sample('tiff')],
    ['an AVIF', () => sample('avif')],
    ['a BMP', () => Buffer.from('BM\0\0\0\0\0\0\0\0\0\0\0\0')],
    ['an icon', () => Buffer.from([0, 0, 1, 0, 1, 0])],
    ['an archive', () => Buffer.from('PK\x03\x04')],
    ['a sound', () => Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
    ['text', () => Buffer.from('hello world')],
    ['a PNG behind a blank', async () => Buffer.concat([Buffer.from(' '), await picture('png')])],
    ['nothing', () => 'data:image/png;base64,'],
  ])('%s', async (_name, bytes) => {
    expect(await refusalOf(await bytes())).toBe('Only PNG, JPEG, WebP and GIF images are accepted.')
  })
})

describe('disguised as an image, and refused:', () => {
  const asPng = Buffer.from('89504e470d0a1a0a', 'hex')
  it.each([
    ['a PNG signature before an SVG', () => Buffer.concat([asPng, Buffer.from(svg)])],
    ['a PNG signature before a JPEG', async () => Buffer.concat([asPng, await picture('jpeg')])],
    ['a PNG signature alone', () => asPng],
    ['a JPEG marker before an SVG', () => Buffer.from(`\xff\xd8\xff${svg}`, 'latin1')],
    ['a GIF header before a page', () => Buffer.from('GIF89a<script>alert(1)</script>')],
    ['a WebP header before nothing', () => Buffer.from('RIFF\x10\0\0\0WEBPVP8 ')],
    ['a PNG without pixels', () => pngOf(10, 10, [])],
    ['a PNG of no size', () => pngOf(0, 10, [['IDAT', blankRows(1, 1)]])],
    ['a PNG with too few rows', () => pngOf(10, 10, [['IDAT', blankRows(10, 3)]])],
  ])('%s', async (_name, bytes) => {
    expect(await refusalOf(await bytes())).toBe('The image is damaged or incomplete.')
  })
})

it('a JPEG that asks for more and more passes over the picture is refused before the first', async () => {
  const made = await convert(await jpegOfManyScans(50), natural)
  expect(await sharp(made).metadata()).toMatchObject({ width: 800, height: 800 })
  expect(await refusalOf(await jpegOfManyScans(200))).toBe(
    'This JPEG has too many scans. Save it again, then try once more.',
  )
})

it('no other reader can be reached, whatever is handed to the library', async () => {
  await expect(sharp(Buffer.from(svg)).png().toBuffer()).rejects.toThrow('unsupported image format')
  await expect(sharp('/etc/hostname').png().toBuffer()).rejects.toThrow('unsupported image format')
})
