import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawQr } from '../draw-qr.ts'
import { foreignTexts, lengths, taxQrCases, textOf } from './qr-texts.ts'

// The same promise as in ../draw-qr.test.ts, held against a scanner in wide use that is written in C.

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-zbar-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The bytes in the code. Scanners have to guess their character set. */
async function scan(text: string, size: number): Promise<string> {
  const file = join(folder, 'qr.png')
  writeFileSync(file, await drawQr(text, size, size))
  const options = ['--quiet', '--nodbus', '--raw', '--oneshot', '-Sbinary']
  return execFileSync(process.env.GATEHOUSE_TEST_ZBARIMG ?? 'zbarimg', [...options, file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

describe('zbar reads back verbatim', () => {
  it.each([186, 187, 188, 189, 250, 300, 517, 1000])(
    'at %i pixels, every length up to capacity',
    async (size) => {
      for (const length of lengths) expect(await scan(textOf(length), size)).toBe(textOf(length))
    },
  )

  it('at 100 pixels, every length that fits', async () => {
    for (const length of lengths.filter((length) => length <= 520))
      expect(await scan(textOf(length), 100)).toBe(textOf(length))
  })

  it.each(foreignTexts)('%j', async (text) => expect(await scan(text, 300)).toBe(text))

  it.each(taxQrCases)('the tax QR $id', async ({ base64 }) => {
    for (const size of [100, 200, 300, 1000]) expect(await scan(base64, size)).toBe(base64)
  })
})
