import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { expectAccessible, startJourney, toast } from '../harness/journey.ts'

// A QR code for a tax invoice, and a picture of a given size, as a person makes and saves them.

const taxQr = 'AQVTYWxsYQIKMTIzNDU2Nzg5MQMUMjAyMS0wNy0xMlQxNDoyNTowOVoEBjEwMC4wMAUFMTUuMDA='
// One red pixel.
const pixel = 'data:image/gif;base64,R0lGODdhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs='

const journey = startJourney()
let page: Page
beforeAll(async () => {
  ;({ page } = journey)
  await page.getByRole('link', { name: 'Image generator' }).click()
  await page.getByRole('heading', { name: 'Image generator' }).waitFor()
})

const generate = () => page.getByRole('button', { name: 'Generate' }).click()

/** Saves the image and gives its size, as the PNG's header states it. */
async function download() {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Image' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('generated-image.png')
  const bytes = readFileSync(await saved.path())
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

it('what is wrong is shown under its field', async () => {
  await page.getByLabel('Base64').fill('hello world')
  await page.getByLabel('Width').fill('4097')
  await generate()
  await toast(page, 'Validation errors occurred!')
  await page.getByText('The width must be a whole number from 1 to 4096.').waitFor()
  await page.getByText('This is not valid Base64.').waitFor()
  await expectAccessible(page)
})

it('a tax QR shows what it contains before it is made, is made, and is saved', async () => {
  await page.getByLabel('Base64').fill(`{ "EINV_QR": "${taxQr}" }`)
  await page.getByLabel('Width').fill('')
  await page.getByRole('checkbox', { name: 'Is Qr' }).check()
  const fields = page.getByRole('table', { name: 'Fields of the tax QR' })
  await fields.getByRole('cell', { name: '2021-07-12T14:25:09Z' }).waitFor()
  await generate()
  await toast(page, 'API created successfully!')
  await page.getByRole('img', { name: 'The generated QR code' }).waitFor()
  await page.getByText('300 × 300 pixels').first().waitFor()
  expect(await download()).toEqual({ width: 300, height: 300 })
  await expectAccessible(page)
})

it('a picture is fitted into the size that was asked for', async () => {
  await page.getByRole('checkbox', { name: 'Is Qr' }).uncheck()
  await page.getByLabel('Base64').fill(pixel)
  await page.getByLabel('Width').fill('40')
  await page.getByLabel('Height').fill('30')
  await generate()
  await page.getByRole('img', { name: 'The generated image' }).waitFor()
  expect(await download()).toEqual({ width: 30, height: 30 })
})

it('the browser reported no error', () => expect(journey.complaints).toEqual([]))
