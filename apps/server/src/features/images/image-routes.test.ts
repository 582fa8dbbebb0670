// Databases: SQLite.

import jsqr from 'jsqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, type TestServer } from '../../../test/servers/build-server.ts'
import { sharp } from './image-library.ts'
import { bombs, picture } from './testing/pictures.ts'
import { taxQrCases } from './testing/qr-texts.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildServer()
})
afterAll(() => server.close())

async function post(body: unknown, token = server.admin.token) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/post/image',
    headers: { authorization: `Bearer ${token}` },
    payload: body as object,
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

async function refused(body: unknown) {
  const { status, bytes } = await post(body)
  const answer = JSON.parse(bytes.toString()) as {
    message: string
    code: string
    errors: Record<string, string[]>
  }
  return { status, ...answer }
}

async function readBack(png: Buffer) {
  const { data, info } = await sharp(png)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

const tlv = taxQrCases[0]?.base64 ?? ''

describe('200', () => {
  it('is a PNG, as the answer’s type says, for those who hold the permission', async () => {
    const operator = await server.buildUser({ permissions: ['image.generate'] })
    const answer = await post(
      {
        base64: (await picture('jpeg')).toString('base64'),
        width: 30,
        height: 30,
        isQrCode: false,
      },
      operator.token,
    )
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'no-store',
        'content-length': String(answer.bytes.length),
      },
    })
    expect(await sharp(answer.bytes).metadata()).toMatchObject({
      format: 'png',
      width: 30,
      height: 20,
    })
  })

  it.each([
    ['the text as given', tlv, tlv],
    ['the field of a document', `{"EINV_QR": "${tlv}"}`, tlv],
    ['another document', '{"id": 1}', '{"id": 1}'],
    ['text that is no Base64', ' سلام 👋 ', 'سلام 👋'],
  ])('is a QR code of %s', async (_name, base64, text) => {
    const { status, bytes } = await post({ base64, width: 200, height: 250, isQrCode: true })
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 200, height: 250 })
    expect(await readBack(bytes)).toBe(text)
  })

  it.each([
    ['absent', {}],
    ['null', { width: null, height: null }],
    ['blank', { width: '', height: ' ' }],
  ])('a size that is %s is 300 for a QR code, and the image’s own otherwise', async (_n, sides) => {
    const qr = await post({ base64: tlv, isQrCode: true, ...sides })
    expect(await sharp(qr.bytes).metadata()).toMatchObject({ width: 300, height: 300 })
    const image = await post({ base64: (await picture('gif')).toString('base64'), ...sides })
    expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 60, height: 40 })
  })

  it.each([true, 1, '1', 'true'])('isQrCode may be %j, sides text', async (isQrCode) => {
    const { bytes } = await post({ base64: tlv, width: '100', height: '0101', isQrCode })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 100, height: 101 })
  })

  it('10 MiB of text are read', async () => {
    // What follows the end of a PNG is not looked at.
    const bytes = Buffer.alloc((10 * 1024 * 1024 * 3) / 4)
    ;(await picture('png')).copy(bytes)
    const { status } = await post({ base64: bytes.toString('base64') })
    expect(status).toBe(200)
  })
})

describe('422', () => {
  const bad = [0, '0', -1, '-1', 1e9, 4097, '4097', 1.5, 'abc', '1e3', '٣٠٠', true, {}, 'Infinity']
  it.each(bad)('on width, and on height, for %j', async (side) => {
    for (const field of ['width', 'height']) {
      const answer = await refused({ base64: tlv, isQrCode: true, [field]: side })
      expect(answer).toMatchObject({ status: 422, message: 'Validation errors occurred!' })
      expect(answer.errors).toEqual({
        [field]: [`The ${field} must be a whole number from 1 to 4096.`],
      })
    }
  })

  it.each([
    ['absent', undefined, 'The base64 field is required.'],
    ['null', null, 'The base64 field is required.'],
    ['blank', ' \n ', 'The base64 field is required.'],
    ['a number', 7, 'The base64 must be text.'],
    ['a list', ['AQID'], 'The base64 must be text.'],
    ['over 10 MiB', 'A'.repeat(10 * 1024 * 1024 + 1), 'The base64 may not be longer than 10 MiB.'],
  ])('on base64 that is %s, of an image and of a QR code', async (_name, base64, message) => {
    for (const isQrCode of [false, true])
      expect((await refused({ base64, isQrCode })).errors).toEqual({ base64: [message] })
  })

  it('on base64 for text where an image is wanted, and for a bomb', async () => {
    expect((await refused({ base64: 'hello world', isQrCode: false })).errors).toEqual({
      base64: ['This is not valid Base64. Check Is Qr to make a QR code of any text.'],
    })
    for (const bomb of Object.values(await bombs())) {
      const answer = await refused({ base64: bomb.toString('base64') })
      expect(Object.keys(answer.errors)).toEqual(['base64'])
    }
  })

  it('on the sides for a QR code that needs more room', async () => {
    const answer = await refused({ base64: tlv, width: 44, height: 45, isQrCode: true })
    expect(answer.errors).toEqual({
      width: ['A QR code of this text needs at least 45 × 45 pixels.'],
    })
  })

  it('names every field at once', async () => {
    const every = await refused({ base64: '?', width: 0, height: 'x', isQrCode: false })
    expect(Object.keys(every.errors).toSorted()).toEqual(['base64', 'height', 'width'])
    expect(Object.keys((await refused({ base64: '?', isQrCode: 'maybe' })).errors)).toEqual([
      'isQrCode',
    ])
  })
})

it('413 for a body over 12 MiB', async () => {
  expect(await refused({ base64: 'A'.repeat(12 * 1024 * 1024) })).toMatchObject({
    status: 413,
    code: 'request.too_large',
  })
})

it('the API reference says that a PNG comes back', async () => {
  const answer = await server.send('GET', '/api/openapi.json', { token: server.admin.token })
  const { paths } = answer.body as {
    paths: Record<string, { post?: { responses: Record<string, unknown> } }>
  }
  expect(paths['/api/post/image']?.post?.responses['200']).toMatchObject({
    content: { 'image/png': { schema: { format: 'binary' } } },
  })
})
